/** What people see who see otherwise: a zoomed page, the colors of the system, more contrast, and the smallest window. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { newPerson, SMALL_PHONE, ZOOMED } from './stage/browser.ts';
import { checkPage, turnsAround } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const COMMAND = {
  kind: 'approval',
  toolName: 'Bash',
  input: { command: 'make deploy' },
  offers: ['once', 'session'],
};

/** Style properties of the first element that fits. */
const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

story('no screen is wider than 320 pixels', async ({ server, agent }) => {
  const person = await newPerson(SMALL_PHONE);
  await agent.asks(await agent.opensSession('For the smallest window'), COMMAND);
  await person.opens(`${server.url}/#token=nothing`);
  await person.sees('This link does not work');
  await checkPage(person, 'a dead link at 320 pixels');
  person.allowsProblems(/401/);
  await person.opens('about:blank');
  await person.opens(`${server.url}/#token=${server.adminKey}`);
  await person.sees('Scenarios to try');
  const settings = [
    ['alerts', 'Sound and badge'],
    ['appearance', 'Language'],
    ['devices', 'Devices and tokens'],
    ['connect', 'Which agent?'],
    ['people', 'Groups'],
    ['targets', 'Add target'],
    ['rules', 'New rule'],
    ['status', 'Waiting now'],
    ['keys', 'Create key'],
    ['audit', 'Export CSV'],
    ['defaults', 'Time to answer'],
    ['retention', 'Days after the last event'],
    ['workspaces', 'Create workspace'],
  ] as const;
  for (const [section, seen] of settings) {
    await person.opens(`${server.url}/#settings=${section}`);
    await person.sees(person.page.locator('.settings').getByText(seen));
    const wide = await person.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([section, wide]).toEqual([section, 0]);
    const link = person.page.locator('.settings-sections [aria-current]');
    await person.seesInWindow(link);
  }
  await checkPage(person, 'the workspaces at 320 pixels');
  await person.opens(`${server.url}/inbox#tab=history`);
  await person.sees(person.page.getByRole('link', { name: 'History' }));
  await checkPage(person, 'the history at 320 pixels');
  await leavesWithoutProblems(person);
});

story(
  'at 200 % zoom a card has the window, and the head scrolls away',
  async ({ server, agent }) => {
    const person = await newPerson(ZOOMED);
    const session = await agent.opensSession('Zoomed');
    await agent.asks(session, COMMAND);
    await person.opens(`${server.link}&session=${session}`);
    const card = person.card(/Bash/);
    await person.sees(card);
    const shown = await card.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.min(bottom, innerHeight) - Math.max(top, 0);
    });
    // It was 58 % of the window that head and composer took.
    expect(shown).toBeGreaterThan(0.6 * 400);
    await person.presses('Deny…');
    await person.sees('Reason (optional, shown to the agent)');
    await checkPage(person, 'a denial at 200 % zoom');
    await leavesWithoutProblems(person);
  },
);

story(
  'the colors of the system say what is chosen, current and waiting',
  async ({ server, agent }) => {
    const person = await newPerson({ forcedColors: 'active' });
    const session = await agent.opensSession('In the colors of the system');
    await agent.asks(session, COMMAND);
    await person.opens(`${server.link}&session=${session}`);
    const { page } = person;
    await person.sees(person.working('Approve'));
    await person.sees(page.locator('.session-row[aria-current] .waits'));
    expect(await styleOf(page, '.session-row[aria-current]', 'outline-style')).toBe('solid');
    expect(await styleOf(page, '.waits', 'border-top-style')).toBe('solid');
    expect(await styleOf(page, '.card.open', 'border-top-width')).toBe('2px');
    expect(await styleOf(page, '.command', 'border-top-style')).toBe('solid');
    await person.opens(`${server.url}/inbox`);
    await person.sees(page.locator('.inbox-row').first());
    expect(await styleOf(page, '.inbox-tabs [aria-current]', 'outline-style')).toBe('solid');
    await leavesWithoutProblems(person);
  },
);

story('a wish for more contrast is followed', async ({ server, agent }) => {
  const session = await agent.opensSession('With more contrast');
  await agent.asks(session, COMMAND);
  const person = await newPerson({ contrast: 'more', colorScheme: 'light' });
  await person.opens(`${server.link}&session=${session}`);
  await person.sees(person.working('Approve'));
  expect(await styleOf(person.page, 'body', 'color')).toBe('rgb(0, 0, 0)');
  expect(await styleOf(person.page, '.card-kind', 'color')).toBe('rgb(90, 53, 0)');
  await checkPage(person, 'a card with more contrast');
  await leavesWithoutProblems(person);
});

const QUESTION = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  questions: [
    { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
  ],
};
const PLAN = {
  kind: 'plan_review',
  toolName: 'ExitPlanMode',
  plan: '# Move\n\n1. Copy\n2. Switch',
};
const FORM = {
  kind: 'form',
  toolName: 'Provision',
  schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name' },
      region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
      backup: { type: 'boolean', title: 'Backups' },
    },
  },
};
const EDIT = {
  kind: 'approval',
  toolName: 'Edit',
  input: { file_path: 'src/limits.ts', old_string: 'a\nb', new_string: 'a\nc' },
  allowEdit: true,
};
const CHOICE = {
  kind: 'approval',
  toolName: 'Deploy',
  input: { to: 'production' },
  choices: [
    { id: 'go', label: 'Go ahead', decision: 'approve' },
    { id: 'no', label: 'Not now', decision: 'deny' },
  ],
};
const LINK = {
  kind: 'link',
  toolName: 'Login',
  url: 'https://example.com/login',
  message: 'Sign in',
};
const KINDS = { COMMAND, EDIT, CHOICE, QUESTION, PLAN, FORM, LINK };

for (const [size, device] of [
  ['1280', {}],
  ['320', SMALL_PHONE],
] as const)
  story(
    `every main screen is in order from right to left, ${size}`,
    { timeout: 180_000 },
    async ({ server, agent }) => {
      const person = await newPerson(device);
      await person.opens(`${server.url}/#token=${server.adminKey}`);
      await person.sees('Scenarios to try');
      await turnsAround(person);
      await checkPage(person, 'the first screen from right to left');
      for (const [name, request] of Object.entries(KINDS)) {
        const session = await agent.opensSession(`Right to left, ${name}`);
        const id = await agent.asks(session, request);
        const card = person.page.locator(`.card.open[data-interaction="${id}"] :is(button, a)`);
        await person.opens(`${server.url}/#session=${session}`);
        await person.sees(card);
        await turnsAround(person);
        await checkPage(person, `${name} from right to left`);
        await person.opens(`${server.url}/inbox#session=${session}&interaction=${id}`);
        await person.sees(person.page.locator('.inbox-shown').locator(card));
        await turnsAround(person);
        await checkPage(person, `${name} in the inbox from right to left`);
      }
      for (const section of ['own', 'people', 'rules', 'targets', 'keys', 'audit', 'defaults']) {
        await person.opens(`${server.url}/#settings=${section}`);
        await person.sees(person.page.locator('.settings-content > :not(nav, header)').first());
        await turnsAround(person);
        await checkPage(person, `the settings, ${section}, from right to left`);
      }
      await leavesWithoutProblems(person);
    },
  );
