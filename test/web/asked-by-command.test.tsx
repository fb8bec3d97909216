/**
 * A command that a shell call runs asks a person. A bug looks like a question without the call that it came from, or a shell
 * call that seems denied because its command was.
 */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { begins, calls, modelText, results } from '../support/web/events.ts';
import { ASK } from '../support/web/history.ts';
import { type Stage, startStage } from '../support/web/stage.tsx';
import { inLongRun, isLongRun } from '../support/run-length.ts';

const correlate = (operation: string) => ({
  plugin: 'holdpoint',
  operation,
  tool: `holdpoint_${operation}`,
  command: [operation, 'Which color?'],
});
const QUESTION = {
  kind: 'question',
  toolName: 'holdpoint_ask',
  correlate: correlate('ask'),
  questions: [
    { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
  ],
} as const;
const APPROVAL = {
  kind: 'approval',
  toolName: 'holdpoint_approve',
  correlate: correlate('approve'),
  input: { command: 'make deploy' },
} as const;
const SHELL = { question: ASK, approval: 'npx holdpoint approve --tool deploy -- make deploy' };

const row = () => document.querySelector<HTMLElement>('.tool summary');
const card = () => document.querySelector<HTMLElement>('.interaction');
const status = () => row()?.querySelector('.status')?.textContent;
const isBefore = (one: Element | null, other: Element | null) =>
  one !== null &&
  other !== null &&
  one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top;

beforeEach(() => page.viewport(1280, 800));

async function askedBy(kind: keyof typeof SHELL): Promise<Stage> {
  const stage = await startStage();
  const { agent, id, open } = stage;
  await agent.appendEvents(id, [
    begins(),
    modelText('I will ask.'),
    calls('c1', 'Bash', { command: SHELL[kind] }),
  ]);
  open();
  await agent.open(id, kind === 'question' ? QUESTION : APPROVAL);
  await expect.element(page.getByText('Asked by a command in this call')).toBeVisible();
  return stage;
}

it.each(['question', 'approval'] as const)(
  '[TL-5, RDV-4] a %s stands at the call that runs the command, live and after a reload',
  async (kind) => {
    for (const width of isLongRun ? [1280, 390] : [390]) {
      await page.viewport(width, 800);
      const { element, show, open, agent, id } = await askedBy(kind);
      for (const from of ['live', 'reloaded']) {
        if (from === 'reloaded') {
          show(null);
          open();
          await expect.element(page.getByText('Asked by a command in this call')).toBeVisible();
        }
        expect(row()?.textContent, from).toContain(`Bash${SHELL[kind]}`);
        expect(status()).toBe('Waiting for you');
        expect(isBefore(row(), card())).toBe(true);
      }
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      expect(await axeProblems(element, { isPage: true })).toEqual([]);
      expect((await agent.snapshot(id)).open[0]).toMatchObject({ toolCallId: 'c1' });
      element.remove();
    }
  },
);

inLongRun(() => {
  it('[TL-11] the call goes on when its command was denied, and ends with its own result', async () => {
    const { person, agent, id } = await askedBy('approval');
    await person.denyTool(id, 'c1', 'Not on a Friday');
    await expect.poll(status).toBe('Running');
    expect(isBefore(row(), card())).toBe(true);
    await agent.appendEvents(id, [results('c1', 'denied: Not on a Friday')]);
    await expect.poll(status).toBe('Done');
  });
});

inLongRun(() => {
  it('[RDV-3] a call that was only guessed is called probable', async () => {
    const { agent, id, open } = await startStage();
    await agent.appendEvents(id, [begins(), calls('c1', 'Bash', { command: './deploy.sh' })]);
    open();
    await agent.open(id, QUESTION);
    await expect.element(page.getByText('Asked by a command, probably in this call')).toBeVisible();
  });
});

inLongRun(() => {
  it('[RDV-4] a request that found no call has no such line', async () => {
    const { agent, id, open } = await startStage();
    open();
    await agent.open(id, QUESTION);
    await expect.element(page.getByText('Which color?', { exact: true })).toBeVisible();
    expect(document.querySelector('.origin')).toBeNull();
  });
});
