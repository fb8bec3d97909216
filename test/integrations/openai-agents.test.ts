/** `holdpoint/openai-agents` over the session core in this process, with results as `run` returns them. */
import { expect, it, vi } from 'vitest';
import {
  answerInterruptions,
  askHumanOptions,
  type Interruption,
} from '../../src/integrations/openai-agents/index.ts';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';

function interrupted(...interruptions: readonly Interruption[]) {
  const decisions = new Map<Interruption, string>();
  const state = {
    approve: (item: Interruption) => void decisions.set(item, 'approved'),
    reject: (item: Interruption, { message }: { message: string }) =>
      void decisions.set(item, message),
  };
  return { interruptions, state, decided: () => interruptions.map((item) => decisions.get(item)) };
}

const functionCall = (callId: string, text: string): Interruption => ({
  name: 'run',
  arguments: text,
  rawItem: { type: 'function_call', callId, name: 'run', arguments: text },
});

it('[ADP-1] approves and rejects each interruption, under the id of its call, without an edit', async () => {
  const { agent, person, open } = pair();
  const result = interrupted(
    functionCall('call_1', '{"command":"ls"}'),
    functionCall('call_2', '{"command":"rm"}'),
  );
  const answering = answerInterruptions(agent, result);
  for (const { request } of await open(2)) expect(request.allowEdit).toBeUndefined();
  await person.answer(SESSION, 'call_1~1', { decision: 'approve' });
  await person.answer(SESSION, 'call_2~1', { decision: 'deny', reason: 'keep it' });
  expect(await answering).toBe(true);
  const [first, second] = result.decided();
  expect(first).toBe('approved');
  expect(second).toContain('keep it');
});

it('[ADP-1] shows the whole call of a tool that has no arguments', async () => {
  const { agent, person, onlyOpen } = pair();
  const rawItem = { type: 'shell_call', callId: 'call_1', action: { commands: ['ls'] } };
  const result = interrupted({ rawItem });
  const answering = answerInterruptions(agent, result);
  const { interactionId, toolName, request } = await onlyOpen();
  expect(toolName).toBe('shell_call');
  expect(request.input).toEqual(rawItem);
  await person.answer(SESSION, interactionId, { decision: 'approve' });
  await answering;
  expect(result.decided()).toEqual(['approved']);
});

it('[GATE-4] rejects arguments that are no JSON, and everything if nobody can be asked', async () => {
  const { agent, agentTransport } = pair();
  const broken = interrupted(functionCall('call_1', '{"command":'));
  expect(await answerInterruptions(agent, broken)).toBe(true);
  expect(broken.decided()[0]).toContain('not JSON');

  const refusal = new ClientError({ code: 'unauthenticated', message: 'No key', retry: 'never' });
  const refuse = () => Promise.reject(refusal);
  const transport = altered(agentTransport, { open: refuse, openAll: refuse });
  const stranger = connect({ transport, session: SESSION, timing: HURRY });
  const result = interrupted(functionCall('call_1', '{}'));
  await answerInterruptions(stranger, result);
  expect(result.decided()[0]).toContain('Nobody could be asked');
});

it('[ADP-1, INT-20] several interruptions are opened in one request, and each is decided by itself', async () => {
  const { agent, agentTransport, open, person } = pair();
  const openAll = vi.spyOn(agentTransport, 'openAll');
  await person.createSession({ id: SESSION });
  const result = interrupted(
    functionCall('call_1', '{"n":1}'),
    functionCall('call_2', '{"n":'),
    functionCall('call_3', '{"n":3}'),
  );
  const answered = answerInterruptions(agent, result);
  await open(2);
  await person.answer(SESSION, 'call_3~1', { decision: 'approve' });
  await person.answer(SESSION, 'call_1~1', { decision: 'deny' });
  expect(await answered).toBe(true);
  const [first, second, third] = result.decided();
  expect(first).toContain('denied');
  expect(second).toContain('not JSON');
  expect(third).toBe('approved');
  expect(openAll).toHaveBeenCalledTimes(1);
});

it('[ADP-1] is over when there is no interruption', async () => {
  const { agent } = pair();
  expect(await answerInterruptions(agent, interrupted())).toBe(false);
});

it('[ADP-1] asks for the model, and returns the answers to it', async () => {
  const { agent, person, onlyOpen } = pair();
  const { execute } = askHumanOptions(agent);
  const asking = execute({ questions: QUESTIONS }, {}, { toolCall: { callId: 'call_9' } });
  const { interactionId, toolCallId } = await onlyOpen();
  expect(toolCallId).toBe('call_9');
  await person.answer(SESSION, interactionId, { answers: { '0': 'SQLite', '1': ['Export'] } });
  expect(await asking).toContain('Export');
});
