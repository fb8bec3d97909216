/** `holdpoint/a2a` over the session core in this process: the task of an agent that asks, from its first message to its end. */
import { describe, expect, it, vi } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { askHumanTool } from '../../src/integrations/ai-sdk/index.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { a2aAgent, INPUT, messageOf, paramsOf, saidBy, STATE } from '../support/a2a-agent.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';

describe('a task that asks', () => {
  it('[A2A-1] requires input while a person is asked, and is saved to its end', async () => {
    const { send, onlyOpen, person, until, effects } = a2aAgent({ page: 'https://hp.example/' });
    const asked = await send('', 'Deploy, please.');
    expect(asked.status.state).toBe(STATE.inputRequired);
    const { interactionId, inputDigest } = await onlyOpen();
    const { text, data } = saidBy(asked.status);
    expect(text).toContain('make deploy');
    expect(data).toMatchObject({
      sessionId: SESSION,
      interactionId,
      inputDigest,
      kind: 'approval',
      toolName: 'deploy',
      request: { input: INPUT },
      expiresAt: null,
      url: `https://hp.example/#${new URLSearchParams({ session: SESSION, interaction: interactionId }).toString()}`,
    });
    expect(effects).toEqual([]);
    await person.answer(SESSION, interactionId, { decision: 'approve' });
    const ended = await until(STATE.completed);
    expect(effects).toEqual([INPUT]);
    expect(ended.history.flatMap((message) => saidBy({ ...ended.status, message }).text)).toEqual([
      'Deploy, please.',
      text,
      'The request was approved by local.',
      'The request was approved by local.',
      'deployed',
    ]);
  });

  it.each([
    ['denied', { decision: 'deny', reason: 'not today' }, 'not today'],
    ['edited', { decision: 'approve', updatedInput: { command: 'make' } }, 'deployed'],
  ])('[A2A-1, ADP-1] goes on when the request was %s', async (name, answer, words) => {
    const { send, onlyOpen, person, until, effects } = a2aAgent();
    await send('', 'Deploy, please.');
    await person.answer(SESSION, (await onlyOpen()).interactionId, answer);
    expect(saidBy((await until(STATE.completed)).status).text).toContain(words);
    expect(effects).toEqual(name === 'edited' ? [{ command: 'make' }] : []);
  });

  it('[A2A-1] asks one after the other, and takes the bridges of frameworks', async () => {
    const { send, open, person, until } = a2aAgent({
      work: async (holdpoint) => {
        const { execute } = askHumanTool(holdpoint);
        const ask = (toolCallId: string) => execute({ questions: QUESTIONS }, { toolCallId });
        return (await Promise.all([ask('1'), ask('2')])).join('\n');
      },
    });
    await send('', 'Deploy, please.');
    for (const id of ['task-1:1~1', 'task-1:2~1']) {
      const [only] = await open();
      expect(only?.interactionId).toBe(id);
      expect(saidBy((await until(STATE.inputRequired)).status).data.kind).toBe('question');
      await person.answer(SESSION, id, { answers: { '0': 'SQLite', '1': ['Export'] } });
      await vi.waitFor(async () => {
        expect((await person.interaction(SESSION, id)).status).toBe('settled');
      }, 30_000);
    }
    expect(saidBy((await until(STATE.completed)).status).text.match(/SQLite/g)).toHaveLength(2);
  });

  it('[A2A-1, GATE-4] asks no client what a rule decides', async () => {
    const { send, person, effects } = a2aAgent();
    await person.createSession({ id: SESSION });
    await person.setMode(SESSION, 'bypassPermissions');
    const task = await send('', 'Deploy, please.');
    expect(task.status.state).toBe(STATE.completed);
    expect(effects).toEqual([INPUT]);
  });
});

describe('a task that nobody may act on', () => {
  it('[A2A-3, GATE-4] fails if nobody can be asked', async () => {
    const over = pair();
    const refusal = new ClientError({ code: 'unauthenticated', message: 'No key', retry: 'never' });
    const transport = altered(over.agentTransport, { open: () => Promise.reject(refusal) });
    const stranger = connect({ transport, session: SESSION, timing: HURRY });
    const { send, effects } = a2aAgent({ over, agent: stranger });
    const task = await send('', 'Deploy, please.');
    expect(task.status.state).toBe(STATE.failed);
    expect(effects).toEqual([]);
  });

  it('[A2A-3, CAN-4] takes its request back before it is cancelled', async () => {
    const { send, handler, onlyOpen, person, effects } = a2aAgent();
    await send('', 'Deploy, please.');
    const { interactionId } = await onlyOpen();
    const task = await handler.cancelTask('task-1');
    expect(task.status.state).toBe(STATE.canceled);
    expect((await person.interaction(SESSION, interactionId)).outcome).toBe('cancelled');
    const late = await person.answer(SESSION, interactionId, { decision: 'approve' });
    expect(late.isMine).toBe(false);
    await expect(send('task-1', 'yes')).rejects.toThrow('terminal');
    expect(handler.task('task-1').status.state).toBe(STATE.canceled);
    expect(effects).toEqual([]);
  });

  it('[A2A-3, ADP-1] asks again for a message that a client repeats', async () => {
    const { handler, onlyOpen, person, effects } = a2aAgent({ endState: STATE.inputRequired });
    const { messageId, ...message } = messageOf('', 'Deploy, please.');
    const send = (taskId: string) =>
      handler.sendMessage(paramsOf({ ...message, messageId, taskId }), {});
    await send('');
    const { interactionId } = await onlyOpen();
    await person.answer(SESSION, interactionId, { decision: 'approve' });
    await vi.waitFor(() => {
      expect(effects).toEqual([INPUT]);
      expect(saidBy(handler.task('task-1').status).text).toBe('deployed');
    }, 30_000);
    const again = await send('task-1');
    expect(saidBy(again.status).data.interactionId).not.toBe(interactionId);
    expect((await onlyOpen()).interactionId).not.toBe(interactionId);
    expect(effects).toEqual([INPUT]);
  });

  it('[A2A-3] runs nothing once the task is gone', async () => {
    const failed = vi.fn<(cause: unknown) => void>();
    const { send, handler, onlyOpen, person, effects } = a2aAgent({
      work: async (holdpoint) => {
        await holdpoint.approve({ toolName: 'deploy', input: INPUT }).catch((cause: unknown) => {
          failed(cause);
          throw cause;
        });
        effects.push(INPUT);
        return 'deployed';
      },
    });
    await send('', 'Deploy, please.');
    handler.tasks.clear();
    await person.answer(SESSION, (await onlyOpen()).interactionId, { decision: 'approve' });
    await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce(), 30_000);
    expect(String(failed.mock.calls[0]?.[0])).toContain('not found');
    expect(effects).toEqual([]);
  });
});

describe('an agent that was killed', () => {
  const next = (over: ReturnType<typeof pair>) =>
    connect({ transport: over.agentTransport, session: SESSION, timing: HURRY });

  it('[A2A-3, ADP-2] finds the request, and its answer, in the kept task', async () => {
    const first = a2aAgent();
    await first.send('', 'Deploy, please.');
    const { interactionId } = await first.onlyOpen();
    const second = a2aAgent({ over: first, agent: next(first), tasks: first.handler.tasks });
    const asked = await second.send('task-1', 'Go on.');
    expect(saidBy(asked.status).data.interactionId).toBe(interactionId);
    await first.person.answer(SESSION, interactionId, { decision: 'approve' });
    await second.until(STATE.completed);
    expect(second.effects).toEqual([INPUT]);
    expect(first.effects).toEqual([]);
  });
});
