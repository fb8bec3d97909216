/**
 * Ways into a workspace beside the login of login.story.ts: behind Cloudflare Access, and by an invitation link. A bug looks
 * like a header that anybody can write, or a link that lets a second person in.
 */
import type { BrowserContextOptions } from 'playwright';
import { expect } from 'vitest';
import { startAccessTeam } from '../support/login/access-team.ts';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });
const TIMEOUT = { timeout: 120_000 };

story('behind Cloudflare Access a person is in without a press', TIMEOUT, async () => {
  const access = await startAccessTeam();
  const holdpoint = await startHoldpoint({
    HOLDPOINT_ACCESS_TEAM: access.issuer,
    HOLDPOINT_ACCESS_AUD: access.audience,
    HOLDPOINT_ADMINS: 'ana@example.com',
    HOLDPOINT_LOGIN_DOMAINS: 'example.com',
    HOLDPOINT_LOGIN_ROLE: 'answerer',
  });
  const agent = agentOf(holdpoint);
  /** What Access adds to each request that it lets pass. */
  const behindAccess = async (assertion: Promise<string>, device: BrowserContextOptions = {}) => ({
    ...device,
    extraHTTPHeaders: { 'Cf-Access-Jwt-Assertion': await assertion },
  });
  try {
    const ana = await newPerson(await behindAccess(access.assertionFor('ana@example.com')));
    await ana.opens(`${holdpoint.url}/#settings=people`);
    const people = ana.page.getByRole('list', { name: 'People', exact: true });
    await ana.sees(people.getByText('Administrator'));
    await checkPage(ana, 'the people behind Access');

    const ben = await newPerson(await behindAccess(access.assertionFor('ben@example.com'), PHONE));
    const session = await agent.opensSession('Paint the door');
    const id = await agent.asks(session, bash('paint door'));
    await ben.opens(`${holdpoint.url}/#session=${session}`);
    await ben.presses('Approve');
    await ben.sees('by you');
    const { settledBy } = await agent.receivesOutcome(session, id);
    expect(settledBy).toMatchObject({ subject: 'ben@example.com', via: 'web' });

    await ana.reloads();
    await ana.presses('Remove ben@example.com');
    await ana.presses('Remove', ana.page.getByRole('dialog'));
    await ana.sees('Removed people');
    await ben.sees('You are signed out');
    ben.allowsProblems(/40[13]/);

    // The header alone is nothing: a stranger writes one, and one of another application is copied.
    for (const assertion of [
      access.assertionFor('ana@example.com', { isForged: true }),
      access.assertionFor('ana@example.com', { audience: 'b'.repeat(64) }),
    ]) {
      const stranger = await newPerson(await behindAccess(assertion, SMALL_PHONE));
      await stranger.opens(holdpoint.url);
      await stranger.sees('Sign in with Cloudflare Access');
      await checkPage(stranger, 'a stranger behind no Access');
      stranger.allowsProblems(/40[13]/);
      await leavesWithoutProblems(stranger);
    }
    await leavesWithoutProblems(ana);
    await leavesWithoutProblems(ben);
  } finally {
    await access.close();
    await holdpoint.stop();
  }
});

story('an invitation link lets one person in, once', TIMEOUT, async () => {
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  try {
    const ana = await newPerson();
    await ana.opens(`${holdpoint.url}/#token=${holdpoint.adminKey}`);
    await ana.sees('What should the agent do?');
    await ana.opens(`${holdpoint.url}/#settings=people`);
    await ana.presses('Invite a person');
    await ana.writes('Email address', 'ben@example.com');
    await ana.page.keyboard.press('Enter');
    const field = ana.page.getByRole('textbox', { name: 'Invitation link' });
    await ana.sees(field);
    await checkPage(ana, 'an invitation link');
    const link = await field.inputValue();

    const ben = await newPerson(SMALL_PHONE);
    await ben.opens(link);
    await ben.sees('You are invited');
    // It is in no history and no screenshot.
    expect(ben.page.url()).not.toContain('invitation');
    await checkPage(ben, 'an invited person');
    await ben.presses('Accept the invitation');
    await ben.sees('What should the agent do?');
    const session = await agent.opensSession('Paint the door');
    const id = await agent.asks(session, bash('paint door'));
    await ben.opens(`${holdpoint.url}/#session=${session}`);
    await ben.presses('Approve');
    await ben.sees('by you');
    const { settledBy } = await agent.receivesOutcome(session, id);
    expect(settledBy?.subject).toBe('ben@example.com');

    const second = await newPerson();
    await second.opens(link);
    await second.presses('Accept the invitation');
    await second.sees(second.page.getByRole('alert').filter({ hasText: /\w/ }));
    await checkPage(second, 'an invitation that was used');
    expect(await second.button('Sign out').count()).toBe(0);
    second.allowsProblems(/4\d\d/);
    for (const person of [ana, ben, second]) await leavesWithoutProblems(person);
  } finally {
    await holdpoint.stop();
  }
});
