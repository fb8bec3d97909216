/** Clients of A2A that answer what a task asks, and those that try more than that. */
import { describe, expect, it, vi } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { a2aAgent, answerer, answerTo, INPUT, saidBy, STATE } from '../support/a2a-agent.ts';
import { RequestHandler } from '../support/a2a-sdk.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';

const APPROVE = { decision: 'approve' };

/** An agent whose clients may answer, asking already. */
async function asking(settings: Parameters<typeof a2aAgent>[0] = {}) {
  const over = settings.over ?? pair();
  const client = answerer(over);
  const agent = a2aAgent({ answers: () => client, ...settings, over });
  return { ...agent, asked: await agent.send('', 'Deploy, please.') };
}

describe('a client that may answer', () => {
  it.each([
    ['approves', APPROVE, [INPUT], 'deployed'],
    ['edits', { ...APPROVE, updatedInput: { command: 'make' } }, [{ command: 'make' }], 'deployed'],
    ['denies', { decision: 'deny', reason: 'not today' }, [], 'not today'],
  ])('[A2A-2] %s with the body of an answer', async (_name, answer, ran, words) => {
    const { send, asked, effects } = await asking();
    const ended = await send('task-1', answerTo(asked, answer));
    expect(ended.status.state).toBe(STATE.completed);
    expect(saidBy(ended.status).text).toContain(words);
    expect(effects).toEqual(ran);
    const settled = ended.history.map((message) => saidBy({ ...ended.status, message }).text);
    expect(settled.some((text) => text.endsWith('by client.'))).toBe(true);
  });

  it('[A2A-2] answers the first request of a task in words, as in the chat', async () => {
    const { send, effects } = await asking();
    const again = await send('task-1', 'Sure, go ahead!');
    expect(again.status.state).toBe(STATE.inputRequired);
    expect(saidBy(again.status).text).toContain('does not count');
    expect(effects).toEqual([]);
    expect((await send('task-1', 'yes')).status.state).toBe(STATE.completed);
    expect(effects).toEqual([INPUT]);
  });

  it('[A2A-2] is asked for the rest after a part of the answers', async () => {
    const { send } = await asking({
      work: async (holdpoint) => (await holdpoint.ask(QUESTIONS)).outcome,
    });
    const again = await send('task-1', 'SQLite');
    expect(saidBy(again.status).text).toContain('more is asked');
    const ended = await send('task-1', 'Export');
    expect(saidBy(ended.status).text).toBe('answered');
  });

  it('[A2A-2] follows the rest of its task in a stream', async () => {
    const { stream, asked } = await asking();
    const kinds: string[] = [];
    for await (const { kind } of stream('task-1', answerTo(asked, APPROVE))) kinds.push(kind);
    expect(kinds).toEqual(['task', 'statusUpdate', 'statusUpdate']);
  });

  it('[A2A-2, A2A-3, ADP-2] answers what a dead process of the agent asked', async () => {
    const over = pair();
    const gone = { interaction: () => new Promise<never>(() => {}) };
    const transport = altered(over.agentTransport, gone);
    const killed = connect({ transport, session: SESSION, timing: HURRY });
    const first = await asking({ over, agent: killed });
    const agent = connect({ transport: over.agentTransport, session: SESSION, timing: HURRY });
    const second = a2aAgent({
      over: first,
      agent,
      tasks: first.handler.tasks,
      answers: () => answerer(first),
    });
    const ended = await second.send('task-1', answerTo(first.asked, APPROVE));
    expect(ended.status.state).toBe(STATE.completed);
    expect(second.effects).toEqual([INPUT]);
    expect(first.effects).toEqual([]);
  });
});

describe('a client that may not answer this', () => {
  it('[A2A-2] is told where people answer if it has no credential', async () => {
    const { send, asked, effects, onlyOpen } = await asking({
      answers: () => undefined,
      page: 'https://hp.example',
    });
    for (const part of ['yes', answerTo(asked, APPROVE)]) {
      const again = await send('task-1', part);
      expect(again.status.state).toBe(STATE.inputRequired);
      expect(saidBy(again.status).text).toContain('https://hp.example');
      expect(saidBy(again.status).data).toEqual(saidBy(asked.status).data);
    }
    expect((await onlyOpen()).status).toBe('open');
    expect(effects).toEqual([]);
  });

  it('[A2A-2, AUTH-6] is refused by the server with the credential of the agent', async () => {
    const over = pair();
    const { send, asked, effects, onlyOpen } = await asking({
      over,
      answers: () => over.agentTransport,
    });
    for (const part of ['yes', answerTo(asked, APPROVE)]) {
      const again = await send('task-1', part);
      expect(saidBy(again.status).text).toContain('does not count');
    }
    expect((await onlyOpen()).status).toBe('open');
    expect(effects).toEqual([]);
  });

  it('[A2A-2] answers no other task, and not as another user', async () => {
    const { send, asked, executor, effects, open } = await asking();
    const other = await send('', 'Deploy that as well.');
    const again = await send(other.id, answerTo(asked, APPROVE));
    expect(saidBy(again.status).text).toContain('has asked no such request');
    const stranger = new RequestHandler(executor);
    const message = { ...asked.history[0], messageId: 'x', taskId: 'task-1' };
    const params = { tenant: '', message, configuration: undefined, metadata: undefined };
    await expect(stranger.sendMessage(params as never, {})).rejects.toThrow('not found');
    await open(2);
    expect(effects).toEqual([]);
  });

  it.each([
    ['another digest', { inputDigest: 'a'.repeat(64) }],
    ['no digest', { inputDigest: undefined }],
    ['no id', { interactionId: undefined }],
    ['an id that was never asked', { interactionId: 'call~7' }],
  ])('[A2A-2, INT-12] is refused with %s', async (_name, changes) => {
    const { send, asked, effects } = await asking();
    const part = JSON.parse(JSON.stringify(answerTo(asked, APPROVE, changes as never))) as never;
    expect((await send('task-1', part)).status.state).toBe(STATE.inputRequired);
    expect(effects).toEqual([]);
    expect((await send('task-1', answerTo(asked, APPROVE))).status.state).toBe(STATE.completed);
  });

  it('[A2A-2, INT-12] approves no request that took the place of the one it was shown', async () => {
    const { send, asked, until, effects, person } = await asking({
      work: async (holdpoint) => {
        const call = { toolName: 'deploy', input: INPUT };
        const first = await holdpoint.approve(call, { toolCallId: 'one' });
        if (first.outcome === 'approved') effects.push(INPUT);
        const second = await holdpoint.approve({ ...call, input: { command: 'rm -rf /' } });
        if (second.outcome === 'approved') effects.push(second.updatedInput);
        return second.outcome;
      },
    });
    const { interactionId } = saidBy(asked.status).data as { interactionId: string };
    await person.answer(SESSION, interactionId, APPROVE);
    const next = await vi.waitFor(async () => {
      const task = await until(STATE.inputRequired);
      expect(saidBy(task.status).data.interactionId).not.toBe(interactionId);
      return task;
    }, 30_000);
    const late = await send('task-1', answerTo(asked, APPROVE));
    expect(saidBy(late.status).text).toContain('approved by local before');
    const words = await send('task-1', 'yes');
    expect(saidBy(words.status).text).toContain('Name the request');
    expect(effects).toEqual([INPUT]);
    await send('task-1', answerTo(next, { decision: 'deny' }));
    expect(effects).toEqual([INPUT]);
  });

  it('[A2A-2, INT-17] approves in words nothing that the task does not show whole', async () => {
    const input = { path: 'a.txt', content: 'x'.repeat(400_000) };
    const { send, asked, effects } = await asking({
      work: async (holdpoint) => {
        const outcome = await holdpoint.approve({ toolName: 'write', input });
        if (outcome.outcome === 'approved') effects.push(outcome.updatedInput);
        return outcome.outcome;
      },
    });
    expect(saidBy(asked.status).data.wholeInput).toMatchObject({
      sha256: expect.any(String) as string,
    });
    expect(saidBy((await send('task-1', 'yes')).status).text).toContain('Name the request');
    const unread = await send('task-1', answerTo(asked, APPROVE));
    expect(unread.status.state).toBe(STATE.inputRequired);
    expect(effects).toEqual([]);
    await send('task-1', answerTo(asked, { decision: 'deny' }));
    expect(effects).toEqual([]);
  });

  it('[A2A-2] draws what would hide a part of the request in its words', async () => {
    const input = { command: 'rm -rf / #\u202Eevas\u200B' };
    const { asked } = await asking({
      work: async (holdpoint) => (await holdpoint.approve({ toolName: 'run', input })).outcome,
    });
    const { text, data } = saidBy(asked.status);
    expect(text).toContain(String.raw`\u202Eevas\u200B`);
    expect(data.request).toMatchObject({ input });
  });

  it('[A2A-2] counts one of two answers at once, and tells the other who was first', async () => {
    const over = pair();
    const { send, asked, effects, handler } = await asking({
      over,
      answers: (() => {
        let count = 0;
        return () => answerer(over, `client ${(count += 1)}`);
      })(),
    });
    const both = await Promise.all([
      send('task-1', answerTo(asked, APPROVE)),
      send('task-1', answerTo(asked, { decision: 'deny' })),
    ]);
    expect(both).toHaveLength(2);
    await vi.waitFor(() => {
      expect(handler.task('task-1').status.state).toBe(STATE.completed);
    }, 30_000);
    const texts = handler.task('task-1').history.map((message) => {
      return saidBy({ state: 0, timestamp: undefined, message }).text;
    });
    const late = texts.filter((text) => text.includes('this answer does not count'));
    expect(late).toHaveLength(1);
    const isApproved = late[0]?.startsWith('The request was approved by client ') === true;
    expect(effects).toEqual(isApproved ? [INPUT] : []);
  });

  it('[A2A-2] cannot clear or cancel the session of the agent by a text', async () => {
    const { send, person, effects, onlyOpen } = await asking();
    await person.open(SESSION, {
      kind: 'approval',
      toolName: 'other',
      input: {},
      toolCallId: 'other',
    });
    for (const text of ['/cancel', ' /clear\n', '/clear']) {
      expect(saidBy((await send('task-1', text)).status).text).toContain('Commands are no answers');
    }
    expect((await person.snapshot(SESSION)).open).toHaveLength(2);
    await person.cancel(SESSION, 'other~1');
    await onlyOpen();
    expect(effects).toEqual([]);
  });

  it('[A2A-2, LIM-1] breaks nothing with odd or huge parts', async () => {
    const { send, asked, effects, handler } = await asking();
    const { interactionId, inputDigest } = saidBy(asked.status).data;
    const named = { interactionId, inputDigest };
    const odd: readonly unknown[] = [
      null,
      [],
      { holdpoint: null },
      { holdpoint: [] },
      { holdpoint: { ...named, answer: [] } },
      { holdpoint: { ...named, answer: {} } },
      { holdpoint: { ...named, answer: { decision: ['approve'] } } },
      { holdpoint: { ...named, answer: { ...APPROVE, inputDigest: 'another' }, inputDigest: 7 } },
      {
        holdpoint: {
          ...named,
          answer: JSON.parse('{"__proto__": {"decision": "approve"}}') as never,
        },
      },
      { holdpoint: { ...named, answer: { ...APPROVE, reason: 'x'.repeat(400_000) } } },
      { holdpoint: { interactionId: { toString: 'x' }, answer: APPROVE } },
    ];
    for (const part of odd) {
      const again = await send('task-1', part as never);
      expect(again.status.state, JSON.stringify(part)?.slice(0, 200)).toBe(STATE.inputRequired);
    }
    expect((await send('task-1', 'x'.repeat(400_000))).status.state).toBe(STATE.inputRequired);
    expect(handler.task('task-1').status.state).toBe(STATE.inputRequired);
    expect(effects).toEqual([]);
    expect((await send('task-1', answerTo(asked, APPROVE))).status.state).toBe(STATE.completed);
    expect(effects).toEqual([INPUT]);
  });

  it('[A2A-2, A2A-3] keeps the task when an answer cannot be delivered', async () => {
    const over = pair();
    let isBroken = true;
    const answer = () => Promise.reject(new TypeError('socket'));
    const broken = altered(answerer(over), { answer, answerText: answer });
    const { send, asked, effects } = await asking({
      over,
      answers: () => (isBroken ? broken : answerer(over)),
    });
    for (const part of ['yes', answerTo(asked, APPROVE)]) {
      const again = await send('task-1', part);
      expect(again.status.state).toBe(STATE.inputRequired);
      expect(saidBy(again.status).text).toContain('could not be delivered');
    }
    expect(effects).toEqual([]);
    isBroken = false;
    expect((await send('task-1', 'yes')).status.state).toBe(STATE.completed);
    expect(effects).toEqual([INPUT]);
  });

  it('[A2A-2] begins no second execution of a task that runs', async () => {
    let begun = 0;
    let finish = () => {};
    const { send, until, stream } = await asking({
      work: async (holdpoint) => {
        begun += 1;
        await holdpoint.approve({ toolName: 'deploy', input: INPUT });
        await new Promise<void>((resolve) => (finish = resolve));
        return 'done';
      },
    });
    await send('task-1', 'nonsense');
    const first = send('task-1', 'yes');
    await until(STATE.working);
    const second = send('task-1', 'yes');
    await expect(stream('task-1', 'yes').next()).rejects.toThrow('out of order');
    finish();
    expect((await first).status.state).toBe(STATE.completed);
    expect(
      (await second).history.some((message) =>
        saidBy({ state: 0, timestamp: undefined, message }).text.includes(
          'asks nothing at the moment',
        ),
      ),
    ).toBe(true);
    expect(begun).toBe(1);
  });
});
