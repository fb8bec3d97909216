/** A tool asks to run. A bug here runs something that no one read, or that no one meant to approve. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { startInPageServer } from '../../support/web/in-page-server.ts';
import { askCard } from './ask-card.tsx';

const INPUT = { command: 'rm -rf build', timeout: 5 };
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('a card for an approval', () => {
  it('[UI-2] shows the tool, its target and the full input, and collapses to the decision', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT, description: 'Cleaning up' });
    await expect.element(page.getByRole('heading', { name: 'Bash rm -rf build' })).toBeVisible();
    await expect.element(page.getByText('timeout')).toBeVisible();
    await expect.element(page.getByText('Agent’s explanation (not verified)')).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    await card.arm();
    await button('Approve').click();
    await expect.element(page.getByText('Approved')).toBeVisible();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'approved', settledBy: { subject: 'ada' } });
    expect(card.element.querySelector('.card')?.classList).toContain('emerald');
    expect(button('Approve').query()).toBeNull();
    await expect.element(page.getByText('Show the input')).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[VIEW-1] says the path of a file once, and each of several', async () => {
    const seen = (element: HTMLElement) =>
      [...element.querySelectorAll('.tool-target, .file-name code:not(.unseen)')].map(
        ({ textContent }) => textContent,
      );
    const edit = { file_path: 'src/limits.ts', old_string: 'a', new_string: 'b' };
    const one = await askCard({ kind: 'approval', toolName: 'Edit', input: edit });
    await expect.poll(() => one.element.querySelector('.file-head')).not.toBeNull();
    expect(seen(one.element)).toEqual(['src/limits.ts']);
    const changes = ['a.ts', 'b.ts'].map((path) => ({
      path,
      kind: { type: 'delete' },
      diff: 'x',
    }));
    const both = await askCard({ kind: 'approval', toolName: 'fileChange', input: { changes } });
    await expect.poll(() => both.element.querySelector('.file-head')).not.toBeNull();
    expect(seen(both.element)).toEqual(['a.ts', 'b.ts']);
  });

  it('[UI-2] says nothing of a missing part before the first look', async () => {
    const said: string[] = [];
    const watch = new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('.review')) said.push(textContent);
    });
    watch.observe(document.body, { subtree: true, childList: true });
    onTestFinished(() => watch.disconnect());
    const card = await askCard({ kind: 'approval', input: INPUT });
    await expect.element(button('Approve')).toBeDisabled();
    await card.arm();
    await expect.element(button('Approve')).toBeEnabled();
    expect(said).toEqual([]);
  });

  it('[UI-6] enables Approve only 600 ms after it appeared or moved', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    await expect.element(button('Approve')).toBeDisabled();
    card.clock.advance(599);
    await expect.element(button('Approve')).toBeDisabled();
    await card.arm();
    await expect.element(button('Approve')).toBeEnabled();
    await card.show(undefined, { position: 2 });
    await expect.element(button('Approve')).toBeDisabled();
    await card.arm();
    await expect.element(button('Approve')).toBeEnabled();
  });

  it('[UI-2, APR-1] denies with a reason by keyboard alone; Enter in the field denies, Esc goes back', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    await card.arm();
    button('Deny…').element().focus();
    await userEvent.keyboard('{Enter}');
    const field = page.getByRole('textbox');
    await expect.element(field).toHaveFocus();
    expect(await axeProblems(card.element)).toEqual([]);
    await userEvent.keyboard('No{Escape}');
    expect(field.query()).toBeNull();
    expect((await card.now()).status).toBe('open');
    await button('Deny…').click();
    await userEvent.keyboard('Not on a Friday{Enter}');
    await expect.element(page.getByText('Denied', { exact: true })).toBeVisible();
    await expect.element(page.getByText('Not on a Friday')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Not on a Friday' });
    expect(card.element.querySelector('.card')?.classList).toContain('red');
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-6] never approves by Esc, nor by Enter on the card itself', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    await card.arm();
    card.element.querySelector<HTMLElement>('.card')?.focus();
    await userEvent.keyboard('{Enter}{Escape}1y');
    expect((await card.now()).status).toBe('open');
  });

  it('[UI-2] folds long input with its size, and asks to see it all before Approve works', async () => {
    const line = `${'x'.repeat(100 * 1024)} && rm -rf /`;
    const card = await askCard({ kind: 'approval', input: { command: line }, allowEdit: true });
    await card.arm();
    await expect.element(button('Approve')).toBeDisabled();
    // A text field too would show only the beginning.
    await expect.element(button('Edit')).toBeDisabled();
    await expect.element(page.getByText('Review the full input before approving')).toBeVisible();
    await page.getByRole('button', { name: 'Show all 100 KB' }).click();
    // The end is far below.
    await expect.element(button('Approve')).toBeDisabled();
    // The actions stay in sight, so scrolling to them leads nowhere.
    window.scrollTo(0, document.documentElement.scrollHeight);
    await card.arm();
    await expect.element(button('Approve')).toBeEnabled();
    expect(card.element.textContent).toContain('&& rm -rf /');
    expect(card.element.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-2, APR-2, VIEW-3] edits the input as JSON, refuses invalid JSON, and shows errors of the server', async () => {
    const card = await askCard({
      kind: 'approval',
      input: { command: 'ls \u202E' },
      allowEdit: true,
      inputSchema: { type: 'object', properties: { command: { type: 'string', maxLength: 5 } } },
    });
    await button('Edit').click();
    // A field for the text alone would obey what it hides.
    await expect.element(page.getByLabelText('command as JSON')).toHaveValue('"ls \\u202e"');
    await button('Edit as JSON').click();
    const field = page.getByLabelText('Edit input (JSON)');
    await expect.element(field).toHaveValue('{\n  "command": "ls \\u202E"\n}');
    await card.arm();
    await field.fill('{"command": ');
    await expect
      .element(page.getByText('This is not JSON: look at line 1, column 13.'))
      .toBeVisible();
    await expect.element(button('Approve with changes')).toBeDisabled();
    expect(await axeProblems(card.element)).toEqual([]);
    await field.fill('{"command": "ls -la"}');
    await button('Approve with changes').click();
    await expect.element(page.getByText(/does not fit the tool/)).toBeVisible();
    await expect.element(page.getByText(/^command: /)).toBeVisible();
    await expect.element(field).toHaveValue('{"command": "ls -la"}');
    await field.fill('{"command": "ls"}');
    await button('Approve with changes').click();
    await expect.element(page.getByText('Approved with edits')).toBeVisible();
    expect((await card.now()).updatedInput).toEqual({ command: 'ls' });
  });

  it('[UI-2, APR-3] allows offered calls for the session, the narrower rule first', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT, offers: ['once', 'session'] });
    await button('Allow for session…').click();
    await expect.element(page.getByLabelText(/^Only this exact/)).toBeChecked();
    expect(await axeProblems(card.element)).toEqual([]);
    await card.arm();
    await button('Approve for the session').click();
    await expect.element(page.getByText('Approved for this session')).toBeVisible();
    const [rule] = await card.server.owner.rules(card.sessionId);
    expect(rule).toMatchObject({ toolName: 'Bash' });
  });

  it('[APR-3] accepts a rule for every call of a shell only after a warning', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT, offers: ['once', 'session'] });
    await button('Allow for session…').click();
    await page.getByLabelText(/^Every \w+ call/).click();
    await card.arm();
    await button('Approve for the session').click();
    await expect.element(page.getByText(/runs any command it is given/)).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    expect((await card.now()).status).toBe('open');
    // The second press of a double click is too early for the new panel.
    (button('Allow every command').element() as HTMLElement).click();
    expect((await card.now()).status).toBe('open');
    await card.arm();
    await button('Allow every command').click();
    await expect.element(page.getByText('Approved for this session')).toBeVisible();
    expect(await card.server.owner.rules(card.sessionId)).toMatchObject([{ toolName: 'Bash' }]);
    expect((await card.server.owner.rules(card.sessionId))[0]).not.toHaveProperty('inputDigest');
  });

  it('[APR-3] accepts a rule for every call of another tool in one step', async () => {
    const offers = ['once', 'session'] as const;
    const card = await askCard({
      kind: 'approval',
      toolName: 'Read',
      input: { path: 'a' },
      offers,
    });
    await button('Allow for session…').click();
    await page.getByLabelText(/^Every \w+ call/).click();
    await card.arm();
    await button('Approve for the session').click();
    await expect.element(page.getByText('Approved for this session')).toBeVisible();
  });

  it('[UI-2] shows the error, keeps everything, and retries with the same key', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    const answer = vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(new Error('Lost'));
    await card.arm();
    await button('Approve').click();
    await expect.element(page.getByText(/Something went wrong/)).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    await button('Approve').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    const [first, second] = answer.mock.calls;
    expect(first?.[2]).toMatchObject({ inputDigest: card.opened.inputDigest });
    expect(second?.[3]?.idempotencyKey).toBe(first?.[3]?.idempotencyKey);
  });

  it('[UI-8, TRN-3] turns read-only at once when settled elsewhere, and says by whom', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    await card.arm();
    await card.server.host
      .transport({ subject: 'bob', scopes: ['admin'], via: 'cli' })
      .denyTool(card.sessionId, 'call-1');
    await card.show();
    await expect.element(page.getByText('by bob in a terminal')).toBeVisible();
    expect(card.element.querySelector('.card')?.classList).toContain('grey');
    expect(button('Approve').query()).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[TRN-3] shows the decision when its own answer is late', async () => {
    const card = await askCard({ kind: 'approval', input: INPUT });
    await card.arm();
    await card.server.host
      .transport({ subject: 'bob', scopes: ['admin'] })
      .approveTool(card.sessionId, 'call-1');
    await button('Approve').click();
    await expect.element(page.getByText('by bob', { exact: true })).toBeVisible();
  });

  it('[UI-12] without the scope it is read-only and says so', async () => {
    const card = await askCard(
      { kind: 'approval', input: INPUT },
      { server: startInPageServer(['read']), canAnswer: false },
    );
    await expect.element(page.getByText(/View only/)).toBeVisible();
    expect(page.getByRole('button', { name: 'Approve' }).query()).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-11] shows hostile input and explanations harmlessly', async () => {
    const hostile =
      '<script>window.pwned=1</script><img src="https://evil.example/b.png">\u202Egpj';
    const card = await askCard({
      kind: 'approval',
      toolName: 'Bash\u200B',
      input: { command: hostile, [hostile]: hostile },
      description: `${hostile}\nApprove this, it is safe.`,
    });
    expect(card.element.querySelectorAll('script, img, iframe')).toHaveLength(0);
    expect(card.element.textContent).not.toMatch(/[\u202A-\u202E\u200B]/u);
    expect(Reflect.get(window, 'pwned')).toBeUndefined();
    const words = card.element.querySelector('.agent-words');
    expect(words?.textContent).toContain('Agent’s explanation (not verified)');
    expect(await axeProblems(card.element)).toEqual([]);
  });
});
