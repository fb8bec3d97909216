/**
 * A denial that stops the turn of the built-in agent. A bug would look like a model that is asked once more after "stop",
 * a call without a result, or a turn of another agent that ends with it.
 */
import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../src/protocol/schema/agent-settings.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { agent as program } from '../support/callers.ts';
import { askApproval } from '../support/asks.ts';
import { calls, textOutcome, USAGE } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

const WRITE = { id: 'toolu_1', name: 'Write', input: { path: 'a.md', content: 'Hello' } };
const ASK = {
  id: 'toolu_2',
  name: 'AskUserQuestion',
  input: {
    questions: [
      { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  },
};
const SHOOT = { id: 'toolu_3', name: 'Screenshot', input: {} };
const SHOOT_TOOL: AgentTool = {
  type: 'client',
  name: 'Screenshot',
  description: 'Take a picture.',
  inputSchema: { type: 'object' },
  class: 'read',
  idempotent: false,
  timeoutSeconds: 60,
};
const STOP = { decision: 'deny', stop: true, reason: 'Enough' };

describe('a denial with stop', () => {
  it('[APR-7, RUN-6] ends the turn in its commit, with a result for every call', async () => {
    const agent = new AgentWorld(new SqliteStorage(), { settings: { tools: [SHOOT_TOOL] } });
    agent.model.will(calls(WRITE, ASK));
    await agent.sendMessage('Go');
    const head = agent.state?.head ?? 0;
    await agent.answers('toolu_1~1', STOP);
    expect(agent.types(head)).toEqual([
      'interaction_response',
      'interaction_response',
      'tool_result',
      'tool_result',
      'turn_ended',
    ]);
    expect(agent.ofType('turn_ended').at(-1)?.payload).toEqual({
      reason: 'interrupted',
      usage: USAGE,
    });
    expect(agent.record('toolu_2~1')).toMatchObject({
      outcome: 'cancelled',
      reason: 'Turn stopped',
    });
    expect(agent.openIds).toEqual([]);
    expect(agent.store.load()?.run).toBeNull();
    expect(agent.model.requests).toHaveLength(1);
  });

  it('[APR-7] leaves a conversation that goes on with the next message', async () => {
    const agent = new AgentWorld(new SqliteStorage());
    agent.model.will(calls(WRITE));
    await agent.sendMessage('Go');
    await agent.answers('toolu_1~1', STOP);
    agent.restart();
    agent.model.will(textOutcome('Good day.'));
    await agent.sendMessage('Hello again');
    expect(agent.model.problems).toEqual([]);
    expect(agent.lastResults).toEqual([
      {
        id: 'toolu_1',
        content: 'User denied tool execution and stopped the turn. Reason: Enough',
        isError: true,
      },
      { type: 'text', text: 'Hello again' },
    ]);
    expect(agent.store.files.list()).toEqual([]);
  });

  it('[APR-7] ends a tool of the turn that runs', async () => {
    const other = { ...SHOOT_TOOL, name: 'Send', class: 'execute' } as const;
    const agent = new AgentWorld(new SqliteStorage(), {
      settings: { tools: [SHOOT_TOOL, other] },
      mode: 'acceptEdits',
    });
    agent.model.will(calls(SHOOT, { id: 'toolu_4', name: 'Send', input: {} }));
    await agent.sendMessage('Go');
    await agent.answers('toolu_4~1', STOP);
    const [sent, running] = agent.ofType('tool_result').slice(-2);
    expect(sent).toMatchObject({ toolCallId: 'toolu_4', payload: { isError: true } });
    expect(running).toMatchObject({
      toolCallId: 'toolu_3',
      payload: { isError: true, output: expect.stringContaining('may have had its effect') },
    });
    const late = {
      type: 'tool.result',
      toolCallId: 'toolu_3',
      output: 'x',
      isError: false,
    } as const;
    expect(agent.handle(late, { caller: program() })).toMatchObject({ code: 'not_found' });
  });

  it('[APR-7, TXT-5] lets a queued message begin the next turn', async () => {
    const agent = new AgentWorld(new SqliteStorage());
    agent.model.will(calls(WRITE), textOutcome('Something else.'));
    await agent.sendMessage('Go');
    await agent.sendMessage('Do something else');
    await agent.answers('toolu_1~1', STOP);
    expect(agent.ofType('turn_started')).toHaveLength(2);
    expect(agent.lastResults.at(-1)).toEqual({ type: 'text', text: 'Do something else' });
    expect(agent.model.problems).toEqual([]);
  });

  it('[APR-7] without stop lets the model decide how to go on', async () => {
    const agent = new AgentWorld(new SqliteStorage());
    agent.model.will(calls(WRITE), textOutcome('A pity.'));
    await agent.sendMessage('Go');
    await agent.answers('toolu_1~1', { decision: 'deny' });
    expect(agent.model.requests).toHaveLength(2);
    expect(agent.ofType('turn_ended').at(-1)?.payload.reason).toBe('completed');
  });

  it('[APR-7] of what another agent asked in the session ends no turn of the built-in agent', async () => {
    const agent = new AgentWorld(new SqliteStorage());
    agent.model.will(calls(ASK));
    await agent.sendMessage('Go');
    const turnId = agent.ofType('turn_started')[0]?.turnId ?? '';
    agent.must(askApproval({ turnId }), { caller: program() });
    await agent.answers('call-1~1', STOP);
    expect(agent.record('call-1~1').decision).toEqual({ decision: 'deny', stop: true });
    expect(agent.state?.info.turn?.turnId).toBe(turnId);
    expect(agent.openIds).toEqual(['toolu_2~1']);
  });
});
