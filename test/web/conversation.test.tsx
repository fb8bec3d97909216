/** The conversation, as a person reads it while it happens. */
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { AppendedEvent } from '../../src/protocol/types.ts';
import { axeProblems } from '../support/web/axe.ts';
import { begins, calls, ends, results, modelText } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';

const scroller = () => document.querySelector('.conversation') as HTMLElement;
const fromEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight;
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

it('shows messages, texts, tools and how it ended', async () => {
  const { id, agent, person, open, element } = await startStage();
  await person.sendMessage(id, 'Move my notes').routed;
  await agent.appendEvents(id, [
    begins(),
    modelText('I will **look** first.'),
    calls('c1', 'List', { path: 'notes/' }),
    results('c1', 'a.md\nb.md'),
    calls('c2', 'Read', { path: 'notes/a.md' }),
    results('c2', 'No such file', true),
    { type: 'thinking', turnId: 't1', payload: { text: 'Hm.' } },
    { type: 'error', turnId: 't1', payload: { message: 'The disk is full' } },
    ends({ reason: 'interrupted' }),
  ]);
  open();
  await expect.element(page.getByText('Move my notes', { exact: true })).toBeVisible();
  await expect.element(page.getByText('look', { exact: true })).toBeVisible();
  await expect.element(page.getByText('The disk is full')).toBeVisible();
  await expect.element(page.getByText('Stopped')).toBeVisible();
  await page.getByText('notes/a.md').click();
  await expect.element(page.getByText('No such file')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[TL-4] folds many calls into one line, and opens them again', async () => {
  const { id, agent, open, element } = await startStage();
  const many = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [
    calls(name, 'Read', { path: `${name}.md` }),
    results(name),
  ]);
  await agent.appendEvents(id, [begins(), ...many]);
  open();
  await page.getByText('5 tool calls').click();
  await expect.element(page.getByText('c.md')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[APR-3] says that a rule allowed a call, and revokes the rule there', async () => {
  const { id, agent, person, open, element } = await startStage();
  const ask = { kind: 'approval', toolName: 'Bash', offers: ['once', 'session'] } as const;
  await agent.open(id, { ...ask, toolCallId: 'c1', input: { command: 'ls' } });
  await person.answer(id, 'c1~1', { decision: 'approve', offer: 'session', everyCommand: true });
  await agent.open(id, { ...ask, toolCallId: 'c2', input: { command: 'rm -rf build' } });
  open();
  await expect
    .element(page.getByText('Allowed by rule Bash: any input, made by you'))
    .toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Revoke the rule for Bash' }).click();
  await expect.element(page.getByText('made by you, revoked since')).toBeVisible();
  expect(await person.rules(id)).toEqual([]);
});

it('[INT-16, PRES-6] shows whether the agent has an approval, and never that a call runs forever', async () => {
  const { id, agent, person, open } = await startStage();
  await agent.open(id, {
    kind: 'approval',
    toolCallId: 'c1',
    toolName: 'Bash',
    input: { command: 'make' },
    turnId: 't1',
  });
  await person.answer(id, 'c1~1', { decision: 'approve' });
  const looks = vi.spyOn(person, 'interaction');
  open();
  await expect.element(page.getByText('Approved, waiting to be picked up')).toBeVisible();
  const before = looks.mock.calls.length;
  expect(document.querySelector('.status .dot')).toBeNull();
  await agent.interaction(id, 'c1~1');
  await expect.element(page.getByText('Handed to the agent')).toBeVisible();
  // A frame said so; nor does a page that is shown again read the record.
  document.dispatchEvent(new Event('visibilitychange'));
  await settled();
  expect(looks.mock.calls.length).toBe(before);
  expect(document.querySelector('.status .dot')).toBeNull();
  await agent.appendEvents(id, [begins(), calls('c1', 'Bash', { command: 'make' })]);
  await expect.element(page.getByText('Running', { exact: true })).toBeVisible();
  await agent.appendEvents(id, [ends()]);
  await expect.element(page.getByText('Ended without a result')).toBeVisible();
});

it('[UI-2] shows the command of a call that has it as a list of words, as Codex does', async () => {
  const { id, agent, open } = await startStage();
  const words = { command: ['bash', '-lc', 'git push origin'] };
  await agent.appendEvents(id, [begins(), calls('c1', 'shell', words)]);
  open();
  await expect.element(page.getByText('git push origin')).toBeVisible();
});

it('[TL-5, TL-11] shows an open question, and the result of the call that asked it', async () => {
  const { id, agent, person, open, element } = await startStage();
  const questions = [
    { header: 'Env', question: 'Where?', options: [{ label: 'x' }, { label: 'y' }] },
  ];
  await agent.appendEvents(id, [begins(), calls('c1', 'Bash', { command: 'make deploy' })]);
  await agent.open(id, { kind: 'question', toolName: 'Bash', toolCallId: 'c1', questions });
  open();
  await expect.element(page.getByRole('article').getByText('Waiting for you')).toBeVisible();
  await expect.element(page.getByRole('group').getByText('Waiting for you')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await person.submitAnswers(id, 'c1', { '0': 'x' });
  await agent.appendEvents(id, [results('c1', 'deployed to x')]);
  await page.getByText('make deploy').click();
  await expect.element(page.getByText('deployed to x')).toBeVisible();
  expect(page.getByText('Waiting for you').elements()).toHaveLength(0);
});

it('[PEND-6] shows that the agent works, and not while a request is open', async () => {
  const { id, agent, owner, open } = await startStage();
  await agent.appendEvents(id, [begins()]);
  open();
  const dots = () => document.querySelector('.typing .dots');
  await expect.poll(dots).not.toBeNull();
  await expect.element(page.getByRole('status').getByText('Working')).toBeVisible();
  await agent.open(id, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'ls' },
    turnId: 't1',
  });
  await expect.poll(dots).toBeNull();
  await expect.element(page.getByRole('status').getByText('Waiting for you')).toBeVisible();
  await owner.cancelAll(id);
  await expect.poll(dots).not.toBeNull();
});

it('[LOG-5] streams text and replaces it without drawing anything else again or moving it', async () => {
  const { id, agent, wire, open } = await startStage();
  await agent.appendEvents(id, [begins(), modelText('First.', { turnId: 't1', responseId: 'r0' })]);
  open();
  await expect.element(page.getByText('First.')).toBeVisible();
  const first = document.querySelector('.markdown');
  const top = first?.getBoundingClientRect().top;
  for (const text of ['Sec', 'ond ', 'answer.'])
    wire.delta({ turnId: 't1', responseId: 'r1', text });
  await expect.element(page.getByText('Second answer.')).toBeVisible();
  const streamed = [...document.querySelectorAll('.markdown')].at(-1);
  await agent.appendEvents(id, [modelText('Second answer.')]);
  await settled();
  expect([...document.querySelectorAll('.markdown')]).toEqual([first, streamed]);
  expect(first?.getBoundingClientRect().top).toBe(top);
});

it('[LOG-5] keeps the streamed text of a stopped answer, and marks it', async () => {
  const { id, agent, wire, open } = await startStage();
  await agent.appendEvents(id, [begins()]);
  open();
  await expect.element(page.getByRole('status').getByText('Working')).toBeVisible();
  wire.delta({ turnId: 't1', responseId: 'r1', text: 'It was a ' });
  await expect.element(page.getByText('It was a')).toBeVisible();
  const streamed = document.querySelector('.markdown');
  const partial: AppendedEvent = {
    type: 'assistant_text',
    turnId: 't1',
    responseId: 'r1',
    payload: { text: 'It was a dark', partial: true },
  };
  await agent.appendEvents(id, [partial, ends({ reason: 'interrupted' })]);
  await expect.element(page.getByText('Stopped here', { exact: true })).toBeVisible();
  expect([...document.querySelectorAll('.markdown')]).toEqual([streamed]);
  expect(streamed?.textContent).toBe('It was a dark');
  expect(page.getByText('Stopped').elements()).toHaveLength(1);
});

it('follows the end, stays put for a reader further up, and returns on request', async () => {
  const { id, agent, open } = await startStage();
  const lines = (from: number) =>
    Array.from({ length: 20 }, (_, at) =>
      modelText(`Line ${from + at}\n\nand more`, { turnId: 't1', responseId: `r${from + at}` }),
    );
  await agent.appendEvents(id, [begins(), ...lines(0), ...lines(20)]);
  open();
  await expect.element(page.getByText('Line 39')).toBeVisible();
  await expect.poll(fromEnd).toBeLessThan(2);
  await agent.appendEvents(id, lines(40));
  await expect.element(page.getByText('Line 59').first()).toBeVisible();
  await expect.poll(fromEnd).toBeLessThan(2);

  scroller().scrollTop = 200;
  await expect.element(page.getByRole('button', { name: 'Newest' })).toBeVisible();
  const seen = scroller().scrollTop;
  await agent.appendEvents(id, lines(60));
  await settled();
  expect(scroller().scrollTop).toBe(seen);
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect.poll(fromEnd).toBeLessThan(2);
  await expect.element(page.getByText('Line 79').first()).toBeVisible();
});

it('unfolds in view, also at the end', async () => {
  const { id, agent, open } = await startStage();
  const lines = Array.from({ length: 30 }, (_, at) =>
    modelText(`Line ${at}`, { turnId: 't1', responseId: `r${at}` }),
  );
  const content = 'x\n'.repeat(12);
  await agent.appendEvents(id, [
    begins(),
    ...lines,
    { ...calls('c1', 'Write', { path: 'a.md', content }), responseId: 'r29' },
  ]);
  open();
  await expect.element(page.getByText('a.md')).toBeVisible();
  await expect.poll(fromEnd).toBeLessThan(2);
  const summary = page.getByText('a.md').element();
  const before = summary.getBoundingClientRect().top;
  await page.getByText('a.md').click();
  await expect.element(page.getByRole('heading', { name: 'Input' })).toBeVisible();
  await settled();
  expect(Math.abs(summary.getBoundingClientRect().top - before)).toBeLessThan(2);
  await expect.element(page.getByRole('button', { name: 'Newest' })).toBeVisible();
});

it('shows earlier rows on scrolling up, and keeps the position', async () => {
  const { id, agent, open } = await startStage();
  const events = Array.from({ length: 300 }, (_, at) =>
    modelText(`Line ${at}.`, { turnId: 't1', responseId: `r${at}` }),
  );
  await agent.appendEvents(id, [begins(), ...events]);
  open();
  await expect.element(page.getByText('Line 299.')).toBeVisible();
  expect(document.querySelectorAll('.row')).toHaveLength(30);
  const anchor = page.getByText('Line 270.').element();
  scroller().scrollTop = 0;
  const before = anchor.getBoundingClientRect().top;
  await expect.poll(() => document.querySelectorAll('.row').length).toBe(150);
  expect(Math.abs(anchor.getBoundingClientRect().top - before)).toBeLessThan(60);
});

it('points to open requests far above the end, and goes there', async () => {
  const { id, agent, open, element } = await startStage();
  await agent.open(id, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'ls' },
    toolCallId: 'c1',
    detached: true,
  });
  const events = Array.from({ length: 300 }, (_, at) =>
    modelText(`Line ${at}.`, { turnId: 't1', responseId: `r${at}` }),
  );
  await agent.appendEvents(id, [begins(), ...events]);
  open();
  await expect.element(page.getByText('Line 299.')).toBeVisible();
  expect(document.getElementById('interaction-c1~1')).toBeNull();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: '1 waiting for you further up' }).click();
  const card = () => document.getElementById('interaction-c1~1')?.getBoundingClientRect().top ?? -1;
  await expect.poll(card).toBeGreaterThan(0);
  expect(card()).toBeLessThan(innerHeight);
  expect(page.getByRole('button', { name: 'further up' }).elements()).toHaveLength(0);
});

it('[RUN-10] offers to retry only the last failed turn', async () => {
  const { id, agent, asked, open, element } = await startStage();
  await agent.appendEvents(id, [
    begins(),
    ends({ reason: 'error', message: 'The model is overloaded' }),
  ]);
  open();
  await expect.element(page.getByText('The model is overloaded')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(asked).toEqual([`retry ${id}`]);
  await agent.appendEvents(id, [begins('t2'), ends({}, 't2')]);
  await expect
    .poll(() => page.getByRole('button', { name: 'Try again' }).elements())
    .toHaveLength(0);
});

it('[UI-10] has a heading above an agent that writes first, and at the start of the rows', async () => {
  const { id, agent, person, open, element } = await startStage();
  const levels = () =>
    [...element.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(
      ({ tagName, textContent }) => `${tagName} ${textContent}`,
    );
  await agent.appendEvents(id, [
    { type: 'turn_started', turnId: 't1', payload: { title: 'Nightly <b>build</b>\u202E' } },
    modelText('# Plan\n\n### Step'),
    ends(),
    begins('t2'),
    modelText('#### Deep', { turnId: 't2', responseId: 'r2' }),
    ends({}, 't2'),
  ]);
  await person.sendMessage(id, 'Go on').routed;
  await agent.appendEvents(id, [
    begins('t3'),
    modelText('## Done', { turnId: 't3', responseId: 'r3' }),
    calls('c1', 'Bash', { command: 'ls' }),
  ]);
  open();
  await expect.element(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  expect(levels()).toEqual([
    'H1 Move the notes',
    String.raw`H2 Nightly <b>build</b>\u202E`,
    'H3 Plan',
    'H4 Step',
    'H2 The agent',
    'H3 Deep',
    'H2 ada wrote',
    'H3 Done',
  ]);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  // In a long conversation the message above these rows is not drawn.
  const more = Array.from({ length: 80 }, (_, at) =>
    modelText(`### Line ${at}`, { turnId: 't3', responseId: `more${at}` }),
  );
  await agent.appendEvents(id, more);
  open();
  await expect.element(page.getByRole('heading', { name: 'Line 79' })).toBeVisible();
  await expect.poll(() => levels()[1]).toMatch(/^H2 /);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[UI-11] shows a hostile log as literal text', async () => {
  const { id, agent, open, element } = await startStage();
  const nasty = '<img src=x onerror="window.pwned=1"> \u202Eevil';
  await agent.appendEvents(id, [
    begins(),
    modelText(nasty),
    calls('c1', nasty, { path: nasty, [nasty]: nasty }),
    results('c1', nasty),
    { type: 'error', turnId: 't1', payload: { message: nasty } },
    { type: 'thinking', turnId: 't1', payload: { text: nasty } },
    ends({ reason: 'error', message: nasty }),
  ]);
  open();
  await expect.element(page.getByText('Thoughts')).toBeVisible();
  for (const summary of element.querySelectorAll('summary')) summary.click();
  await settled();
  expect(element.querySelectorAll('img, script')).toHaveLength(0);
  expect(element.textContent).not.toContain('\u202E');
  expect(Reflect.get(window, 'pwned')).toBeUndefined();
});
