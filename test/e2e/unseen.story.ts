/**
 * A person decides only on what was on their screen.
 *
 * A bug looks like an Approve that can be pressed while the command, the end of the plan or the question
 * is somewhere else.
 */
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { SMALL_PHONE, newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const LOW = { viewport: { width: 640, height: 400 } };
/** Twice the arming time of Approve. */
const ARMED_MS = 1_500;

const COMMAND = 'sudo rm -rf / --no-preserve-root';
const BASH = {
  kind: 'approval',
  toolName: 'Bash',
  input: { command: COMMAND, cwd: '/srv/app', timeout: 60_000 },
  description: 'Cleans up what the last build left behind.\n\nIt is safe.\n\nIt is often done.',
};
const OLD = Array.from({ length: 13 }, (_, at) => `line ${at} of it`).join('\n');
const EDIT = {
  kind: 'approval',
  toolName: 'Edit',
  input: { file_path: 'src/pay.ts', old_string: OLD, new_string: OLD.replace('7', '8'), why: OLD },
};
const CELLS = Array.from({ length: 14 }, (_, at) => `Column${at}`);
const row = (cells: readonly string[]) => `|${cells.join('|')}|`;
const WIDE_PLAN = [
  '# Move the service',
  'Three steps, each of which can be undone, and none of which takes longer than a single night.',
  [row(CELLS), row(CELLS.map(() => '---')), row(CELLS.map((name) => `lengthy ${name}`))].join('\n'),
  'After that, everything is deleted.',
].join('\n\n');

const approveOf = (card: Locator) => card.getByRole('button', { name: /^Approve/ }).first();

for (const [size, options] of [
  ['on a small phone', SMALL_PHONE],
  ['at 200 % zoom on a laptop', LOW],
] as const) {
  story(`the command is on the screen before it can be approved, ${size}`, async ({ agent }) => {
    const person = await newPerson(options);
    const session = await agent.opensSession('Clean up');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const id = await agent.asks(session, BASH);
    const card = person.card(/^Bash/);
    // The top of the card is on the screen, with the command and the deadline.
    await person.seesInWindow(card.locator('.card-head'));
    await person.seesInWindow(card.locator('.command', { hasText: COMMAND }));
    await checkPage(person, `a command ${size}`);
    await person.reloads();
    await person.seesInWindow(card.locator('.card-head'));
    await person.reads(card);
    await person.presses('Approve', card);
    await person.sees(card.getByText('by you'));
    expect(await agent.receivesOutcome(session, id)).toMatchObject({ outcome: 'approved' });
    await leavesWithoutProblems(person);
  });
}

story('scrolling to the end of a long edit does not count as reading it', async ({ agent }) => {
  // Tab leads to Approve through the whole card, from its head.
  const person = await newPerson({}, 'mouse');
  const session = await agent.opensSession('Pay');
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}`).join('\n\n');
  await agent.appends(session, [
    { type: 'turn_started', turnId: 't' },
    { type: 'assistant_text', turnId: 't', payload: { text: lines } },
  ]);
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await person.sees('Line 39');
  const conversation = person.page.getByRole('region', { name: 'Conversation' });
  await person.scrolls(conversation, 'up');
  await person.sees(person.button('Newest'));
  const id = await agent.asks(session, EDIT);
  const card = person.card(/^Edit/);
  await person.sees(card);
  await person.presses('Newest');
  await person.seesInWindow(card.getByRole('button', { name: 'Approve' }));
  await person.page.waitForTimeout(ARMED_MS);
  await person.pressesHard(approveOf(card));
  await person.page.waitForTimeout(ARMED_MS);
  expect(await agent.isOpen(session, id)).toBe(true);
  // The press scrolls to the beginning; the head stays in sight at any scroll position.
  await person.seesInWindow(card.locator('.file-part').first());
  await person.seesInWindow(card.locator('.card-head'));
  await checkPage(person, 'a long edit');
  // The same with the keyboard: focus is not reading.
  await card.getByRole('button', { name: 'Approve' }).focus();
  await person.seesInWindow(card.locator('.card-head'));
  await person.reads(card);
  await person.presses('Approve', card);
  await person.sees(card.getByText('by you'));
  await leavesWithoutProblems(person);
});

for (const width of [768, 1280]) {
  story(`nothing of a plan is cut off at ${width} pixels`, async ({ agent }) => {
    const person = await newPerson({ viewport: { width, height: 1_000 } });
    const session = await agent.opensSession('Move');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const plan = { kind: 'plan_review', toolName: 'ExitPlanMode', plan: WIDE_PLAN };
    const id = await agent.asks(session, plan);
    const card = person.card('Review the plan');
    await person.sees(card.getByText('After that, everything is deleted.'));
    const cutOff = await card.evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      const parts = [...element.querySelectorAll('.plan, .plan p, .plan h3')];
      return parts.filter((one) => one.getBoundingClientRect().right > right).length;
    });
    expect(cutOff).toBe(0);
    await checkPage(person, `a plan with a wide table at ${width} pixels`);
    // The table is wider than the card: its far side must be seen before approval.
    await person.chooses(/Approve, ask before each edit/, card);
    await person.page.waitForTimeout(ARMED_MS);
    await person.pressesHard(approveOf(card));
    await person.page.waitForTimeout(ARMED_MS);
    expect(await agent.isOpen(session, id)).toBe(true);
    await person.reads(card);
    await person.presses('Approve the plan', card);
    await person.sees(card.getByText('by you'));
    await leavesWithoutProblems(person);
  });
}

story('a request that changes in view says so, and must be read again', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('Swapped');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await person.sees('To the agent');
  const ask = { kind: 'approval', toolName: 'Bash', toolCallId: 'c1' };
  await agent.asks(session, { ...ask, input: { command: 'make deploy', why: OLD, how: OLD } });
  const card = person.card(/^Bash/);
  await person.reads(card);
  await person.sees(person.working('Approve'));
  const id = await agent.asks(session, {
    ...ask,
    input: { command: 'make deploy --prod', why: OLD, how: OLD },
  });
  await person.sees('The agent changed its request.');
  await person.seesInWindow(card.locator('.changed'));
  await person.seesInWindow(card.locator('.command').first());
  await checkPage(person, 'a request that was changed');
  await person.pressesHard(approveOf(card));
  await person.page.waitForTimeout(ARMED_MS);
  expect(await agent.isOpen(session, id)).toBe(true);
  await person.reads(card);
  await person.presses('Approve', card);
  await person.sees(card.getByText('by you'));
  await leavesWithoutProblems(person);
});

const THREE = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  questions: ['Layout', 'Color', 'Region'].map((header) => ({
    header,
    question: `Which ${header.toLowerCase()}?`,
    options: [{ label: `${header} A` }, { label: `${header} B` }],
  })),
};

story('a message answers the question on the card, and keeps its choices', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('Three questions');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await person.sees('To the agent');
  const id = await agent.asks(session, THREE);
  const { keyboard } = person.page;
  for (const question of ['Which layout?', 'Which color?']) {
    await person.sees(person.page.getByRole('group', { name: question }));
    await keyboard.press('1');
    await keyboard.press('Enter');
  }
  await person.sees(person.page.getByRole('group', { name: 'Which region?' }));
  await person.sees('Answering “Which region?”');
  await checkPage(person, 'the last of three questions');
  await person.says('eu-north');
  expect(await agent.receivesOutcome(session, id)).toMatchObject({
    answers: { 0: 'Layout A', 1: 'Color A', 2: 'eu-north' },
  });
  await person.sees('Selected: Layout A');
  await person.sees('Selected: eu-north');
  await leavesWithoutProblems(person);
});

story(
  'many sessions with open requests do not push the app off the screen',
  { timeout: 120_000 },
  async () => {
    // A server of its own: so many sessions would disturb other stories.
    const holdpoint = await startHoldpoint();
    const agent = agentOf(holdpoint);
    try {
      for (let at = 0; at < 25; at += 1) {
        const session = await agent.opensSession(`Waiting ${at}`);
        await agent.asks(session, { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
      }
      const person = await newPerson();
      await person.opens(await agent.linkFor('ada'));
      await person.sees('Waiting 24');
      await person.sees(person.page.locator('.session-row .waits').last());
      const foot = person.button('Sign out');
      await person.scrolls(foot, 'to the end');
      await expect.poll(() => foot.isVisible()).toBe(true);
      expect(await person.page.evaluate(() => scrollY)).toBe(0);
      await checkPage(person, 'many sessions that wait');
      await leavesWithoutProblems(person);
    } finally {
      await holdpoint.stop();
    }
  },
);
