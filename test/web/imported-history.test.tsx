/**
 * The imported history of a command-line agent on the session page. A bug looks like a question away from the call that
 * asked it, a settled card that asks again, or a page that loses its place when a transcript arrives.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ClientError } from '../../src/client/errors.ts';
import type { Transport } from '../../src/client/transport.ts';
import { axeProblems } from '../support/web/axe.ts';
import { modelText } from '../support/web/events.ts';
import { CLI, conversation, importConversation } from '../support/web/history.ts';
import { type Stage, startStage } from '../support/web/stage.tsx';
import { inLongRun } from '../support/run-length.ts';

const QUESTION = {
  kind: 'question',
  toolName: 'holdpoint_ask',
  questions: [
    { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
  ],
};
const LAST = 'shell-2';
const line = () => document.querySelector('.history-line')?.textContent ?? '';
const rows = () => [...document.querySelectorAll<HTMLElement>('.rows > .row')];
/** Without the time at the end of the row, which changes while a test runs. */
const texts = () =>
  rows().map((row) => {
    const time = row.querySelector<HTMLElement>('.row-time')?.innerText.trim() ?? '';
    const text = row.innerText.replaceAll(/\s+/g, ' ').trim();
    return time !== '' && text.endsWith(time) ? text.slice(0, -time.length).trim() : text;
  });
const placeOf = (words: string) => texts().findIndex((text) => text.includes(words));
const question = () => page.getByText('Which color?', { exact: true });
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

/** Without the result of the last call, which still waits. */
const unfinished = () => conversation(3).slice(0, -2);

beforeEach(() => page.viewport(1280, 800));

async function answered({ person, id }: Stage) {
  return person.answer(id, `${LAST}~1`, { answers: { '0': 'Red' } });
}

describe('[ALN-1] a session with imported history', () => {
  it.each([1280, 390])('shows it with its source at %d pixels', async (width) => {
    await page.viewport(width, 800);
    const stage = await startStage();
    const { owner, id, element, open } = stage;
    await importConversation(owner, id, conversation(3));
    open();
    await expect.element(page.getByText('Message 0')).toBeVisible();
    await expect
      .poll(line)
      .toBe(
        'History from Claude Code · 18 entries · 0f3c2a1b…3a4b · /home/ada/projects/notes-that-move',
      );
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await page.getByRole('button', { name: 'Session settings' }).click();
    await expect.element(page.getByText('claude-sonnet-5-5, 18 entries')).toBeVisible();
    expect(await axeProblems(document.body, { isPage: true })).toEqual([]);
  });

  it('names several conversations together, and lists one without history', async () => {
    const { owner, id, open } = await startStage();
    await importConversation(owner, id, conversation(1));
    const codex = { provider: 'codex', cliSessionId: 'short' };
    await importConversation(owner, id, [{ ...conversation(1)[0], id: 'x' } as never], codex);
    await owner.mapCliSession(id, { provider: 'my-agent', cliSessionId: 'c' });
    open();
    await expect
      .poll(line)
      .toBe('History from Claude Code and Codex · 7 entries · 2 conversations');
    await page.getByRole('button', { name: 'Session settings' }).click();
    await expect.element(page.getByText('no history imported yet')).toBeVisible();
  });

  it('says nothing while there is nothing to show', async () => {
    const { owner, id, open } = await startStage();
    await owner.mapCliSession(id, CLI);
    open();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await settled();
    expect(line()).toBe('');
  });

  it('says that it is loading, that it failed, and loads it again', async () => {
    const { owner, person, id, element, open } = await startStage();
    await importConversation(owner, id, conversation(3));
    const { history } = person;
    let fail: (() => void) | undefined;
    person.history = () =>
      new Promise((_, reject) => {
        fail = () => reject(new ClientError({ code: 'unreachable', message: 'x', retry: 'now' }));
      });
    open();
    await expect.poll(line).toBe('Loading the history from Claude Code…');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    fail?.();
    await expect
      .element(page.getByRole('alert').filter({ hasText: 'could not be loaded' }))
      .toBeVisible();
    expect(line()).toContain('The server cannot be reached.');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    person.history = history;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText('Message 0')).toBeVisible();
    await expect.poll(line).toContain('18 entries');
  });
});

describe('[ALN-2, ALN-6] a question of a call in the history', () => {
  it('stands at its call with the same order live, after a reload and after the import', async () => {
    const stage = await startStage();
    const { owner, agent, id, open, show } = stage;
    // The agent reports what its transcript will have.
    const reported = unfinished().slice(12);
    await agent.appendEvents(
      id,
      reported
        .filter(({ type }) => type !== 'user_message')
        .map(({ id: _id, at: _at, ...event }) => event as never),
    );
    open();
    await agent.open(id, { ...QUESTION, toolCallId: LAST });
    await expect.element(question()).toBeVisible();
    const order = () =>
      ['Step 2 begins.', 'holdpoint ask', 'Which color? ']
        .map(placeOf)
        .map((place, at, all) => place >= 0 && (at === 0 || place > (all[at - 1] as number)));
    expect(order()).toEqual([true, true, true]);
    show(null);
    open();
    await expect.element(question()).toBeVisible();
    expect(order()).toEqual([true, true, true]);
    await importConversation(owner, id, unfinished());
    await expect.element(page.getByText('Message 0')).toBeVisible();
    expect(order()).toEqual([true, true, true]);
    expect(texts().filter((text) => text.includes('Step 2 begins.'))).toHaveLength(1);
    await answered(stage);
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    await importConversation(owner, id, conversation(3));
    await expect.poll(line).toContain('18 entries');
    await expect.poll(() => document.querySelectorAll('.status.complete').length).toBe(3);
    // Announced once to the viewers of that moment.
    const lasting = () => texts().map((text) => text.replace(' You answered this just now', ''));
    const live = lasting();
    show(null);
    open();
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    await expect.poll(lasting).toEqual(live);
  });

  it('keeps the focus and the text of a person who is writing when the history arrives', async () => {
    const { owner, agent, id, open } = await startStage();
    open();
    await agent.open(id, { ...QUESTION, toolCallId: LAST });
    const own = page.getByRole('textbox', { name: 'Your own answer' });
    await own.fill('Gre');
    const element = own.element();
    await importConversation(owner, id, unfinished());
    await expect.element(page.getByText('Message 1')).toBeVisible();
    expect(document.activeElement).toBe(element);
    await userEvent.keyboard('en');
    await expect.element(own).toHaveValue('Green');
  });

  it('that was settled stays settled when the history arrives, also one that the history never answers', async () => {
    const stage = await startStage();
    const { owner, agent, id, open } = stage;
    await agent.open(id, { ...QUESTION, toolCallId: LAST });
    await answered(stage);
    open();
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    await importConversation(owner, id, unfinished());
    await expect.element(page.getByText('Message 1')).toBeVisible();
    expect(document.querySelectorAll('.card.open')).toHaveLength(0);
    expect(placeOf('Selected: Red')).toBeGreaterThan(placeOf('Step 2 begins.'));
    await expect.element(page.getByText('Idle')).toBeVisible();
  });

  it('appears at its call when it is asked after the import', async () => {
    const stage = await startStage();
    const { owner, agent, id, open } = stage;
    await importConversation(owner, id, unfinished());
    open();
    await expect.element(page.getByText('Message 0')).toBeVisible();
    await agent.open(id, { ...QUESTION, toolCallId: LAST });
    await expect.element(question()).toBeVisible();
    expect(rows().at(-1)?.innerText).toContain('Which color?');
    await answered(stage);
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
  });
});

describe('[ALN-1] a history that changes while the page is open', () => {
  /** The pages that the page has read. */
  function counted(transport: Transport): (string | undefined)[] {
    const cursors: (string | undefined)[] = [];
    const { history } = transport;
    transport.history = (sessionId, options) => {
      cursors.push(options?.cursor);
      return history(sessionId, options);
    };
    return cursors;
  }

  inLongRun(() => {
    it('grows by its last page alone, and is read anew when it was rewritten', async () => {
      const { owner, person, id, open } = await startStage();
      const cursors = counted(person);
      const long = conversation(350);
      await importConversation(owner, id, long.slice(0, 1_200));
      open();
      await expect.element(page.getByText('Message 199')).toBeVisible();
      expect(cursors.map((one) => one !== undefined)).toEqual([false, true]);
      await importConversation(owner, id, long);
      await expect.element(page.getByText('Message 349')).toBeVisible();
      expect(cursors.slice(2).map((one) => one !== undefined)).toEqual([true, true]);
      await importConversation(owner, id, [
        { ...long[0], payload: { title: 'Rewritten' } } as never,
        ...conversation(2).slice(1),
      ]);
      await expect.element(page.getByText('Message 1', { exact: true })).toBeVisible();
      await expect.poll(line).toContain('12 entries');
      expect(cursors[4]).toBeUndefined();
      expect(document.body.textContent).not.toContain('Message 349');
    });
  });

  it('continues with what happens next, once, and announces nothing of the past', async () => {
    const { owner, agent, id, open } = await startStage();
    open();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await importConversation(owner, id, conversation(3));
    await expect.element(page.getByText('Message 0')).toBeVisible();
    await settled();
    const said = () => document.querySelector('[role=log]')?.textContent ?? '';
    expect(said()).toBe('');
    await agent.appendEvents(id, [modelText('And one more thing.', {})]);
    await expect.poll(said).toBe('And one more thing.');
    expect(texts().filter((text) => text.includes('And one more thing.'))).toHaveLength(1);
  });

  inLongRun(() => {
    it('does not move a person who reads further up', async () => {
      const { owner, agent, id, open } = await startStage();
      const words = Array.from({ length: 60 }, (_, n) => modelText(`Line ${n} of the log`, {}));
      await agent.appendEvents(id, words);
      open();
      await expect.element(page.getByText('Line 59 of the log')).toBeVisible();
      const pane = document.querySelector('.conversation') as HTMLElement;
      pane.scrollTop = 200;
      await settled();
      const topOf = (element: Element) => element.getBoundingClientRect().top;
      const top = () => topOf(page.getByText('Line 8 of the log').element()) - topOf(pane);
      const before = top();
      await importConversation(owner, id, conversation(500));
      await expect.poll(line).toContain('3,000 entries');
      await settled();
      expect(rows().length).toBeLessThan(300);
      expect(Math.abs(top() - before)).toBeLessThan(2);
    });
  });
});
