/** Rules with a pattern, from the card to the page of rules. A bug looks like a rule that allows more than it says. */
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({
  kind: 'approval',
  toolName: 'Bash',
  input: { command },
  offers: ['once', 'session'],
});

story(
  'a rule begins at a card, is seen on the page of rules, and ends there',
  async ({ server, agent }) => {
    const ask = async (session: string, command: string) => {
      const reply = await fetch(`${server.url}/v1/sessions/${session}/interactions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.adminKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(bash(command)),
      });
      return (await reply.json()) as { decision?: { behavior: string } };
    };
    const ada = await newPerson();
    const session = await agent.opensSession('Build it again');
    await agent.asks(session, bash('make build'));
    await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await ada.presses('Allow for session…');
    await checkPage(ada, 'what may be allowed');
    await ada.chooses(ada.page.getByRole('radio', { name: /^make …/ }));
    await ada.selects('Until', 'one hour from now');
    await ada.presses('Approve for the session');
    await ada.sees('by you');
    expect((await ask(session, 'make test')).decision).toMatchObject({ behavior: 'allow' });
    await ada.sees('Allowed by rule Bash: make …, made by you');
    // A command with a second one behind it is not covered.
    expect((await ask(session, 'make test; rm -rf /')).decision).toBeUndefined();
    await ada.sees(ada.card(/rm -rf/));
    await checkPage(ada, 'a call that a rule allowed');

    await ada.follows('Settings');
    await ada.follows('Rules');
    const row = ada.page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({
      hasText: 'In Build it again',
    });
    await ada.sees(row.getByText('Bash: make …'));
    await ada.sees(row.getByText('made by ada'));
    await checkPage(ada, 'the rules');
    await ada.follows('Made from this request', row);
    await ada.sees(ada.page.getByRole('heading', { level: 1, name: 'Build it again' }));
    await ada.page.goBack();
    await ada.presses('Revoke Bash: make …', row);
    await ada.seesNoMore('Bash: make …');
    expect((await ask(session, 'make test')).decision).toBeUndefined();
    await leavesWithoutProblems(ada);
  },
);

story('a rule of the workspace is tried on what was asked before it is made', async () => {
  // A server of its own: the rule would count for other stories.
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  try {
    const session = await agent.opensSession('Clean up');
    for (const command of ['rm -rf build', 'rm -rf dist', 'ls'])
      await agent.asks(session, bash(command));
    for (const device of [{}, PHONE, SMALL_PHONE]) {
      const ana = await newPerson(device);
      await ana.opens(`${holdpoint.url}/#token=${holdpoint.adminKey}`);
      await ana.sees('What should the agent do?');
      await ana.opens(`${holdpoint.url}/#settings=rules`);
      await ana.presses('New rule');
      await ana.chooses('Denies');
      await ana.writes('Commands that begin with', 'rm');
      await ana.writes('Reason (optional)', 'Nothing is deleted here');
      await ana.sees('2 would have been denied.');
      await ana.sees('was asked, becomes denied');
      await checkPage(ana, 'a rule that is tried');
      await ana.presses('Make the rule');
      const row = ana.page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
      await ana.sees(row.getByText('Bash: rm …'));
      await checkPage(ana, 'a rule of the workspace');
      await ana.presses('Revoke Bash: rm …');
      await ana.seesNoMore('Bash: rm …');
      await leavesWithoutProblems(ana);
    }
  } finally {
    await holdpoint.stop();
  }
});
