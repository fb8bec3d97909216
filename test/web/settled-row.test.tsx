/** A settled approval with its call, in one row. A bug here hides what was decided, or fills a screen with ten approvals. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { calls, results } from '../support/web/events.ts';
import { ADA, personWith } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';

const asks = (toolCallId: string, input: object, more: object = {}) => ({
  kind: 'approval',
  toolName: 'Bash',
  toolCallId,
  input,
  ...more,
});
const EDIT = { file_path: 'a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' };
const YES = { decision: 'approve' };
const rows = () => [...document.querySelectorAll<HTMLElement>('.card.as-row')];
const opened = () => document.querySelector('.card-details');
const text = () => rows().map((row) => row.innerText.replaceAll(/\s+/g, ' ').trim());
const approve = () => page.getByRole('button', { name: 'Approve', exact: true });

beforeEach(() => page.viewport(1280, 800));

describe('[VIEW-5] a settled approval and its call', () => {
  it('are one row, ten of which fit a screen', async () => {
    const { id, agent, owner, open, element } = await startStage();
    for (let at = 0; at < 10; at += 1) {
      await agent.appendEvents(id, [calls(`c${at}`, 'Bash', { command: `make part-${at}` })]);
      await agent.open(id, asks(`c${at}`, { command: `make part-${at}` }));
      await owner.answer(id, `c${at}~1`, YES);
      await agent.appendEvents(id, [results(`c${at}`, 'made')]);
    }
    open();
    await expect.poll(() => rows().length).toBe(10);
    expect(document.querySelectorAll('.tool-row')).toHaveLength(0);
    expect(text()[0]).toMatch(/^Bash make part-0 Approved .* Done$/);
    const [first, last] = [rows()[0], rows().at(-1)].map((row) => row?.getBoundingClientRect());
    expect((last?.bottom ?? Infinity) - (first?.top ?? 0)).toBeLessThan(720);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('have input and result one press away, in the views of the open card', async () => {
    const { id, agent, person, open, element } = await startStage();
    await agent.appendEvents(id, [calls('c1', 'Edit', EDIT)]);
    await agent.open(id, asks('c1', EDIT, { toolName: 'Edit', description: 'Two is right.' }));
    await person.answer(id, 'c1~1', YES);
    await agent.appendEvents(id, [results('c1', 'Written')]);
    open();
    await expect.poll(() => rows().length).toBe(1);
    expect(opened()).toBeNull();
    rows()[0]?.querySelector('summary')?.focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => opened()?.querySelector('.line.gone mark')?.textContent).toBe('1');
    expect(opened()?.querySelector('.line.new mark')?.textContent).toBe('2');
    await expect.element(page.getByText('Written')).toBeVisible();
    await expect.element(page.getByText('Two is right.')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Show raw JSON' })).toBeVisible();
    // The time of the decision is in the details alone.
    expect(opened()?.parentElement?.querySelectorAll('summary time')).toHaveLength(1);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('show what was approved of an edited input, and what was changed', async () => {
    const { id, agent, person, open } = await startStage();
    await agent.open(id, asks('c1', { command: 'make deploy' }, { allowEdit: true }));
    await person.answer(id, 'c1~1', { ...YES, updatedInput: { command: 'make test' } });
    open();
    await expect.poll(() => text()[0]).toMatch(/^Bash make test instead of make deploy Approved/);
    await expect.poll(() => rows()[0]?.querySelector('del')?.textContent).toContain('make deploy');
    rows()[0]?.querySelector('summary')?.click();
    await expect
      .poll(() => opened()?.querySelector('[role="group"] .command')?.textContent)
      .toContain('make test');
    const changed = page.getByRole('region', { name: 'Changed before approval' });
    await expect.element(changed).toBeVisible();
    expect(changed.element().textContent).toContain('make deploy');
  });

  it('have the reason of a denial in sight, and no status beside it', async () => {
    const { id, agent, person, open } = await startStage();
    await agent.appendEvents(id, [calls('c1', 'Bash', { command: 'ls' })]);
    await agent.open(id, asks('c1', { command: 'ls' }));
    await person.answer(id, 'c1~1', { decision: 'deny', reason: 'Not on a Friday' });
    open();
    await expect.element(page.getByText('Not on a Friday')).toBeVisible();
    expect(text()[0]).toBe('Bash ls Denied by you Not on a Friday');
    expect(document.querySelectorAll('.tool-row')).toHaveLength(0);
  });

  it('say how the call goes on after the approval', async () => {
    const { id, agent, person, open } = await startStage();
    await agent.appendEvents(id, [calls('c1', 'Bash', { command: 'ls' })]);
    await agent.open(id, asks('c1', { command: 'ls' }));
    open();
    await expect.element(approve()).toBeEnabled();
    expect(rows()).toHaveLength(0);
    await approve().click();
    await expect.poll(() => text()[0]).toContain('Approved by you');
    await expect.poll(() => text()[0]).toContain('waiting to be picked up');
    await agent.interaction(id, 'c1~1');
    await agent.appendEvents(id, [results('c1', 'no such file', true)]);
    await expect.poll(() => text()[0]).toMatch(/Approved by you Failed$/);
    expect((await person.interaction(id, 'c1~1')).outcome).toBe('approved');
  });

  it('name everybody who approved, in the details', async () => {
    const { id, agent, host, open } = await startStage();
    await agent.open(id, asks('c1', { command: 'ls' }, { quorum: { approvals: 2 } }));
    for (const subject of ['bob', 'eve'])
      await host
        .transport({ subject, scopes: ['read', 'answer'], via: 'web' })
        .answer(id, 'c1~1', YES);
    open();
    await expect.poll(() => rows().length).toBe(1);
    rows()[0]?.querySelector('summary')?.click();
    await expect.element(page.getByText('2 of 2 approvals')).toBeVisible();
    expect(opened()?.textContent).toContain('bob approved');
  });

  it('are a card where the request stands alone, and other kinds stay cards', async () => {
    const { id, agent, person, open } = await startStage();
    const options = [{ label: 'Red' }, { label: 'Blue' }];
    await agent.open(id, {
      kind: 'question',
      toolName: 'AskUserQuestion',
      toolCallId: 'q1',
      questions: [{ question: 'Which?', options }],
    });
    await person.answer(id, 'q1~1', { answers: { '0': 'Red' } });
    open();
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    expect(rows()).toHaveLength(0);
  });
});

describe('[VIEW-5] a card that becomes a row', () => {
  const settles = async () => {
    const stage = await startStage({ person: ADA });
    await stage.agent.open(stage.id, asks('c1', { command: 'make deploy' }));
    stage.open();
    await expect.element(approve()).toBeEnabled();
    const before = document.querySelector<HTMLElement>('.card');
    await approve().click();
    await expect.poll(() => rows().length).toBe(1);
    // The same element: a screen reader and an animation follow it.
    expect(rows()[0]).toBe(before);
    return stage;
  };

  it('shrinks to it, instead of jumping', async () => {
    const animate = vi.spyOn(Element.prototype, 'animate');
    await settles();
    const heights = animate.mock.calls.flatMap(([frames]) =>
      (frames as Keyframe[]).map(({ height }) => Number.parseFloat(String(height))),
    );
    expect(heights).toHaveLength(2);
    expect(heights[1]).toBeLessThan((heights[0] ?? 0) / 2);
    animate.mockRestore();
  });

  it('does so at once where motion is reduced', async () => {
    const animate = vi.spyOn(Element.prototype, 'animate');
    const real = matchMedia;
    vi.spyOn(globalThis, 'matchMedia').mockImplementation((query) =>
      query.includes('reduced-motion') ? real('all') : real(query),
    );
    await settles();
    expect(animate).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

it.each([320, 390])(
  '[VIEW-5, UI-10] a row fits %d pixels, with all that it says',
  async (width) => {
    await page.viewport(width, 720);
    const { id, agent, owner, open, element } = await startStage({
      person: personWith('read', 'answer', 'send'),
    });
    const command = `make ${'very-'.repeat(40)}long`;
    await agent.appendEvents(id, [calls('c1', 'Bash', { command })]);
    await agent.open(id, asks('c1', { command }));
    await owner.answer(id, 'c1~1', YES);
    open();
    await expect.poll(() => rows().length).toBe(1);
    const row = rows()[0];
    expect(row?.getBoundingClientRect().right).toBeLessThanOrEqual(width);
    for (const part of row?.querySelectorAll<HTMLElement>('.settled-line, .status') ?? []) {
      expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(width);
      expect(part.scrollWidth).toBeLessThanOrEqual(part.clientWidth + 1);
    }
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  },
);
