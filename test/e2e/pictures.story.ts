/**
 * The pictures of the README, with sample work that is the same each time.
 *
 * They use the fonts of the machine; look at them before you commit them.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { type Agent, agentOf } from './stage/agent.ts';
import { PHONE, newPerson } from './stage/browser.ts';
import { othersWait, showWaitingRelease } from './stage/sample-work.ts';
import type { Person } from './stage/person.ts';
import { type Holdpoint, startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const FOLDER = path.join(ROOT, 'docs/images');
const DESK = { viewport: { width: 1280, height: 900 } };
const MAX_BYTES = 200 * 1024;

story('pictures are taken', { timeout: 180_000 }, async () => {
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  try {
    await firstScreen(await visitor(holdpoint, agent));
    await othersWait(agent);
    const release = await agent.opensSession('Release 2.4');
    const ada = await visitor(holdpoint, agent, release);
    await showWaitingRelease(ada, agent, release);
    await leavesWithoutProblems(ada);
    const chat = await visitor(holdpoint, agent, release, DESK);
    await isReady(chat);
    await take(chat.page, 'chat-light');
    await take(chat.page, 'chat-dark', 'dark');
    await take(chat.card(/^Bash/), 'approval');
    await leavesWithoutProblems(chat);
    const phone = await visitor(holdpoint, agent, release, PHONE);
    await isReady(phone);
    await take(phone.page, 'chat-phone');
    await leavesWithoutProblems(phone);

    for (const [name, options] of [
      ['inbox-light', DESK],
      ['inbox-phone', PHONE],
    ] as const) {
      const person = await newPerson(options);
      // A headless browser refuses notifications before the page can ask.
      await person.page.addInitScript(() =>
        Object.defineProperty(Notification, 'permission', { value: 'default' }),
      );
      const token = new URL(await agent.linkFor('ada')).hash;
      await person.opens(`${holdpoint.url}/inbox${token}`);
      await person.sees('5 waiting');
      // On a phone the list is a page of its own.
      if (options === DESK) await isReady(person);
      await take(person.page, name);
      await leavesWithoutProblems(person);
    }
  } finally {
    await holdpoint.stop();
  }
});

async function visitor(
  { url }: Holdpoint,
  agent: Agent,
  session?: string,
  options: Parameters<typeof newPerson>[0] = {},
): Promise<Person> {
  const person = await newPerson(options);
  const token = new URL(await agent.linkFor('ada')).hash;
  await person.opens(`${url}/${token}${session === undefined ? '' : `&session=${session}`}`);
  return person;
}

async function firstScreen(person: Person): Promise<void> {
  await person.sees('Scenarios to try');
  await take(person.page, 'first-screen');
  await leavesWithoutProblems(person);
}

async function isReady(person: Person): Promise<void> {
  await person.sees(person.working('Approve'));
  await person.seesNoMore('The agent is offline');
}

async function take(what: Page | Locator, name: string, colorScheme?: 'dark'): Promise<void> {
  const page = 'page' in what ? what.page() : what;
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
  await page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  );
  // The only texts that differ between runs.
  await page
    .locator('.settled-line time, .freshness time, .inbox-shown-head time')
    .evaluateAll((all) => {
      for (const time of all)
        time.textContent = time.closest('.freshness') ? 'just now' : 'Nov 18, 2026, 9:41 AM';
    });
  const file = path.join(FOLDER, `${name}.png`);
  await what.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  expect(statSync(file).size, file).toBeLessThan(MAX_BYTES);
}
