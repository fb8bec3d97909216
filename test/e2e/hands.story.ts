/** Ways of using the page: keyboard only, a screen reader, a finger on the smallest phone. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { SMALL_PHONE, newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

/** Presses Tab until the element has the focus, a limited number of times. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true });
  for (let times = 0; times < 60; times += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluateAll((all) => all.some((one) => one === document.activeElement)))
      return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

story('a scenario is begun and approved with the keyboard alone', async ({ person }) => {
  const { keyboard } = person.page;
  await person.sees('Scenarios to try');
  // The list of sessions may be long.
  await tabTo(person.page, 'Skip to the page');
  await keyboard.press('Enter');
  await tabTo(person.page, 'Approve a file The agent writes a file, if you let it.');
  await keyboard.press('Enter');
  await person.sees(person.working('Approve'));
  await keyboard.press('Escape');
  await tabTo(person.page, 'Deny…');
  await keyboard.press('Enter');
  await keyboard.type('Not yet');
  // Esc cancels and decides nothing.
  await keyboard.press('Escape');
  await person.sees(person.button('Deny…'));
  await person.sees('Waiting for you');
  await tabTo(person.page, 'Approve');
  await keyboard.press('Escape');
  await person.sees('Waiting for you');
  await keyboard.press('Enter');
  await person.sees('by you');
  await person.sees('Done. The tool reported');
});

story('a question is answered with digits and Enter', async ({ person }) => {
  const { keyboard } = person.page;
  await person.begins('Answer questions');
  await person.page.getByRole('radio', { name: 'SQLite' }).focus();
  await keyboard.press('2');
  await keyboard.press('Enter');
  await person.sees('Choose all that apply.');
  await keyboard.press('1');
  await keyboard.press('3');
  await keyboard.press('Enter');
  await person.sees('Selected: PostgreSQL');
  await person.sees('Selected: Tests, Format');
});

story('Approve works a moment after it appeared, and no sooner', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('Armed');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await person.sees('To the agent');
  // Measured in the page: a check from outside may come too late.
  await person.page.evaluate(() => {
    new MutationObserver((_changes, observer) => {
      const all = [...document.querySelectorAll<HTMLButtonElement>('.card button')];
      const approve = all.find(({ textContent }) => textContent === 'Approve');
      if (approve === undefined) return;
      observer.disconnect();
      document.body.dataset['wasArmed'] = String(approve.ariaDisabled !== 'true');
      approve.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await agent.asks(session, { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
  await person.sees(person.page.locator('body[data-was-armed=false]'));
  await person.sees(person.working('Approve'));
  await person.sees('Waiting for you');
  await person.presses('Approve');
  await person.sees('by you');
  await leavesWithoutProblems(person);
});

story('a screen reader announces the position, the request and the outcome', async ({ person }) => {
  await person.sees('Scenarios to try');
  const heard = () => person.page.locator('body').ariaSnapshot();
  expect(await heard()).toMatch(
    /navigation "Sessions":.*main:.*heading "What should the agent do\?" \[level=1\]/s,
  );
  await person.begins('Approve a file');
  await person.sees(person.working('Approve'));
  const open = await heard();
  for (const said of [
    'heading "Approve a file" [level=1]',
    'status: Waiting for you',
    'region "Conversation"',
    'article "Write hello.md"',
    'group "Input of Write"',
    'button "Approve"',
    'button "Deny…"',
    'textbox "Message"',
    'button "Session settings"',
    'link "Inbox',
  ])
    expect(open).toContain(said);
  // Every name is text, not an icon.
  expect(open).not.toMatch(/- (button|link|textbox|checkbox|radio)(:| \[|$)/m);
  await person.presses('Session settings');
  await person.sees(person.page.getByRole('dialog', { name: 'Session settings' }));
  await checkPage(person, 'about a session');
  await person.page.keyboard.press('Escape');
  await person.sees('Waiting for you');
});

story('320 pixels are enough for every scenario', async ({ server }) => {
  const person = await newPerson(SMALL_PHONE);
  await person.opens(server.link);
  await person.sees('Scenarios to try');
  await checkPage(person, 'the first screen at 320 pixels');
  for (const [scenario, seen] of [
    ['Answer questions', 'Which database should the sketch use?'],
    ['Correct its work', 'we meet on Thurzday'],
    ['Review a plan', 'How should the agent go on?'],
  ] as const) {
    await person.begins(scenario);
    await person.sees(seen);
    await checkPage(person, `${scenario} at 320 pixels`);
    await person.presses('Sessions');
    await person.follows('New session', person.page.getByRole('dialog'));
    await person.sees('Scenarios to try');
  }
  await person.opens(`${server.url}/inbox`);
  await person.sees(person.page.getByRole('heading', { name: 'Inbox' }));
  await person.sees(person.page.locator('.inbox-row').first());
  await checkPage(person, 'the inbox at 320 pixels');
  await leavesWithoutProblems(person);
});
