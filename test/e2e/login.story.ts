/**
 * A team signs in with its login. A bug looks like a person who is in with a link that somebody forwarded, or one who left
 * and still decides.
 */
import { expect } from 'vitest';
import { CLIENT, startOpenIdServer } from '../support/login/open-id-server.ts';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });

story(
  'an administrator brings a colleague in, and lets them go',
  { timeout: 180_000 },
  async () => {
    let callback = '';
    const provider = await startOpenIdServer(() => [callback]);
    const holdpoint = await startHoldpoint({
      HOLDPOINT_OIDC_ISSUER: provider.issuer,
      HOLDPOINT_OIDC_CLIENT_ID: CLIENT.id,
      HOLDPOINT_OIDC_CLIENT_SECRET: CLIENT.secret,
    });
    callback = `${holdpoint.url}/auth/callback`;
    const agent = agentOf(holdpoint);
    const login = `Sign in with ${new URL(provider.issuer).host}`;
    const toProvider = new RegExp(`asked ${provider.issuer}`);
    try {
      const ana = await newPerson();
      await ana.opens(`${holdpoint.url}/#token=${holdpoint.adminKey}`);
      await ana.sees(ana.page.getByRole('link', { name: 'Settings' }));
      await ana.page.goto(`${holdpoint.url}/#settings=people`);
      await ana.sees('Nobody is in the directory yet');
      await checkPage(ana, 'an empty directory');
      await ana.presses('Become administrator');
      const people = ana.page.getByRole('list', { name: 'People', exact: true });
      await ana.sees(people.getByText('Administrator'));
      expect(await ana.page.evaluate(() => localStorage.getItem('holdpoint.token'))).toBeNull();

      await ana.presses('Invite a person');
      const form = ana.page.getByRole('dialog', { name: 'Invite a person' });
      await ana.writes('Email address', 'ben', form);
      await ana.presses('Invite', form);
      await ana.sees('Use an address like ana@example.com');
      await checkPage(ana, 'a wrong address');
      await ana.writes('Email address', 'ben@example.com', form);
      await ana.presses('Invite', form);
      await ana.sees('ben@example.com can sign in now, at this address:');
      await checkPage(ana, 'an invitation');
      await ana.presses('Done');
      await checkPage(ana, 'the people');

      provider.account = { email: 'stranger@example.com' };
      const stranger = await newPerson(PHONE);
      await stranger.opens(holdpoint.url);
      await checkPage(stranger, 'the sign-in');
      await stranger.presses(login);
      await stranger.sees('ask an administrator for an invitation');
      await checkPage(stranger, 'a refused sign-in');
      stranger.allowsProblems(toProvider);
      stranger.allowsProblems(/403/);

      provider.account = { email: 'ben@example.com', name: 'Ben' };
      const ben = await newPerson(PHONE);
      const session = await agent.opensSession('Paint the door');
      const request = await agent.asks(session, bash('paint door'));
      agent.waits(session, request);
      await ben.opens(`${holdpoint.url}/#session=${session}`);
      await ben.presses(login);
      const card = ben.card(/paint door/);
      await ben.reads(card);
      await ben.presses('Approve', card);
      const { settledBy } = await agent.receivesOutcome(session, request);
      expect(settledBy).toMatchObject({ subject: 'ben@example.com', via: 'web' });
      await ben.page.goto(`${holdpoint.url}/#settings=devices`);
      await ben.sees('This browser');
      await checkPage(ben, 'devices and tokens');

      await ana.presses(/^Remove (Ben|ben@example.com)$/);
      await ana.sees('Signed-in browsers: 1');
      await checkPage(ana, 'what a removal ends');
      await ana.presses('Remove', ana.page.getByRole('dialog'));
      await ana.sees('Removed people');
      // Without a press or a reload: the connection ends with the access.
      await ben.sees('You are signed out');
      ben.allowsProblems(/401/);
      await ben.presses(login);
      await ben.sees('You were removed from this workspace');
      ben.allowsProblems(/403/);
      ben.allowsProblems(toProvider);
      ana.allowsProblems(toProvider);
      for (const person of [ana, ben, stranger]) await leavesWithoutProblems(person);
    } finally {
      await holdpoint.stop();
    }
  },
);
