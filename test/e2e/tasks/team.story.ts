/** People who come, decide together and leave. A bug looks like a colleague who is gone and still decides. */
import { expect } from 'vitest';
import { PHONE } from '../stage/browser.ts';
import { checkPage } from '../stage/check-page.ts';
import { addressOf } from '../stage/team.ts';
import { task } from './task.ts';

task('Invite a colleague', async ({ enters, call, holdpoint, by }) => {
  const colleague = `fay-${by}@example.com`;
  const ana = await enters('ana');
  await ana.follows('Settings');
  await ana.follows('People');
  await ana.presses('Invite a person');
  await ana.writes('Email address', colleague);
  await ana.page.keyboard.press('Enter');
  const invited = ana.page.getByRole('dialog', { name: 'Invited' });
  await ana.sees(invited.getByText(`${colleague} can sign in now, at this address:`));
  expect(await invited.getByRole('textbox').inputValue()).toBe(holdpoint.url);
  await ana.presses('Copy', invited);
  await ana.sees(invited.getByText(/Copied|Not copied/));
  const { people } = (await (await call('GET', '/v1/people')).json()) as {
    people: readonly { subject: string; status: string; role: string }[];
  };
  expect(people).toContainEqual(
    expect.objectContaining({ subject: colleague, status: 'invited', role: 'answerer' }),
  );
});

task('Sign in for the first time', async ({ arrives }) => {
  const dan = await arrives('dan');
  dan.counted.add('the address, from a mail');
  await dan.presses(/^Sign in with /);
  await dan.sees('What should the agent do?');
  await dan.sees(addressOf('dan'));
});

task('Decide something that needs two people', async ({ enters, agent }) => {
  const session = await agent.opensSession('Production');
  const id = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'make deploy ENV=production' },
    quorum: { approvals: 2, of: { groups: ['ops'] } },
  });
  const at = `/inbox#session=${session}&interaction=${id}`;
  const ben = await enters('ben', { at });
  await ben.sees('0 of 2 approvals');
  await ben.sees(ben.working('Approve'));
  await ben.page.keyboard.press('a');
  await ben.sees('1 of 2 approvals');
  await checkPage(ben, 'an approval that waits for a second one');
  expect(await agent.isOpen(session, id)).toBe(true);
  const cleo = await enters('cleo', { at });
  await cleo.sees('Ben approved');
  await cleo.sees(cleo.working('Approve'));
  await cleo.page.keyboard.press('a');
  await cleo.sees('2 of 2 approvals');
  const { outcome, votes = [] } = await agent.receivesOutcome(session, id);
  expect(outcome).toBe('approved');
  expect(votes.map(({ by }) => by.subject)).toEqual([addressOf('ben'), addressOf('cleo')]);
});

task('Hand a request over to a colleague', async ({ enters, looksOn, agent }) => {
  const session = await agent.opensSession('Invoices');
  const id = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Pay',
    input: { invoice: '2026-114', amount: 1_200 },
    audience: { subjects: [addressOf('ben')] },
  });
  const at = `/inbox#session=${session}&interaction=${id}`;
  const ben = await enters('ben', { at });
  await ben.presses('Hand over…');
  await ben.writes('To', addressOf('cleo'));
  await ben.writes('Note (optional)', 'You know this customer.');
  await ben.page.keyboard.press('Enter');
  await ben.sees('Handed over by');
  const cleo = await looksOn('cleo', { at });
  await cleo.sees('Handed over by Ben: You know this customer.');
  await cleo.sees(cleo.working('Approve'));
  await checkPage(cleo, 'a request that was handed over');
  await cleo.page.keyboard.press('a');
  expect((await agent.receivesOutcome(session, id)).settledBy?.subject).toBe(addressOf('cleo'));
});

task('Remove a colleague who leaves', async ({ enters, looksOn, holdpoint, by }) => {
  const [who, name] = by === 'mouse' ? (['eva', 'Eva'] as const) : (['dan', 'Dan'] as const);
  const leaver = await looksOn(who, { device: PHONE });
  await leaver.sees('What should the agent do?');
  const ana = await enters('ana');
  await ana.follows('Settings');
  await ana.follows('People');
  await ana.presses(`Remove ${name}`);
  const sheet = ana.page.getByRole('dialog', { name: `Remove ${name}?` });
  await ana.sees(sheet.getByText(/Signed-in browsers: \d/));
  await ana.presses('Remove', sheet);
  await ana.sees('Removed people');
  // Without a press or a reload: the connection ends with the access.
  await leaver.sees('You are signed out');
  const status = await leaver.page.evaluate(
    async (url) => (await fetch(`${url}/v1/inbox`)).status,
    holdpoint.url,
  );
  expect(status).toBe(401);
  leaver.allowsProblems(/401/);
});
