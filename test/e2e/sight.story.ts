/** What people see who see otherwise: a zoomed page, the colors of the system, more contrast, and the smallest window. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { newPerson, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
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
    const person = await newPerson({ viewport: { width: 640, height: 400 } });
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
