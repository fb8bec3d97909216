/**
 * Interruptions while a person uses the page: a reload, a lost network, a killed server.
 *
 * A bug looks like lost input, a card that stays dead, or a page that must be reloaded.
 */
import type { WebSocketRoute } from 'playwright';
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

/** Browser messages about requests without a server. */
const NOBODY_THERE =
  /ERR_CONNECTION|ERR_INCOMPLETE|ERR_INTERNET_DISCONNECTED|ERR_NETWORK|WebSocket connection/;

story('a reload keeps choices and text', async ({ person }) => {
  await person.begins('Answer questions');
  await person.chooses(/SQLite/);
  await person.presses('Next');
  await person.writes('Your own answer to: Which checks should run before a release?', 'Spell');
  await person.writes('Message', 'And one more thing');
  await person.reloads();
  // The session waits for the person and does not look busy (PEND-7).
  await person.sees('Waiting for you');
  expect(await person.page.getByText('Working').count()).toBe(0);
  await person.sees('Which checks should run before a release?');
  const own = person.page.getByRole('textbox', { name: /^Your own answer/ });
  expect(await own.inputValue()).toBe('Spell');
  const message = person.page.getByRole('textbox', { name: 'Message' });
  expect(await message.inputValue()).toBe('And one more thing');
  await own.press('End');
  await own.pressSequentially('ing');
  await person.presses('Submit');
  await person.sees('Selected: SQLite');
  await person.sees('Selected: Spelling');
});

story('a long answer goes on after a reload', async ({ person }) => {
  await person.begins('Stop a long answer');
  await person.sees('While it comes, nothing of it is stored.');
  await person.reloads();
  await person.sees('This is a long answer.');
  await person.sees('That is the end of the long answer.');
});

story('a page without a network says so, and continues by itself', async ({ server, agent }) => {
  const person = await newPerson();
  const sockets: WebSocketRoute[] = [];
  await person.page.routeWebSocket(/./, (socket) => {
    sockets.push(socket);
    socket.connectToServer();
  });
  await person.opens(server.link);
  await person.begins('Approve a file');
  await person.sees(person.working('Approve'));
  await checkPage(person, 'a page with a network');
  // A silent connection may still work: until it breaks, an answer is tried, and kept.
  await person.page.context().setOffline(true);
  await person.presses('Approve');
  await person.sees('Couldn’t send. Retrying automatically.');
  await checkPage(person, 'an answer that was not sent');
  for (const socket of sockets) await socket.close({ code: 4000 });
  await person.sees('You are offline. What you see may be old.');
  // The pressed action is running, so no other one can start.
  expect(await person.working('Approve').count()).toBe(0);
  expect(await person.page.getByText('You can answer when the connection is back.').count()).toBe(
    0,
  );
  await checkPage(person, 'a page that is offline');
  await person.page.context().setOffline(false);
  await person.seesNoMore('You are offline. What you see may be old.');
  // The button is not pressed again.
  await person.sees('Done. The tool reported');
  expect(await agent.fileIn(person.sessionId, 'hello.md')).toContain('demo');
  person.allowsProblems(NOBODY_THERE);
  await leavesWithoutProblems(person);
});

story(
  'a frozen server is reported as slow, and the answer counts',
  { timeout: 120_000 },
  async () => {
    const holdpoint = await startHoldpoint();
    try {
      const person = await newPerson();
      await person.opens(holdpoint.link);
      await person.begins('Approve a file');
      await person.sees(person.working('Approve'));
      holdpoint.freeze();
      await person.presses('Approve');
      await person.sees('Still sending…');
      await person.sees('The server takes long to answer. Still trying.');
      expect(await person.page.getByText('The agent is offline').count()).toBe(0);
      await checkPage(person, 'an answer that takes long');
      holdpoint.thaw();
      await person.sees('by you');
      await person.sees('Done. The tool reported');
      await person.seesNoMore('The server takes long to answer.');
      await leavesWithoutProblems(person);
    } finally {
      await holdpoint.stop();
    }
  },
);

/** Longer than the longest pause between two tries: on a slow machine the server returns long after the first one. */
const RECONNECT_MS = 45_000;

async function isBack({ page }: Person): Promise<void> {
  const lost = page.getByText('The connection was lost.').first();
  await lost.waitFor({ state: 'hidden', timeout: RECONNECT_MS });
}

story('a killed server returns and accepts the answer', { timeout: 120_000 }, async () => {
  const holdpoint = await startHoldpoint();
  try {
    const person = await newPerson();
    await person.opens(holdpoint.link);
    await person.begins('Answer questions');
    await person.chooses(/PostgreSQL/);
    await person.presses('Next');
    await person.chooses(/Format/);
    await holdpoint.kill();
    await person.sees('The connection was lost.');
    await person.sees('You can answer when the connection is back.');
    await checkPage(person, 'a page whose server is away');
    await holdpoint.startAgain();
    await isBack(person);
    await person.presses('Submit');
    await person.sees('Selected: PostgreSQL');
    await person.sees('Selected: Format');
    await person.sees(/This is what I was told: .*PostgreSQL/);

    // While the agent writes: the model call is repeated, and there is one answer.
    await person.says('long');
    await person.sees('While it comes, nothing of it is stored.');
    await holdpoint.kill();
    await person.sees('The connection was lost.');
    await holdpoint.startAgain();
    await isBack(person);
    await person.sees('That is the end of the long answer.');
    await person.sees('Idle');
    expect(
      await person.page.locator('.markdown', { hasText: 'This is a long answer.' }).count(),
    ).toBe(1);
    person.allowsProblems(NOBODY_THERE);
    await leavesWithoutProblems(person);
  } finally {
    await holdpoint.stop();
  }
});
