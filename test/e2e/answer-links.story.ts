/**
 * Answer links in a browser without JavaScript, on the smallest phone: every kind, from the link to the recorded answer.
 *
 * A bug here looks like a page that needs a script, a field that a screen reader cannot name, or text beyond the edge.
 */
import type { Response } from 'playwright';
import { expect, inject } from 'vitest';
import type { JsonObject } from '../../src/protocol/types.ts';
import type { Agent } from './stage/agent.ts';
import { newPerson, SMALL_PHONE, ZOOMED } from './stage/browser.ts';
import { checkPage as check, turnsAround } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const LONG = Array.from({ length: 60 }, (_, line) => `step ${line}: build, check and copy`).join(
  '\n',
);

const lastPages = new WeakMap<Person, Response>();

/** The page of a link to a new request, on a phone without scripts. */
async function opensLink(agent: Agent, request: JsonObject, answers?: readonly string[]) {
  const session = await agent.opensSession('By a link');
  const id = await agent.asks(session, request);
  const { url, adminKey } = inject('server');
  const response = await fetch(`${url}/v1/sessions/${session}/interactions/${id}/links`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ subject: 'mia', ...(answers && { answers }) }),
  });
  const { url: address } = (await response.json()) as { url: string };
  const person = await newPerson({ ...SMALL_PHONE, javaScriptEnabled: false });
  person.page.on('response', (response) => {
    if (response.request().isNavigationRequest()) lastPages.set(person, response);
  });
  await person.opens(address);
  return { person, outcome: () => agent.receivesOutcome(session, id), session, id };
}

/** The checks are scripts: they look at the same response in a window that runs them. */
async function checkPage(person: Person, state: string): Promise<void> {
  const response = lastPages.get(person);
  if (response === undefined) throw new Error('No page was opened');
  const [url, body, headers] = [response.url(), await response.text(), response.headers()];
  const copy = await newPerson(SMALL_PHONE);
  await copy.page.route(url, (route) => route.fulfill({ status: 200, headers, body }));
  await copy.opens(url);
  await check(copy, state);
  // Also with everything unfolded.
  for (const summary of await copy.page.locator('summary').all()) await copy.unfolds(summary);
  await check(copy, `${state}, unfolded`);
  await turnsAround(copy);
  await check(copy, `${state}, from right to left`);
  await copy.page.setViewportSize(ZOOMED.viewport);
  await check(copy, `${state}, zoomed and from right to left`);
  await leavesWithoutProblems(copy);
}

/** The browser reports each page with the status of a refusal. */
async function leaves(person: Person): Promise<void> {
  person.allowsProblems(/status of 4(09|22)/);
  await leavesWithoutProblems(person);
}

async function reads({ page }: Person, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

story('an approval with a long input is approved once it was read', async ({ agent }) => {
  const { person, outcome } = await opensLink(
    agent,
    {
      kind: 'approval',
      toolName: 'Bash',
      input: { command: LONG, cwd: '/srv/\u202Egnol' },
      description: 'Builds the release.',
      offers: ['once', 'session'],
    },
    ['approve', 'deny', 'allow_for_session'],
  );
  await checkPage(person, 'an approval');
  expect(await person.page.getByText('step 30').filter({ visible: true }).count()).toBe(0);
  await person.presses('Approve');
  await reads(person, 'Open all of the input');
  await checkPage(person, 'an approval that was not read');
  await person.unfolds('Show all');
  await reads(person, 'step 30');
  await person.chooses(person.page.getByLabel('I have read all of the input').first());
  await person.presses('Approve');
  await reads(person, 'Your answer is recorded');
  await checkPage(person, 'an approved request');
  expect(await outcome()).toMatchObject({
    outcome: 'approved',
    settledBy: { subject: 'mia', via: 'link' },
  });
  await person.reloads();
  await reads(person, 'Approved');
  await leaves(person);
});

story('a tool is denied with a reason', async ({ agent }) => {
  const { person, outcome } = await opensLink(agent, {
    kind: 'approval',
    toolName: 'Deploy',
    input: { to: 'production' },
  });
  await person.unfolds('Deny…');
  await person.writes(/Reason/, 'Not on a Friday');
  await checkPage(person, 'a denial');
  await person.presses('Deny');
  await reads(person, 'Not on a Friday');
  await checkPage(person, 'a denied request');
  expect(await outcome()).toMatchObject({ outcome: 'denied', reason: 'Not on a Friday' });
  await leaves(person);
});

story('all questions are on one page', async ({ agent }) => {
  const { person, outcome } = await opensLink(agent, {
    kind: 'question',
    toolName: 'AskUserQuestion',
    questions: [
      {
        header: 'Color',
        question: 'Which color should the button have?',
        options: [
          { label: 'Red', description: 'As the old one' },
          { label: 'Green', preview: '#0a5f45' },
        ],
      },
      {
        header: 'Sizes',
        question: 'Which sizes are needed?',
        multiSelect: true,
        options: [{ label: 'Small' }, { label: 'Large' }],
      },
    ],
  });
  await checkPage(person, 'questions');
  await person.chooses(person.page.getByRole('radio', { name: 'Green' }));
  await person.presses('Submit');
  await reads(person, 'Choose an answer.');
  await checkPage(person, 'questions, one without an answer');
  expect(await person.page.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true);
  await person.chooses(person.page.getByRole('checkbox', { name: 'Large' }));
  await person.writes('Your own answer to: Which sizes are needed?', 'Tiny');
  await person.presses('Submit');
  await reads(person, 'Selected: Large, Tiny');
  await checkPage(person, 'answered questions');
  expect(await outcome()).toMatchObject({ answers: { '0': 'Green', '1': ['Large', 'Tiny'] } });
  await leaves(person);
});

story('a plan gets feedback', async ({ agent }) => {
  const { person, outcome } = await opensLink(agent, {
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan: '# Move the data\n\n1. Copy the tables\n2. Switch over\n',
  });
  await checkPage(person, 'a plan');
  await person.presses('Approve the plan');
  await reads(person, 'Choose how to go on.');
  await person.unfolds('Request changes…');
  await person.writes(/What should change/, 'Check the copy first');
  await person.presses('Send feedback');
  await reads(person, 'Changes requested');
  await checkPage(person, 'a plan that was sent back');
  expect(await outcome()).toMatchObject({ outcome: 'denied', reason: 'Check the copy first' });
  await leaves(person);
});

story('a form keeps what was typed, and has every type of field', async ({ agent }) => {
  const { person, outcome } = await opensLink(agent, {
    kind: 'form',
    toolName: 'Provision',
    title: 'A new machine',
    description: 'Needed for the release.',
    schema: {
      type: 'object',
      required: ['name', 'count', 'region', 'backup'],
      properties: {
        name: { type: 'string', title: 'Name', minLength: 3, maxLength: 20 },
        count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
        region: {
          type: 'string',
          title: 'Region',
          enum: ['eu', 'us'],
          enumNames: ['Europe', 'USA'],
        },
        backup: { type: 'boolean', title: 'Backups', description: 'Each night' },
        contact: { type: 'string', title: 'Contact', format: 'email' },
        day: { type: 'string', title: 'First day', format: 'date' },
        at: { type: 'string', title: 'Starts at', format: 'date-time' },
        tags: { type: 'array', title: 'Tags', items: { enum: ['web', 'db', 'test'] }, maxItems: 2 },
      },
    },
  });
  const { page } = person;
  await checkPage(person, 'an empty form');
  await person.writes(page.getByLabel('Name'), 'db-1');
  await person.writes(page.getByLabel('How many'), 'ten');
  await person.selects(page.getByLabel('Region'), 'Europe');
  await person.chooses(page.getByLabel('No', { exact: true }));
  await person.writes(page.getByLabel('Contact'), 'mia');
  await person.writes(page.getByLabel('First day'), '2026-11-20');
  await person.writes(page.getByLabel('Starts at'), '2026-11-20T09:30');
  await person.chooses('web');
  await person.presses('Submit');
  await reads(person, 'Use a whole number');
  await checkPage(person, 'a form with errors');
  expect(await page.getByLabel('How many').inputValue()).toBe('ten');
  await person.writes(page.getByLabel('How many'), '2');
  await person.presses('Submit');
  await page.locator('.field-error').first().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('db-1');
  await person.writes(page.getByLabel('Contact'), 'mia@example.com');
  await person.presses('Submit');
  await reads(person, 'Answered');
  await checkPage(person, 'a form that was sent');
  expect(await outcome()).toMatchObject({
    values: {
      name: 'db-1',
      count: 2,
      region: 'eu',
      backup: false,
      contact: 'mia@example.com',
      day: '2026-11-20',
      at: '2026-11-20T09:30:00.000Z',
      tags: ['web'],
    },
  });
  await leaves(person);
});

story(
  'after a change of the request the link shows the change and answers nothing',
  async ({ agent }) => {
    const request = {
      kind: 'approval',
      toolCallId: 'call',
      toolName: 'Bash',
      input: { command: 'ls build' },
    };
    const { person, session } = await opensLink(agent, request);
    await agent.asks(session, { ...request, input: { command: 'rm -rf build' } });
    await person.presses('Approve');
    await reads(person, 'The agent changed its request');
    await reads(person, 'rm -rf build');
    await checkPage(person, 'a changed request');
    expect(await agent.isOpen(session, 'call~2')).toBe(true);
    await leaves(person);
  },
);
