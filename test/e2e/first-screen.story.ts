/** A person who has only a link. A bug looks like a newcomer who does not know what to press. */
import { expect } from 'vitest';
import { PHONE, newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const A_MINUTE = 60_000;

story('a newcomer has answered a first question within a minute', async ({ server }) => {
  const newcomer = await newPerson();
  const start = Date.now();
  await newcomer.opens(server.link);
  await newcomer.sees('What should the agent do?');
  await checkPage(newcomer, 'the first screen');
  expect(newcomer.page.url()).toBe(`${server.url}/`);
  await newcomer.begins('Answer questions');
  await newcomer.chooses(/SQLite/);
  await newcomer.presses('Next');
  await newcomer.chooses(/Tests/);
  await newcomer.presses('Submit');
  await newcomer.sees('Selected: SQLite');
  expect(Date.now() - start).toBeLessThan(A_MINUTE);
  await leavesWithoutProblems(newcomer);
});

story('the same on a phone, by touch', async ({ server }) => {
  const newcomer = await newPerson(PHONE);
  await newcomer.opens(server.link);
  await newcomer.presses(/^Answer questions/);
  await newcomer.chooses(/SQLite/);
  await newcomer.presses('Next');
  await newcomer.chooses(/Tests/);
  await checkPage(newcomer, 'a question on a phone');
  await newcomer.presses('Submit');
  await newcomer.sees('Selected: SQLite');
  await newcomer.presses('Sessions');
  await newcomer.sees(newcomer.page.getByRole('dialog', { name: 'Sessions' }));
  await checkPage(newcomer, 'the list of sessions on a phone');
  await leavesWithoutProblems(newcomer);
});

story('the page says what to do without a link, and with a refused one', async ({ server }) => {
  const stranger = await newPerson();
  await stranger.opens(server.url);
  await stranger.sees('Sign in');
  await stranger.writes('Or paste the link or token here', 'hp_something');
  await stranger.presses('Sign in');
  await stranger.sees('That is neither a link nor a token.');
  await checkPage(stranger, 'the screen of a stranger');
  await stranger.writes('Or paste the link or token here', server.link);
  await stranger.presses('Sign in');
  await stranger.sees('What should the agent do?');
  await stranger.opens(`${server.url}/#token=hp_eyJjIjpbInJlYWQiXX0.c2lnbmF0dXJl`);
  await stranger.sees('This link does not work');
  await checkPage(stranger, 'a link that does not work');
  await stranger.presses(/^Go on as /);
  await stranger.sees('What should the agent do?');
  // A token of another server: well formed, and refused.
  const claims = Buffer.from(JSON.stringify({ c: ['read'], u: 'mia' })).toString('base64url');
  await stranger.opens(`${server.url}/#token=hp_${claims}.c2lnbmF0dXJl`);
  await stranger.presses('Switch to mia');
  await stranger.sees('This link does not work');
  await stranger.presses(/^Go on as /);
  await stranger.sees('What should the agent do?');
  stranger.allowsProblems(/401/);
  await leavesWithoutProblems(stranger);
});
