/**
 * A command that asks without the id of its tool call. A bug would look like an invented id that hides the question from its
 * call, or two questions after a lost reply.
 */
import { expect, it } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { altered, HURRY, pair, SESSION, UNREACHABLE } from '../support/agent.ts';

const CALL = { toolName: 'deploy', input: { to: 'production' } };
const correlate = { plugin: 'ops', tool: 'ops_deploy', command: ['ops', 'deploy'] };
const reported = {
  type: 'tool_call',
  toolCallId: 'call-7',
  payload: { toolName: 'Bash', input: { command: 'ops deploy' } },
} as const;

it('[RDV-4] the question is that of its call, and keeps its tool name', async () => {
  const { agent, agentTransport, person, onlyOpen } = pair();
  await agentTransport.createSession({ id: SESSION });
  const asked = agent.approve(CALL, { correlate });
  await agentTransport.appendEvents(SESSION, [reported]);
  expect(await onlyOpen()).toMatchObject({ toolCallId: 'call-7', toolName: 'deploy', correlate });
  await person.approveTool(SESSION, 'call-7');
  expect(await asked).toMatchObject({ outcome: 'approved' });
});

it('[RDV-2, RDV-5, TRN-5] a lost reply opens no second question, and an abort finds the first', async () => {
  const { agentTransport, person } = pair();
  await agentTransport.createSession({ id: SESSION });
  await agentTransport.appendEvents(SESSION, [reported]);
  const keys: unknown[] = [];
  const abort = new AbortController();
  const transport = altered(agentTransport, {
    async open(...args) {
      keys.push(args[2]?.idempotencyKey);
      const opened = await agentTransport.open(...args);
      if (keys.length === 1) throw UNREACHABLE;
      return opened;
    },
  });
  const agent = connect({ transport, session: SESSION, timing: HURRY });
  const onOpened = () => abort.abort();
  const asked = agent.approve(CALL, { correlate, signal: abort.signal, onOpened });
  const refused = await asked.catch((cause: unknown) => cause);
  expect(refused).toBeInstanceOf(ClientError);
  expect(refused).toMatchObject({ code: 'aborted' });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await person.interaction(SESSION, 'call-7~1')).toMatchObject({ outcome: 'cancelled' });
  expect(await person.snapshot(SESSION)).toMatchObject({ open: [] });
});

it('[RDV-2] a call id beside it is refused', async () => {
  const { agent } = pair();
  const asked = agent.approve(CALL, { correlate, toolCallId: 'call-7' });
  await expect(asked).rejects.toMatchObject({ code: 'invalid_request' });
});
