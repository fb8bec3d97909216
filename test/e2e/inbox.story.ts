/** All open requests in one place. A bug looks like an inbox that is empty while an agent waits. */
import { expect } from 'vitest';
import type { JsonObject } from '../../src/protocol/types.ts';
import { newPerson, PHONE, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { type Holdpoint, startHoldpoint } from './stage/start-holdpoint.ts';
import { type Agent, agentOf } from './stage/agent.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });
const QUESTION = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  questions: [
    {
      header: 'Color',
      question: 'Which color should the door have?',
      options: [{ label: 'Green' }, { label: 'Blue' }],
    },
  ],
};
const PLAN = { kind: 'plan_review', toolName: 'ExitPlanMode', plan: '# Paint\n\n1. Sand it.\n' };
const FORM = {
  kind: 'form',
  toolName: 'elicit',
  title: 'The size of the door',
  schema: {
    type: 'object',
    properties: { width: { type: 'number', title: 'Width' } },
    required: ['width'],
  },
};

const TIMEOUT = { timeout: 180_000 };

/** A server of its own: open requests of other stories would be counted. */
async function onOwnServer(
  play: (holdpoint: Holdpoint, agent: Agent) => Promise<void>,
): Promise<void> {
  const holdpoint = await startHoldpoint();
  try {
    await play(holdpoint, agentOf(holdpoint));
  } finally {
    await holdpoint.stop();
  }
}

async function entersInbox({ url }: Holdpoint, agent: Agent, person: Person, fragment = '') {
  const token = new URL(await agent.linkFor('ada')).hash;
  await person.opens(`${url}/inbox${token}${fragment}`);
}

/** The row of a session, and its request beside the list. */
const row = ({ page }: Person, title: string) => page.locator('.inbox-line', { hasText: title });
const showsWhole = (person: Person, title: string) =>
  person.sees(person.page.locator('.inbox-session', { hasText: title }));

/** Approve has woken: the input was in view, and nothing has moved. */
async function wakes({ page }: Person): Promise<void> {
  await expect
    .poll(() => page.locator('[data-key="a"]:enabled:not([aria-disabled])').count())
    .toBeGreaterThan(0);
}

story('a request appears, is answered in place, and leaves', TIMEOUT, () =>
  onOwnServer(async (holdpoint, agent) => {
    const person = await newPerson();
    await entersInbox(holdpoint, agent, person);
    await person.sees('You’re all caught up');
    await checkPage(person, 'an empty inbox');

    const door = await agent.opensSession('Paint the door');
    const color = await agent.asks(door, QUESTION);
    await person.sees(person.page.getByRole('radio', { name: 'Green' }));
    await expect.poll(() => person.page.title()).toBe('(1) Inbox · Holdpoint');
    await agent.asks(door, PLAN);
    await person.sees('2 waiting');
    await checkPage(person, 'an inbox with a question and a plan');
    await person.chooses('Green');
    await person.presses('Submit');
    await person.sees('Selected: Green');
    expect(await agent.receivesOutcome(door, color)).toMatchObject({ answers: { 0: 'Green' } });

    // Settled elsewhere: the row is marked in place, and cleared on request.
    const yard = await agent.opensSession('Clean the yard');
    const shed = await agent.asks(yard, bash('burn shed'));
    await person.follows(row(person, 'Clean the yard'));
    await person.sees(person.card('Bash burn shed'));
    await agent.answers(yard, shed, { decision: 'deny', reason: 'It is a good shed.' });
    await person.sees(person.card('Bash burn shed').getByText('Denied'));
    await person.sees(person.card('Bash burn shed').getByText('by admin'));
    await checkPage(person, 'an inbox with some that are done');
    await person.presses('Clear 2 done');
    await person.seesNoMore(row(person, 'Clean the yard'));

    // One page with the sessions: the way there and back loads nothing anew.
    await person.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await person.follows(row(person, 'Paint the door'));
    await person.follows('Open in its session');
    await person.sees(person.page.getByRole('heading', { level: 1, name: 'Paint the door' }));
    await person.sees(person.card('Review the plan'));
    await person.follows(/^Inbox/);
    await person.sees('1 waiting');
    await person.page.goBack();
    await person.sees(person.card('Review the plan'));
    expect(await person.page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
    await leavesWithoutProblems(person);
  }),
);

story('[BOX-1] a day of decisions by keyboard alone', TIMEOUT, () =>
  onOwnServer(async (holdpoint, agent) => {
    const asked: [string, string][] = [];
    const asks = async (title: string, timeoutSeconds: number, request: JsonObject) => {
      const session = await agent.opensSession(title);
      asked.push([session, await agent.asks(session, { ...request, timeoutSeconds })]);
    };
    await asks('One', 1_000, bash('npm ci'));
    await asks('Two', 2_000, bash('npm publish'));
    await asks('Three', 3_000, QUESTION);
    await asks('Four', 4_000, PLAN);
    await asks('Five', 5_000, FORM);
    const person = await newPerson();
    await entersInbox(holdpoint, agent, person);
    const { keyboard } = person.page;
    await showsWhole(person, 'One');
    await wakes(person);
    await keyboard.press('a');
    await person.sees(person.card('Bash npm ci').getByText('Approved'));
    await keyboard.press('j');
    await showsWhole(person, 'Two');
    await person.sees(person.button('Deny…'));
    await keyboard.press('d');
    await keyboard.type('Not before Friday');
    await keyboard.press('Enter');
    await person.sees(person.card('Bash npm publish').getByText('Denied'));
    await keyboard.press('j');
    await person.sees(person.page.getByRole('radio', { name: 'Blue' }));
    await keyboard.press('Enter');
    await keyboard.press('2');
    await keyboard.press('Enter');
    await person.sees('Selected: Blue');
    await keyboard.press('j');
    await person.sees(person.page.getByRole('radio', { name: /ask before each edit/ }));
    await checkPage(person, 'a plan in the inbox');
    await keyboard.press('Enter');
    await keyboard.press('3');
    await person.sees(person.working('Approve the plan'));
    await keyboard.press('Enter');
    await person.sees('1 waiting');
    await keyboard.press('j');
    const width = person.page.getByRole('textbox', { name: 'Width' });
    await person.sees(width);
    await checkPage(person, 'a form in the inbox');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await expect.poll(() => width.evaluate((one) => one === document.activeElement)).toBe(true);
    await keyboard.type('90');
    await keyboard.press('Enter');
    await person.sees('Nothing waiting');
    const outcomes = [];
    for (const [session, id] of asked)
      outcomes.push((await agent.receivesOutcome(session, id)).outcome);
    expect(outcomes).toEqual(['approved', 'denied', 'answered', 'approved', 'answered']);
    await leavesWithoutProblems(person);
  }),
);

story('[BOX-3] forty alike in forty sessions, in under six presses', TIMEOUT, () =>
  onOwnServer(async (holdpoint, agent) => {
    const asked: [string, string][] = [];
    for (let at = 0; at < 40; at += 1) {
      const session = await agent.opensSession(`Service ${at}`);
      asked.push([session, await agent.asks(session, bash('npm test'))]);
    }
    const other = await agent.opensSession('Another');
    const publish = await agent.asks(other, bash('npm publish'));
    const person = await newPerson();
    await entersInbox(holdpoint, agent, person);
    const presses: string[] = [];
    const press = (key: string) => {
      presses.push(key);
      return person.page.keyboard.press(key);
    };
    await showsWhole(person, 'Service');
    await wakes(person);
    await checkPage(person, 'forty alike');
    await press('s');
    await person.sees('40 selected');
    await person.sees(person.working('Approve 40'));
    await checkPage(person, 'forty that are selected');
    await press('a');
    await person.sees('1 waiting');
    expect(presses.length).toBeLessThan(6);
    for (const [session, id] of asked)
      expect((await agent.receivesOutcome(session, id)).outcome).toBe('approved');
    expect(await agent.isOpen(other, publish)).toBe(true);
    await leavesWithoutProblems(person);
  }),
);

story('[BOX-2, BOX-4] a search is a link, and the history says what was decided', TIMEOUT, () =>
  onOwnServer(async (holdpoint, agent) => {
    const live = await agent.opensSession('Live', { labels: { env: 'live' } });
    await agent.asks(live, bash('npm publish'));
    const test = await agent.opensSession('Test');
    await agent.asks(test, bash('npm test'));
    const person = await newPerson();
    await entersInbox(holdpoint, agent, person);
    await showsWhole(person, 'Live');
    await person.page.keyboard.press('/');
    await person.page.keyboard.type('publish');
    await person.sees('1 of 2 shown');
    await person.presses('Filter');
    await person.writes('Label', 'env=live');
    await person.sees('1 of 2 shown');
    await checkPage(person, 'an inbox with filters');
    const { hash } = new URL(person.page.url());
    expect(hash).toContain('find=publish');

    const other = await newPerson();
    await entersInbox(holdpoint, agent, other, hash.replace('#', '&'));
    await other.sees('1 of 2 shown');
    await other.seesNoMore(row(other, 'Test'));
    await showsWhole(other, 'Live');
    await wakes(other);
    await other.page.keyboard.press('a');
    await other.sees('1 waiting');
    await other.follows('History');
    await other.sees(row(other, 'Live').getByText('Approved'));
    await other.follows(row(other, 'Live'));
    await other.sees(other.card('Bash npm publish').getByText('by you'));
    await checkPage(other, 'the history');
    await leavesWithoutProblems(other);
    await leavesWithoutProblems(person);
  }),
);

for (const [name, options] of [
  ['390', PHONE],
  ['320', SMALL_PHONE],
] as const)
  story(
    `[BOX-1] a phone of ${name} pixels: what waits comes first, then a page for each`,
    TIMEOUT,
    () =>
      onOwnServer(async (holdpoint, agent) => {
        const session = await agent.opensSession('Paint the door');
        const id = await agent.asks(session, bash('paint --color green'));
        const person = await newPerson(options);
        await person.opens(await agent.linkFor('ada'));
        await person.sees('1 request waits for you');
        await person.sees(person.page.locator('header .brand'));
        await checkPage(person, 'the start page with what waits');
        await person.follows(/1 request waits for you/);
        await person.sees(row(person, 'Paint the door'));
        await checkPage(person, 'the list on a phone');
        await person.follows(row(person, 'Paint the door'));
        await person.sees(person.working('Approve'));
        await checkPage(person, 'a request on a phone');
        await person.presses('Back to the list');
        await person.sees(row(person, 'Paint the door'));
        await person.follows(row(person, 'Paint the door'));
        await person.sees(person.working('Approve'));
        await person.presses('Approve');
        expect((await agent.receivesOutcome(session, id)).outcome).toBe('approved');
        await leavesWithoutProblems(person);
      }),
  );
