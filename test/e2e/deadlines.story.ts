/**
 * Deadlines on the screen. A bug looks like a card that can be pressed after its deadline, or a warning that comes
 * too late.
 */
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const waiting = (command: string, timeoutSeconds: number) => ({
  kind: 'approval',
  toolName: 'Bash',
  input: { command },
  timeoutSeconds,
});

story('a card warns at two minutes and at one, and ends', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('Before the deadline');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await person.sees('To the agent');
  const ids = [
    await agent.asks(session, waiting('sleep 1', 128)),
    await agent.asks(session, waiting('sleep 2', 68)),
    await agent.asks(session, waiting('sleep 3', 12)),
  ];
  const [calm, amber, red] = ids.map((_, at) => person.card(`Bash sleep ${at + 1}`));
  if (calm === undefined || amber === undefined || red === undefined) throw new Error('No cards');
  await person.sees(calm.locator('.countdown.calm'));
  await person.sees(amber.locator('.countdown.amber'));
  await person.sees(red.locator('.countdown.red'));
  await checkPage(person, 'three deadlines');
  await person.sees(calm.locator('.countdown.amber'));
  await person.sees(calm.getByText('Two minutes left to answer'));
  await person.sees(amber.locator('.countdown.red'));
  await person.sees(amber.getByText('One minute left to answer'));
  await person.sees(red.getByText('Expired: denied automatically after 12 seconds'));
  expect(await red.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await checkPage(person, 'a deadline that has passed');
  expect(await agent.receivesOutcome(session, ids[2] ?? '')).toMatchObject({ outcome: 'expired' });
  await leavesWithoutProblems(person);
});

story('the deadline is extended once', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('More time');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await agent.asks(session, waiting('make release', 90));
  const card = person.card('Bash make release');
  await person.sees(card.locator('.countdown.amber'));
  await person.presses('More time', card);
  await person.sees(card.locator('.countdown.calm', { hasText: /^[23]:\d\d left/ }));
  expect(await card.getByRole('button', { name: 'More time' }).count()).toBe(0);
  await person.presses('Approve', card);
  await person.sees('by you');
  await leavesWithoutProblems(person);
});
