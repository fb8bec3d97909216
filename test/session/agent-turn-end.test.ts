/** A turn that ends before its time, or whose model fails. A bug would look like a call without a result, or a conversation that the model's API refuses. */
import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../src/protocol/schema/agent-settings.ts';
import { answered, calls, fails, textOutcome } from '../support/scripted-model.ts';
import { WRITE, ASK, world } from './agent-turn-calls.ts';

const SHOOT = { id: 'toolu_4', name: 'Screenshot', input: {} };

const SHOOT_TOOL: AgentTool = {
  type: 'client',
  name: 'Screenshot',
  description: 'Take a picture.',
  inputSchema: { type: 'object' },
  class: 'read',
  idempotent: false,
  timeoutSeconds: 60,
};

describe('an end before its time', () => {
  it('[RUN-6] an interrupt stops the model, and drops its later output', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    agent.must({ type: 'turn.interrupt' });
    await agent.quiet();
    expect(agent.model.aborted).toBe(1);
    expect(agent.ofType('turn_ended').at(-1)?.payload).toMatchObject({
      reason: 'interrupted',
      usage: { inputTokens: 0 },
    });
    expect(agent.types().at(-1)).toBe('turn_ended');
    agent.model.will(textOutcome('Good day.'));
    await agent.sendMessage('Hello again');
    expect(agent.model.problems).toEqual([]);
    expect(agent.model.requests.at(-1)?.messages).toHaveLength(1);
  });

  it('[RUN-6, LOG-5] an interrupt keeps the text so far in the log, and the model never receives it', async () => {
    const agent = world();
    const deltas = ['It was ', 'a dark '].map(
      (text) => ({ type: 'text', block: 0, text }) as const,
    );
    agent.model.will({ deltas });
    await agent.sendMessage('Go');
    expect(agent.types()).not.toContain('assistant_text');
    agent.must({ type: 'turn.interrupt' });
    await agent.quiet();
    expect(agent.types().slice(-2)).toEqual(['assistant_text', 'turn_ended']);
    const turnId = agent.ofType('turn_started')[0]?.turnId;
    expect(agent.ofType('assistant_text')).toEqual([
      expect.objectContaining({
        turnId,
        responseId: `${turnId}.1`,
        payload: { text: 'It was a dark ', partial: true },
      }),
    ]);
    agent.model.will(textOutcome('Good day.'));
    await agent.sendMessage('Hello again');
    expect(agent.model.problems).toEqual([]);
    const told = agent.model.requests.at(-1)?.messages;
    expect(told?.map(({ role }) => role)).toEqual(['user']);
    expect(JSON.stringify(told)).not.toContain('dark');
    // An interrupt of the next answer has nothing of the one before.
    await agent.sendMessage('And?');
    agent.must({ type: 'turn.interrupt' });
    expect(agent.ofType('assistant_text')).toHaveLength(2);
  });

  it('[LOG-5] an interrupt keeps nothing of an answer that failed or that a dead server was given', async () => {
    const agent = world();
    const deltas = [{ type: 'text', block: 0, text: 'It was ' }] as const;
    agent.model.will({ deltas, ending: fails() });
    await agent.sendMessage('Go');
    agent.must({ type: 'turn.interrupt' });
    expect(agent.types()).not.toContain('assistant_text');
    agent.model.will({ deltas });
    await agent.sendMessage('Again');
    agent.restart();
    agent.must({ type: 'turn.interrupt' });
    expect(agent.types()).not.toContain('assistant_text');
  });

  it('[RUN-6] an interrupt while a person is asked answers every call of that message', async () => {
    const agent = world();
    agent.model.will(calls(WRITE, ASK));
    await agent.sendMessage('Go');
    agent.must({ type: 'turn.interrupt' });
    agent.model.will(textOutcome('Good day.'));
    await agent.sendMessage('Hello again');
    expect(agent.openIds).toEqual([]);
    expect(agent.model.problems).toEqual([]);
    expect(agent.lastResults).toMatchObject([
      { id: 'toolu_1', isError: true },
      { id: 'toolu_3', isError: true },
      { type: 'text', text: 'Hello again' },
    ]);
  });

  it('[LOG-9] /clear empties the conversation, and keeps the log and the files', async () => {
    const agent = world({ mode: 'acceptEdits' });
    agent.model.will(calls(WRITE), textOutcome('Written.'));
    await agent.sendMessage('Go');
    const before = agent.log().length;
    await agent.sendMessage('/clear');
    agent.model.will(textOutcome('Hello.'));
    await agent.sendMessage('Hello');
    expect(agent.model.requests.at(-1)?.messages).toHaveLength(1);
    expect(agent.log().length).toBeGreaterThan(before);
    expect(agent.store.files.list()).toHaveLength(1);
  });

  it.each([
    ['an interrupt', { type: 'turn.interrupt' }, []],
    ['/clear', { type: 'session.clear' }, ['context_cleared']],
    ['a delete', { type: 'session.delete' }, ['session_status']],
  ] as const)('[RUN-6, LOG-9] %s: every call has its result before the end', async (...row) => {
    const [_what, command, rest] = row;
    const agent = world({ mode: 'acceptEdits', settings: { tools: [SHOOT_TOOL] } });
    agent.model.will(calls(ASK, SHOOT));
    await agent.sendMessage('Go');
    const head = agent.state?.head ?? 0;
    agent.workspace.hold();
    agent.must(command);
    expect(agent.types(head)).toEqual([
      'interaction_response',
      'tool_result',
      'tool_result',
      'turn_ended',
      ...rest,
    ]);
    const [asked, running] = agent.ofType('tool_result').slice(-2);
    expect(asked).toMatchObject({
      toolCallId: 'toolu_3',
      payload: { isError: true, output: 'Interaction cancelled' },
    });
    expect(running).toMatchObject({
      toolCallId: 'toolu_4',
      payload: { isError: true, output: expect.stringContaining('may have had its effect') },
    });
  });

  it('[LOG-9] a deleted session says nothing more to the model, and nothing that was queued', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    await agent.sendMessage('And then this');
    agent.must({ type: 'session.delete' });
    expect(agent.store.load()?.run).toBeNull();
    await agent.quiet();
    expect(agent.model.requests).toHaveLength(1);
    expect(agent.model.aborted).toBe(1);
  });

  it('[RUN-7] a limit of steps ends the turn and says so; a person can let it go on', async () => {
    const agent = world({ settings: { maxSteps: 1 }, mode: 'acceptEdits' });
    agent.model.will(calls(WRITE));
    await agent.sendMessage('Go');
    expect(agent.ofType('error').at(-1)?.payload).toMatchObject({ code: 'step_limit' });
    expect(agent.ofType('turn_ended').at(-1)?.payload.reason).toBe('error');
    agent.model.will(textOutcome('Done.'));
    expect(agent.handle({ type: 'turn.retry' })).toMatchObject({
      body: { turnId: expect.any(String) },
    });
    await agent.quiet();
    expect(agent.ofType('turn_ended').at(-1)?.payload.reason).toBe('completed');
    expect(agent.model.problems).toEqual([]);
  });

  it('[RUN-7] the limit holds for a model that pauses again and again, too', async () => {
    const agent = world({ settings: { maxSteps: 3 } });
    const pauses = answered([{ type: 'text', text: 'One moment.' }], 'pause_turn');
    agent.model.will(...Array.from({ length: 5 }, () => pauses));
    await agent.sendMessage('Go');
    expect(agent.model.requests).toHaveLength(3);
    expect(agent.ofType('error').at(-1)?.payload).toMatchObject({ code: 'step_limit' });
    agent.must({ type: 'turn.retry' });
    await agent.quiet();
    expect(agent.model.problems).toEqual([]);
  });

  it('[RUN-2] a pause with a call in it runs nothing, and the conversation goes on', async () => {
    const agent = world({ mode: 'acceptEdits' });
    agent.model.will(
      answered([{ type: 'tool_use', ...WRITE }], 'pause_turn'),
      textOutcome('Well.'),
    );
    await agent.sendMessage('Go');
    expect(agent.lastResults).toMatchObject([
      { id: 'toolu_1', isError: true },
      { type: 'text', text: 'Please go on.' },
    ]);
    expect(agent.store.files.list()).toEqual([]);
    expect(agent.types().at(-1)).toBe('turn_ended');
    expect(agent.model.problems).toEqual([]);
  });

  it('[RUN-7] an answer that was cut off says so, and runs no call of it', async () => {
    const agent = world({ mode: 'acceptEdits' });
    agent.model.will(
      answered([{ type: 'tool_use', ...WRITE }], 'max_tokens'),
      textOutcome('Again.'),
    );
    await agent.sendMessage('Go');
    expect(agent.ofType('turn_ended').at(-1)?.payload.message).toContain('cut off');
    expect(agent.store.files.list()).toEqual([]);
    await agent.sendMessage('Again');
    expect(agent.model.problems).toEqual([]);
  });
});

describe('a model that fails', () => {
  it('[RUN-7] is asked again with growing pauses, seen by everyone, by the alarm', async () => {
    const agent = world();
    agent.model.will(fails(), fails({ retryAfterMs: 7_000 }), textOutcome('Here I am.'));
    await agent.sendMessage('Go');
    expect(agent.ofType('session_status').at(-1)?.payload).toEqual({
      status: 'retrying',
      message: 'The model is overloaded. Trying again in 1 second.',
    });
    await agent.pass(1_000);
    expect(agent.ofType('session_status').at(-1)?.payload.message).toContain('7 seconds');
    await agent.pass(6_999);
    expect(agent.model.requests).toHaveLength(2);
    await agent.pass(1);
    expect(agent.types().at(-1)).toBe('turn_ended');
  });

  it('[RUN-3, RUN-7] the pause survives the process', async () => {
    const agent = world();
    agent.model.will(fails());
    await agent.sendMessage('Go');
    agent.restart();
    await agent.quiet();
    expect(agent.model.requests).toHaveLength(1);
    agent.model.will(textOutcome('Here I am.'));
    await agent.pass(1_000);
    expect(agent.types().at(-1)).toBe('turn_ended');
  });

  it('[RUN-7, RUN-10] a failure that would repeat ends the turn; a person retries it from there', async () => {
    const agent = world({ mode: 'acceptEdits' });
    agent.model.will(
      calls(WRITE),
      fails({ retry: 'never', reason: 'not_authorized', message: 'No.' }),
    );
    await agent.sendMessage('Go');
    expect(agent.ofType('error').at(-1)?.payload).toEqual({
      code: 'model_not_authorized',
      message: 'No.',
    });
    expect(agent.state?.info.turn).toBeNull();
    agent.model.will(textOutcome('Done.'));
    agent.must({ type: 'turn.retry' });
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([{ id: 'toolu_1', isError: false }]);
    expect(agent.store.files.list()).toHaveLength(1);
    expect(agent.handle({ type: 'turn.retry' })).toMatchObject({ code: 'nothing_to_retry' });
  });

  it('[RUN-7] gives up after ten times', async () => {
    const agent = world();
    agent.model.will(...Array.from({ length: 10 }, () => fails()));
    await agent.sendMessage('Go');
    await agent.pass(60 * 60_000);
    expect(agent.model.requests).toHaveLength(10);
    expect(agent.ofType('turn_ended').at(-1)?.payload.reason).toBe('error');
  });

  it('[RUN-9] without a model a turn is refused, and nothing is logged', async () => {
    const agent = world({ isConfigured: false });
    const before = agent.log().length;
    expect(await agent.sendMessage('Hello')).toMatchObject({ code: 'model_not_configured' });
    expect(agent.log()).toHaveLength(before);
  });
});
