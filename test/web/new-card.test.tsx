/** The scroll position when a request opens. A bug here shows the buttons of a card without their request. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { begins, modelText } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';
import { inLongRun } from '../support/run-length.ts';

const TEXT = Array.from({ length: 13 }, (_, at) => `line ${at}`).join('\n');
const edit = (toolCallId: string) => ({
  kind: 'approval',
  toolName: 'Edit',
  toolCallId,
  input: { file_path: `${toolCallId}.ts`, old_string: TEXT, new_string: TEXT, why: TEXT },
});
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    modelText(`Line ${from + at}`, { turnId: 't1', responseId: `r${from + at}` }),
  );
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));
const card = (id: string) => document.querySelector(`[data-interaction="${id}~1"]`);
const topOf = (id: string) => card(id)?.getBoundingClientRect().top ?? -1;
const scroller = () =>
  [...document.querySelectorAll<HTMLElement>('.conversation, .session')].find(
    (one) => getComputedStyle(one).overflowY === 'auto',
  ) as HTMLElement;
const newest = () => page.getByRole('button', { name: 'Newest' });

beforeEach(() => page.viewport(1280, 800));

/** The top of a card at the start of the window. */
async function expectAtTop(id: string): Promise<void> {
  await expect.poll(() => card(id)).not.toBeNull();
  await settled();
  const under = topOf(id) - scroller().getBoundingClientRect().top;
  expect(under).toBeGreaterThanOrEqual(0);
  expect(under).toBeLessThan(40);
}

describe('[UI-6] a new card', () => {
  it('is shown from its top, also after a reload, and stays in view while more rows follow', async () => {
    const { id, agent, open, show } = await startStage();
    await agent.appendEvents(id, [begins(), ...lines(30)]);
    open();
    await expect.element(page.getByText('Line 29')).toBeVisible();
    await agent.open(id, edit('c1'));
    await expectAtTop('c1');
    await agent.appendEvents(id, lines(20, 30));
    await expect.element(page.getByText('Line 49').first()).toBeInTheDocument();
    await expectAtTop('c1');
    show(null);
    open();
    await expectAtTop('c1');
  });

  it('keeps its head in sight while it is read', async () => {
    const { id, agent, open } = await startStage();
    await agent.open(id, { ...edit('c1'), timeoutSeconds: 600 });
    open();
    await expectAtTop('c1');
    scroller().scrollTop += 300;
    await settled();
    const head = card('c1')?.querySelector('.card-head')?.getBoundingClientRect();
    expect(head?.top).toBeCloseTo(scroller().getBoundingClientRect().top, 0);
    expect(topOf('c1')).toBeLessThan(0);
    await expect.element(page.getByText(/left$/)).toBeVisible();
  });

  inLongRun(() => {
    it('does not move a reader further up', async () => {
      const { id, agent, open } = await startStage();
      await agent.appendEvents(id, [begins(), ...lines(40)]);
      open();
      await expect.element(page.getByText('Line 39')).toBeVisible();
      scroller().scrollTop = 100;
      await settled();
      await agent.open(id, edit('c1'));
      await expect.poll(() => card('c1')).not.toBeNull();
      await settled();
      expect(scroller().scrollTop).toBe(100);
      // Keys pressed there do not answer the card either.
      expect(document.activeElement?.closest('.card') ?? null).toBeNull();
      await newest().click();
      await settled();
      const { scrollHeight, scrollTop, clientHeight } = scroller();
      expect(scrollHeight - scrollTop - clientHeight).toBeLessThan(2);
    });
  });

  it('is followed by the next open card, once it is settled', async () => {
    const { id, agent, person, open } = await startStage();
    open();
    await agent.open(id, edit('c1'));
    await expectAtTop('c1');
    await agent.open(id, edit('c2'));
    await expect.poll(() => card('c2')).not.toBeNull();
    await expectAtTop('c1');
    await person.denyTool(id, 'c1');
    await expect.poll(() => card('c1')?.classList.contains('settled')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expectAtTop('c2');
  });

  it('is the first of several, and has the focus before the others', async () => {
    const { id, agent, open } = await startStage();
    for (const name of ['c1', 'c2', 'c3']) await agent.open(id, edit(name));
    open();
    await expectAtTop('c1');
    const focused = () => document.activeElement?.getAttribute('data-interaction');
    await expect.poll(focused).toBe('c1~1');
  });

  it('is read from its top where the window is low, and header and composer make room', async () => {
    await page.viewport(640, 400);
    const { id, agent, open } = await startStage();
    await agent.appendEvents(id, [begins(), ...lines(30)]);
    open();
    await expect.element(page.getByText('Line 29')).toBeVisible();
    await agent.open(id, edit('c1'));
    await expectAtTop('c1');
    expect(scroller().clientHeight).toBe(400);
    const message = page.getByRole('textbox', { name: 'Message' }).element();
    expect(message.getBoundingClientRect().top).toBeGreaterThan(400);
    // In the higher window the visible rows stay where they were.
    await page.viewport(640, 800);
    await expectAtTop('c1');
    expect(message.getBoundingClientRect().bottom).toBeLessThan(800);
  });
});

it('[UI-10] keeps the position of a reader further up when the window gets low', async () => {
  const { id, agent, open } = await startStage();
  await agent.appendEvents(id, [begins(), ...lines(40)]);
  open();
  await expect.element(page.getByText('Line 39')).toBeVisible();
  scroller().scrollTop = 300;
  await settled();
  const line = page.getByText('Line 12').element();
  const before = line.getBoundingClientRect().top;
  await page.viewport(1280, 400);
  await settled();
  expect(Math.abs(line.getBoundingClientRect().top - before)).toBeLessThan(2);
});

it('[UI-10] offers the newest only while there is something below', async () => {
  const { id, agent, person, open } = await startStage();
  await agent.open(id, edit('c1'));
  open();
  await expectAtTop('c1');
  await expect.element(newest()).toBeVisible();
  await person.denyTool(id, 'c1');
  await expect.poll(() => card('c1')?.classList.contains('settled')).toBe(true);
  await expect.poll(() => newest().query()).toBeNull();
});
