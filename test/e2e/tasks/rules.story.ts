/** A rule from its making to its end. A bug looks like a call that ran, and nobody who can say why. */
import { expect } from 'vitest';
import type { Hands } from '../stage/person.ts';
import { addressOf } from '../stage/team.ts';
import { task } from './task.ts';

const test = (more: string) => ({
  kind: 'approval',
  toolName: 'Bash',
  input: { command: `npm test ${more}` },
  offers: ['once', 'session'],
});
const sessions = { mouse: '', keyboard: '' };
const interactions = (by: Hands) => `/v1/sessions/${sessions[by]}/interactions`;

task('Allow a kind of command for the session', async ({ enters, agent, call, by }) => {
  const session = await agent.opensSession(`Fix the tests, by ${by}`);
  sessions[by] = session;
  const id = await agent.asks(session, test('-- limits'));
  const ben = await enters('ben', { at: `/inbox#session=${session}&interaction=${id}` });
  await ben.sees(ben.working('Approve'));
  await ben.presses('Allow for session…');
  await ben.chooses(/npm test …/);
  await ben.sees(ben.working('Approve for the session'));
  await ben.presses('Approve for the session');
  await ben.sees('by you');
  const reply = await call('POST', interactions(by), test('-- words'));
  expect(await reply.json()).toMatchObject({ decision: { behavior: 'allow' } });
});

task('Find out who allowed a call', async ({ enters, by }) => {
  const cleo = await enters('cleo');
  await cleo.follows(new RegExp(`Fix the tests, by ${by}`));
  await cleo.sees(`Allowed by rule Bash: npm test …, made by ${addressOf('ben')}`);
});

task('Revoke the rule that allowed it', async ({ enters, call, by }) => {
  const cleo = await enters('cleo', { at: `/#session=${sessions[by]}` });
  await cleo.presses('Revoke the rule for Bash');
  await cleo.sees('revoked since');
  const reply = await call('POST', interactions(by), test('-- rules'));
  expect(await reply.json()).toHaveProperty('interaction');
});
