/**
 * The pictures of the README, with made-up work on them that is the same each time.
 *
 * They are drawn with the fonts of the machine; look at them before they are committed.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { JsonObject } from '../../src/client/words.ts';
import { type Agent, agentOf } from './stage/agent.ts';
import { PHONE, somebodyNew } from './stage/browser.ts';
import type { Person } from './stage/person.ts';
import { type Holdpoint, startHoldpoint } from './stage/start-holdpoint.ts';
import { endsWell, story } from './stage/story.ts';

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
    await releaseWaits(await visitor(holdpoint, agent, release), agent, release);
    const chat = await visitor(holdpoint, agent, release, DESK);
    await isReady(chat);
    await take(chat.page, 'chat-light');
    await take(chat.page, 'chat-dark', 'dark');
    await take(chat.card(/^Bash/), 'approval');
    await endsWell(chat);
    const phone = await visitor(holdpoint, agent, release, PHONE);
    await isReady(phone);
    await take(phone.page, 'chat-phone');
    await endsWell(phone);

    for (const [name, options] of [
      ['inbox-light', DESK],
      ['inbox-phone', PHONE],
    ] as const) {
      const person = await somebodyNew(options);
      // A browser without a window refuses them before anybody could ask.
      await person.page.addInitScript(() =>
        Object.defineProperty(Notification, 'permission', { value: 'default' }),
      );
      const token = new URL(await agent.linkFor('ada')).hash;
      await person.opens(`${holdpoint.url}/inbox${token}`);
      await person.sees('4 questions are open');
      await isReady(person);
      await take(person.page, name);
      await endsWell(person);
    }
  } finally {
    await holdpoint.stop();
  }
});

async function visitor(
  { url }: Holdpoint,
  agent: Agent,
  session?: string,
  options: Parameters<typeof somebodyNew>[0] = {},
): Promise<Person> {
  const person = await somebodyNew(options);
  const token = new URL(await agent.linkFor('ada')).hash;
  await person.opens(`${url}/${token}${session === undefined ? '' : `&session=${session}`}`);
  return person;
}

async function firstScreen(person: Person): Promise<void> {
  await person.sees('Scenes to try');
  await take(person.page, 'first-screen');
  await endsWell(person);
}

/** A release that got as far as an approval. */
async function releaseWaits(person: Person, agent: Agent, session: string): Promise<void> {
  await person.sees('To the agent');
  await person.says('Prepare release 2.4 and put it on staging.');
  await person.sees(person.page.locator('.said'));
  const turnId = 'turn_1';
  const call = (id: string, toolName: string, input: JsonObject, output: string) =>
    [
      { type: 'tool_call', turnId, toolCallId: id, payload: { toolName, input } },
      { type: 'tool_result', turnId, toolCallId: id, payload: { output } },
    ] as const;
  const says = (text: string) => ({ type: 'assistant_text', turnId, payload: { text } }) as const;
  await agent.appends(session, [
    { type: 'turn_started', turnId },
    says('All **214 tests** pass, and the changelog is written. One thing is yours to choose.'),
    ...call('c1', 'Read', { path: 'CHANGELOG.md' }, '2.4.0'),
    ...call('c2', 'Grep', { pattern: 'TODO' }, 'No matches'),
  ]);
  await agent.asks(session, {
    kind: 'question',
    toolName: 'AskUserQuestion',
    turnId,
    questions: [
      {
        header: 'Database',
        question: 'Migrate the database with it?',
        options: [{ label: 'Before the deploy' }, { label: 'After the deploy' }],
      },
    ],
  });
  await person.chooses('Before the deploy');
  await person.presses('Submit');
  await person.sees('Selected: Before the deploy');
  await agent.appends(session, [says('Then this is what I would run:')]);
  const approval = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    turnId,
    input: { command: 'make migrate deploy ENV=staging' },
    description: 'Migrates the database and replaces three instances, one at a time.',
    offers: ['once', 'session'],
    allowEdit: true,
    timeoutSeconds: 1_800,
  });
  agent.listens(session, approval);
  await endsWell(person);
}

async function othersWait(agent: Agent): Promise<void> {
  const notes = await agent.opensSession('Tidy the notes');
  const plan = '# Tidy the notes\n\n1. Sort them by year.\n2. Remove doubles.\n';
  await agent.asks(notes, {
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan,
    timeoutSeconds: 7_500,
  });
  const mail = await agent.opensSession('Answer the mail');
  for (const to of ['lena@example.com', 'omar@example.com'])
    await agent.asks(mail, {
      kind: 'approval',
      toolName: 'SendMail',
      input: { to, subject: 'Thursday at 9', body: 'We meet on Thursday at 9.' },
      timeoutSeconds: null,
    });
}

async function isReady(person: Person): Promise<void> {
  await person.sees(person.page.locator('button:enabled', { hasText: 'Approve' }));
  await person.seesNoMore('No agent is listening at the moment.');
}

async function take(what: Page | Locator, name: string, colorScheme?: 'dark'): Promise<void> {
  const page = 'page' in what ? what.page() : what;
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
  await page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  );
  // The only words that differ from one time to the next.
  await page.locator('.settled-line time, .freshness time').evaluateAll((all) => {
    for (const time of all)
      time.textContent = time.closest('.freshness') ? '9:41:00 AM' : 'Nov 18, 2026, 9:41 AM';
  });
  const file = path.join(FOLDER, `${name}.png`);
  await what.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  expect(statSync(file).size, file).toBeLessThan(MAX_BYTES);
}
