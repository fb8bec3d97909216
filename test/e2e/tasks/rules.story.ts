/** A rule from its making to its end. A bug looks like a call that ran, and nobody who can say why. */
import { expect } from 'vitest';
import { addressOf } from '../stage/team.ts';
import { task } from './task.ts';

const test = (more: string) => ({
  kind: 'approval',
  toolName: 'Bash',
  input: { command: `npm test ${more}` },
  offers: ['once', 'session'],
});
let session = '';
const interactions = () => `/v1/sessions/${session}/interactions`;

task('Allow a kind of command for the session', async ({ enters, agent, call }) => {
  session = await agent.opensSession('Fix the tests');
  const id = await agent.asks(session, test('-- limits'));
  const ben = await enters('ben', { at: `/inbox#session=${session}&interaction=${id}` });
  await ben.sees(ben.working('Approve'));
  await ben.presses('Allow for session…');
  await ben.page.getByRole('radio', { name: /npm test …/ }).check();
  await ben.sees(ben.working('Approve for the session'));
  await ben.presses('Approve for the session');
  await ben.sees('by you');
  const reply = await call('POST', interactions(), test('-- words'));
  expect(await reply.json()).toMatchObject({ decision: { behavior: 'allow' } });
});

task('Find out who allowed a call', async ({ enters }) => {
  const cleo = await enters('cleo');
  await cleo.page.getByRole('link', { name: /Fix the tests/ }).click();
  await cleo.sees(`Allowed by rule Bash: npm test …, made by ${addressOf('ben')}`);
});

task('Revoke the rule that allowed it', async ({ enters, call }) => {
  const cleo = await enters('cleo', { at: `/#session=${session}` });
  await cleo.presses('Revoke the rule for Bash');
  await cleo.sees('revoked since');
  const reply = await call('POST', interactions(), test('-- rules'));
  expect(await reply.json()).toHaveProperty('interaction');
});
