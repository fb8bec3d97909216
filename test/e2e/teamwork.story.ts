/** Several people and one request. A bug looks like two people who each think that the other one has it. */
import { expect } from 'vitest';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const DEPLOY = {
  kind: 'approval',
  toolName: 'Bash',
  input: { command: 'make deploy' },
  timeoutSeconds: null,
};

for (const [size, device] of [
  ['on a desktop', {}],
  ['on a phone', PHONE],
] as const)
  story(`who looks at a request is seen by the others, ${size}`, async ({ agent }) => {
    const [ada, bob] = [await newPerson(device), await newPerson(device)];
    const session = await agent.opensSession('Looked at');
    const id = await agent.asks(session, DEPLOY);
    await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await bob.opens(`${await agent.linkFor('bob')}&session=${session}`);
    await ada.presses('I’ll look at it');
    await ada.sees('You are looking at this');
    await bob.sees('ada is looking at this');
    await checkPage(bob, `a request that somebody looks at ${size}`);
    await ada.presses('Stop looking');
    await bob.seesNoMore('ada is looking at this');
    // Advice for others, and no lock.
    await ada.presses('I’ll look at it');
    await bob.sees('ada is looking at this');
    await bob.presses('Approve');
    await ada.sees('by bob');
    expect((await agent.receivesOutcome(session, id)).settledBy?.subject).toBe('bob');
    await leavesWithoutProblems(ada);
    await leavesWithoutProblems(bob);
  });

story('one of two approvals is withdrawn, and one denial ends it', async ({ agent }) => {
  const [ada, bob] = [await newPerson(), await newPerson(PHONE)];
  const session = await agent.opensSession('Two keys');
  const request = { ...DEPLOY, quorum: { approvals: 2 } };
  const id = await agent.asks(session, request);
  await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await bob.opens(`${await agent.linkFor('bob')}&session=${session}`);
  await ada.presses('Approve');
  await ada.sees('You approved');
  await bob.sees('1 of 2 approvals');
  await checkPage(bob, 'one of two approvals on a phone');
  await ada.presses('Withdraw approval');
  await bob.sees('0 of 2 approvals');
  await bob.presses('Deny…');
  await bob.page.keyboard.type('Not on a Friday');
  await bob.presses('Deny');
  await ada.sees('Not on a Friday');
  await checkPage(ada, 'two approvals that were denied');
  expect((await agent.receivesOutcome(session, id)).outcome).toBe('denied');
  await leavesWithoutProblems(ada);
  await leavesWithoutProblems(bob);
});

story('who asked does not decide where another person must', async ({ server, agent }) => {
  const key = { name: 'Ada’s own script', scopes: ['agent', 'read', 'answer'] };
  const made = await fetch(`${server.url}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(key),
  });
  const { secret: token } = (await made.json()) as { secret: string };
  const session = await agent.opensSession('Asked by a person');
  const reply = await fetch(`${server.url}/v1/sessions/${session}/interactions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...DEPLOY, notRequester: true }),
  });
  expect(reply.status).toBe(201);
  const ada = await newPerson();
  await ada.opens(`${server.url}/#token=${token}&session=${session}`);
  await ada.sees('You asked for this, so another person decides.');
  expect(await ada.button('Approve').count()).toBe(0);
  await checkPage(ada, 'a request of one’s own');
  await leavesWithoutProblems(ada);
});

story('a decision is taken back until the agent has it, and not after that', async ({ agent }) => {
  const ada = await newPerson();
  const session = await agent.opensSession('Too quick');
  const id = await agent.asks(session, DEPLOY);
  const at = `session=${session}&interaction=${id}`;
  const { origin, hash } = new URL(await agent.linkFor('ada'));
  await ada.opens(`${origin}/inbox${hash}&${at}`);
  await ada.presses('Approve');
  await ada.sees('by you');
  await ada.presses('Take back');
  await ada.sees('You took back the decision on this. It is open again.');
  await checkPage(ada, 'a request that is open again');
  await ada.presses('Approve');
  await ada.sees('No agent has this decision yet.');
  const [, again = ''] = /interaction=([^&]+)/.exec(ada.page.url()) ?? [];
  await agent.receivesOutcome(session, decodeURIComponent(again));
  await ada.presses('Take back');
  await ada.sees(ada.page.getByRole('alert').filter({ hasText: /agent/ }));
  await checkPage(ada, 'a decision that the agent has');
  ada.allowsProblems(/409/);
  await leavesWithoutProblems(ada);
});
