/** All open requests in one place. A bug looks like an inbox that is empty while an agent waits. */
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { agentOf } from './stage/agent.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });
const QUESTION = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  questions: [
    {
      header: 'Color',
      question: 'Which color should the door have?',
      options: [{ label: 'Green' }, { label: 'Blue' }],
    },
  ],
};
const PLAN = { kind: 'plan_review', toolName: 'ExitPlanMode', plan: '# Paint\n\n1. Sand it.\n' };

story('a request appears, is answered in place, and leaves', { timeout: 120_000 }, async () => {
  // A server of its own: open requests of other stories would be counted.
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  try {
    const person = await newPerson();
    const token = new URL(await agent.linkFor('ada')).hash;
    await person.opens(`${holdpoint.url}/inbox${token}`);
    await person.sees('You’re all caught up');
    await checkPage(person, 'an empty inbox');

    const door = await agent.opensSession('Paint the door');
    const color = await agent.asks(door, QUESTION);
    await person.sees('Which color should the door have?');
    await expect.poll(() => person.page.title()).toBe('(1) Inbox · Holdpoint');
    await agent.asks(door, PLAN);
    await person.sees('2 waiting');
    await checkPage(person, 'an inbox with a question and a plan');
    await person.chooses('Green');
    await person.presses('Submit');
    await person.sees('Selected: Green');
    expect(await agent.receivesOutcome(door, color)).toMatchObject({ answers: { 0: 'Green' } });

    // Several at once: three calls of one tool, two of them selected.
    const yard = await agent.opensSession('Clean the yard');
    const commands = ['rake leaves', 'sweep path', 'burn shed'];
    const ids = [];
    for (const command of commands) ids.push(await agent.asks(yard, bash(command)));
    await person.sees(person.card('Bash burn shed'));
    const choose = person.page.getByRole('checkbox', { name: /^Select/ });
    await choose.nth(0).check();
    await choose.nth(1).check();
    await person.sees('2 selected');
    // Approve waits until both were in the window.
    for (const name of ['Bash rake leaves', 'Bash sweep path'])
      await person.reads(person.card(name));
    await checkPage(person, 'two that are chosen together');
    await person.presses('Approve 2');
    for (const id of ids.slice(0, 2))
      expect(await agent.receivesOutcome(yard, id)).toMatchObject({ outcome: 'approved' });
    await expect.poll(() => person.page.title()).toBe('(2) Inbox · Holdpoint');

    // Settled elsewhere: the item is marked in place, and cleared on request.
    await agent.answers(yard, ids[2] ?? '', { decision: 'deny', reason: 'It is a good shed.' });
    await person.sees(person.card('Bash burn shed').getByText('Denied'));
    await person.sees(person.card('Bash burn shed').getByText('by admin'));
    await checkPage(person, 'an inbox with some that are done');
    await person.presses('Clear 4 done');
    await person.seesNoMore(person.card('Bash burn shed'));
    await person.page.getByRole('link', { name: 'Open', exact: true }).click();
    await person.sees(person.page.getByRole('heading', { level: 1, name: 'Paint the door' }));
    await person.sees(person.card('Review the plan'));
    await leavesWithoutProblems(person);
  } finally {
    await holdpoint.stop();
  }
});
