/**
 * A turn of the built-in agent from its message to its end. A bug would look like a result that goes back alone, a
 * request to the model while a person decides, or a conversation that the model's API refuses.
 */
import { describe, expect, it } from 'vitest';
import { AgentWorld } from '../support/agent-world.ts';
import { calls, textOutcome, USAGE } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';
import { WRITE, ASK, world } from './agent-turn-calls.ts';

const READ = { id: 'toolu_2', name: 'List', input: {} };

describe('a turn', () => {
  it('[RUN-1, TXT-5] is one commit for its start and one for an answer that ends it', async () => {
    const agent = world();
    agent.model.will(textOutcome('Good day.'));
    const handled = await agent.sendMessage('Hello');
    expect(handled).toMatchObject({
      ok: true,
      body: { routed: 'turn', messageId: expect.any(String), turnId: expect.any(String) },
    });
    expect(agent.types(1)).toEqual([
      'turn_started',
      'user_message',
      'assistant_text',
      'turn_ended',
    ]);
    expect(agent.ofType('turn_ended')[0]?.payload).toEqual({ reason: 'completed', usage: USAGE });
    const turnIds = new Set(
      agent
        .log()
        .slice(1)
        .map(({ turnId }) => turnId),
    );
    expect(turnIds.size).toBe(1);
    expect(agent.trace.filter((what) => what === 'commit')).toHaveLength(3);
    expect(agent.model.requests).toHaveLength(1);
    expect(agent.model.requests[0]).toMatchObject({
      model: 'scripted',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('[RUN-1] sends the messages of the earlier turns too', async () => {
    const agent = world();
    agent.model.will(textOutcome('Good day.'), textOutcome('Still here.'));
    await agent.sendMessage('Hello');
    await agent.sendMessage('And?');
    expect(agent.model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(agent.model.problems).toEqual([]);
  });

  it('[RUN-2] holds the results of one answer together until the last one is there', async () => {
    const agent = world({ mode: 'acceptEdits' });
    agent.model.will(calls(ASK, READ, WRITE));
    await agent.sendMessage('Go');
    expect(agent.ofType('tool_result').map(({ toolCallId }) => toolCallId)).toEqual([
      'toolu_2',
      'toolu_1',
    ]);
    expect(agent.model.requests).toHaveLength(1);
    agent.model.will(textOutcome('Done.'));
    await agent.answers('toolu_3~1', { answers: { '0': 'Blue' } });
    expect(agent.model.requests).toHaveLength(2);
    expect(agent.lastResults).toMatchObject([
      { id: 'toolu_3', content: 'Which color?: ["Blue"]', isError: false },
      { id: 'toolu_2', isError: false },
      { id: 'toolu_1', isError: false },
    ]);
    expect(agent.model.problems).toEqual([]);
    expect(agent.state?.info.turn).toBeNull();
  });

  it('[RUN-8] writes a file in the transaction of its result', async () => {
    const agent = world();
    agent.model.will(calls(WRITE), textOutcome('Written.'));
    await agent.sendMessage('Go');
    expect(agent.store.files.read('a.md')).toBeUndefined();
    await agent.answers('toolu_1~1', { decision: 'approve' });
    expect(agent.store.files.read('a.md')).toMatchObject({ content: 'Hello', size: 5 });
    expect(agent.types().slice(-4)).toEqual([
      'interaction_response',
      'tool_result',
      'assistant_text',
      'turn_ended',
    ]);
  });

  it('[RUN-8, APR-2] the edited input runs, and the result says so', async () => {
    const agent = world();
    agent.model.will(calls(WRITE), textOutcome('Written.'));
    await agent.sendMessage('Go');
    const updatedInput = { path: 'b.md', content: 'Bye' };
    await agent.answers('toolu_1~1', { decision: 'approve', updatedInput });
    expect(agent.store.files.list().map(({ path }) => path)).toEqual(['b.md']);
    expect(agent.lastResults[0]).toMatchObject({ content: expect.stringContaining('b.md') });
    expect(agent.lastResults[0]).toMatchObject({
      content: expect.stringContaining('changed the input'),
    });
  });

  it.each([
    [{ decision: 'deny', reason: 'Not today' }, 'User denied tool execution. Reason: Not today'],
    [{ decision: 'deny' }, 'User denied tool execution'],
  ])('[RUN-5] a denial reaches the model as an error: %j', async (answer, content) => {
    const agent = world();
    agent.model.will(calls(WRITE), textOutcome('A pity.'));
    await agent.sendMessage('Go');
    await agent.answers('toolu_1~1', answer);
    expect(agent.lastResults).toEqual([{ id: 'toolu_1', content, isError: true }]);
    expect(agent.store.files.list()).toEqual([]);
  });

  it('[RUN-5] so do a deadline and a cancel', async () => {
    const agent = world();
    agent.model.will(calls(WRITE), calls({ ...WRITE, id: 'toolu_9' }), textOutcome('A pity.'));
    await agent.sendMessage('Go');
    await agent.pass(10 * 60_000);
    expect(agent.lastResults).toMatchObject([
      { content: 'Tool approval timed out after 10 minutes', isError: true },
    ]);
    agent.must({ type: 'interactions.cancel' });
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([{ content: 'Interaction cancelled', isError: true }]);
    expect(agent.state?.info.turn).toBeNull();
  });

  it('[APR-3] a rule that a person keeps lets the next call through', async () => {
    const agent = world();
    agent.model.will(calls(WRITE), calls({ ...WRITE, id: 'toolu_9' }), textOutcome('Done.'));
    await agent.sendMessage('Go');
    await agent.answers('toolu_1~1', { decision: 'approve', offer: 'session', everyCommand: true });
    expect(agent.state?.info.turn).toBeNull();
    expect(agent.ofType('tool_call').at(-1)?.payload.decided).toMatchObject({
      behavior: 'allow',
      by: { rule: expect.any(String) },
    });
  });

  it('[RUN-5, RUN-8] a call that makes no sense is refused without a request to a person', async () => {
    const agent = world();
    agent.model.will(
      calls(
        { id: 'toolu_a', name: 'Fly', input: {} },
        { id: 'toolu_b', name: 'Write', input: { path: 3 } },
        { id: 'toolu_c', name: 'AskUserQuestion', input: { questions: [] } },
        { id: 'toolu_d', name: 'List', input: {}, inputProblem: 'A key is there twice' },
      ),
      textOutcome('I see.'),
    );
    await agent.sendMessage('Go');
    expect(agent.openIds).toEqual([]);
    expect(agent.lastResults).toMatchObject([
      { content: 'There is no tool "Fly".', isError: true },
      { content: expect.stringContaining('does not fit Write'), isError: true },
      { content: expect.stringContaining('does not fit AskUserQuestion'), isError: true },
      { content: expect.stringContaining('A key is there twice'), isError: true },
    ]);
  });
});

describe('waiting', () => {
  it('[RUN-3] leaves no timer, lease or request, and goes on after an eviction', async () => {
    const agent = world();
    agent.model.will(calls(ASK));
    await agent.sendMessage('Go');
    // Not even once for the watch over the answer: an alarm wakes it, and a wake is paid for.
    expect(agent.alarm.armedAt).toBe(agent.record('toolu_3~1').expiresAt);
    await agent.pass(60_000);
    expect(agent.later.size).toBe(0);
    expect(agent.alarm.armedAt).toBe(agent.record('toolu_3~1').expiresAt);
    agent.evict();
    agent.model.will(textOutcome('Blue it is.'));
    await agent.answers('toolu_3~1', { answers: { '0': 'Blue' } });
    expect(agent.types().at(-1)).toBe('turn_ended');
    expect(agent.model.problems).toEqual([]);
  });

  it('[TIME-1] has deadlines of its own, and those of the session come first', async () => {
    const agent = world();
    agent.model.will(calls(WRITE, ASK));
    await agent.sendMessage('Go');
    expect(agent.record('toolu_1~1').timeoutMs).toBe(600_000);
    expect(agent.record('toolu_3~1').timeoutMs).toBe(600_000);
    agent.must({ type: 'turn.interrupt' });
    agent.must({ type: 'session.update', changes: { timeouts: { approval: null } } });
    agent.model.will(calls({ ...WRITE, id: 'toolu_8' }));
    await agent.sendMessage('Again');
    expect(agent.record('toolu_8~1').timeoutMs).toBeNull();
    const plan = new AgentWorld(new SqliteStorage(), { mode: 'plan' });
    plan.model.will(calls({ id: 'toolu_9', name: 'ExitPlanMode', input: { plan: '1. Look' } }));
    await plan.sendMessage('Plan it');
    expect(plan.record('toolu_9~1').timeoutMs).toBe(300_000);
  });

  it('[TIME-1] has the deadlines of the deployment, also for a command without a sender', async () => {
    const agent = world({ timeouts: { approval: 30, question: null } });
    agent.model.will(calls(WRITE), calls(ASK));
    await agent.sendMessage('Go');
    expect(agent.record('toolu_1~1').timeoutMs).toBe(30_000);
    await agent.pass(30_000);
    expect(agent.record('toolu_3~1').expiresAt).toBeNull();
  });

  it('[TXT-5] text for a turn that runs waits, and goes along with its results', async () => {
    const agent = world();
    agent.model.will(calls(WRITE), textOutcome('Both done.'));
    await agent.sendMessage('Go');
    expect(await agent.sendMessage('And be quick')).toMatchObject({ body: { routed: 'queued' } });
    await agent.answers('toolu_1~1', { decision: 'approve' });
    expect(agent.lastResults.at(-1)).toEqual({ type: 'text', text: 'And be quick' });
    expect(agent.ofType('user_message')).toHaveLength(2);
    expect(agent.ofType('turn_started')).toHaveLength(1);
    expect(agent.state?.info.queued).toEqual([]);
  });

  it('[TXT-5] text that came while the model answered begins the next turn', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    await agent.sendMessage('One more thing');
    agent.model.will(textOutcome('First.'), textOutcome('Second.'));
    await agent.quiet();
    expect(agent.ofType('turn_started')).toHaveLength(2);
    expect(agent.model.requests.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'One more thing' }],
    });
  });

  it('[UI-13] a queued message can be withdrawn', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    await agent.sendMessage('Never mind this');
    const messageId = agent.state?.info.queued[0]?.id ?? '';
    agent.must({ type: 'message.remove', messageId });
    expect(agent.handle({ type: 'message.remove', messageId })).toMatchObject({
      code: 'not_found',
    });
    agent.model.will(textOutcome('Done.'));
    await agent.quiet();
    expect(agent.ofType('user_message')).toHaveLength(1);
  });
});
