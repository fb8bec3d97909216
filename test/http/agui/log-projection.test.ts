/**
 * The log as runs of AG-UI. A bug here looks like a client that rejects the stream, waits for a question that is
 * answered, or shows a run as done while a person is asked.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from '../../../src/http/agui/agui-event.ts';
import { LogProjection } from '../../../src/http/agui/log-projection.ts';
import type { EventOf, SessionEvent } from '../../../src/protocol/schema/event.ts';
import { readRuns } from '../../support/agui-runs.ts';
import { arbitrarySteps, takeStep } from '../../support/arbitrary-steps.ts';
import { answer, append, askApproval, askPlan, askQuestion, COMMAND } from '../../support/asks.ts';
import { startedWorld, worldAfter } from '../../support/core-world.ts';

const THREAD = 'session-1';

function project(log: readonly SessionEvent[], projection = new LogProjection(THREAD)) {
  return log.flatMap((event) => projection.event(event));
}

const shown = (log: readonly SessionEvent[]) => readRuns(project(log));
const finished = (events: readonly AguiEvent[]) =>
  events.filter((event) => event.type === 'RUN_FINISHED');
const TURNS = 1_000;

describe('runs', () => {
  it('[AGUI-1] are the turns, with everything in them', () => {
    const turnId = 't1';
    const { log } = worldAfter(
      append(
        { type: 'turn_started', turnId, payload: {} },
        { type: 'thinking', turnId, payload: { text: 'Hm' } },
        { type: 'assistant_text', turnId, payload: { text: 'I look' } },
        {
          type: 'tool_call',
          turnId,
          toolCallId: 'c',
          payload: { toolName: 'Ls', input: { at: '/' } },
        },
        {
          type: 'tool_result',
          turnId,
          toolCallId: 'c',
          payload: { output: { files: 2 }, isError: true },
        },
        { type: 'turn_ended', turnId, payload: { reason: 'completed' } },
      ),
    );
    const events = project(log);
    expect(readRuns(events)).toMatchObject([{ runId: 'run-2', ended: 'success' }]);
    expect(events.map((event) => ({ ...event, timestamp: undefined }))).toMatchObject([
      { type: 'RUN_STARTED', threadId: THREAD, runId: 'run-2', protocolVersion: '1.0' },
      { type: 'REASONING_START', messageId: 'holdpoint-3' },
      { type: 'REASONING_MESSAGE_START', messageId: 'holdpoint-3', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', delta: 'Hm' },
      { type: 'REASONING_MESSAGE_END' },
      { type: 'REASONING_END' },
      { type: 'TEXT_MESSAGE_START', messageId: 'holdpoint-4', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'holdpoint-4', delta: 'I look' },
      { type: 'TEXT_MESSAGE_END', messageId: 'holdpoint-4' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'Ls' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"at":"/"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 'holdpoint-6',
        toolCallId: 'c',
        content: '{"files":2}',
        role: 'tool',
        metadata: { holdpoint: { isError: true } },
      },
      { type: 'RUN_FINISHED', threadId: THREAD, runId: 'run-2', outcome: { type: 'success' } },
    ]);
  });

  it('[AGUI-1] show a call once: a client would append the second copy', () => {
    const call = {
      type: 'tool_call',
      toolCallId: 'c',
      payload: { toolName: 'Ls', input: {} },
    } as const;
    const { log } = worldAfter(append(call), append(call));
    const starts = project(log).filter(({ type }) => type === 'TOOL_CALL_START');
    expect(starts).toHaveLength(1);
  });

  it.each([
    ['completed', 'success'],
    ['interrupted', 'cancelled'],
    ['error', 'error'],
  ] as const)('[AGUI-1] end as a turn ended: %s is %s', (reason, ended) => {
    const { log } = worldAfter(
      append(
        { type: 'turn_started', payload: {} },
        { type: 'turn_ended', payload: { reason, message: 'Because' } },
      ),
    );
    expect(shown(log).map((run) => run.ended)).toEqual([ended]);
    if (ended === 'error') expect(project(log).at(-1)).toMatchObject({ message: 'Because' });
  });

  it('[AGUI-1] fail with the failure of an agent elsewhere; the next event begins another run', () => {
    const { log } = worldAfter(
      append(
        { type: 'turn_started', payload: {} },
        { type: 'error', payload: { message: 'Out of credit', code: 'billing' } },
        { type: 'assistant_text', payload: { text: 'Still here' } },
      ),
    );
    const events = project(log);
    expect(readRuns(events).map(({ ended }) => ended)).toEqual(['error', 'success']);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'RUN_ERROR', message: 'Out of credit', code: 'billing' }),
    );
  });

  it('[AGUI-1] end only with the last of several turns', () => {
    const session = worldAfter(append({ type: 'turn_started', turnId: 'a', payload: {} }));
    const other = {
      caller: { credential: 'b', subject: 'b', via: 'api', scopes: ['agent'] },
    } as const;
    session.run(append({ type: 'turn_started', turnId: 'b', payload: {} }), other);
    session.run(
      append({ type: 'turn_ended', turnId: 'b', payload: { reason: 'completed' } }),
      other,
    );
    expect(shown(session.log).map(({ ended }) => ended)).toEqual([undefined]);
    session.run(append({ type: 'turn_ended', turnId: 'a', payload: { reason: 'completed' } }));
    expect(shown(session.log).map(({ ended }) => ended)).toEqual(['success']);
  });

  it('[AGUI-1] give the usage of a turn that is one run, in the counts of AG-UI', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 10, cacheWriteTokens: 100 };
    const at = { at: 1, turnId: 't' } as const;
    const ended = { ...at, type: 'turn_ended', payload: { reason: 'completed', usage } } as const;
    const whole = project([
      { ...at, seq: 1, type: 'turn_started', payload: {} },
      { ...ended, seq: 2 },
    ]);
    expect(whole.at(-1)).toMatchObject({
      usage: [
        {
          inputTokens: 111,
          outputTokens: 2,
          totalTokens: 113,
          cachedInputTokens: 10,
          cacheWriteInputTokens: 100,
        },
      ],
    });
    const session = worldAfter(append({ type: 'turn_started', turnId: 't', payload: {} }));
    session.run(askApproval({ turnId: 't' }));
    session.run(answer('call-1~1', { decision: 'approve' }));
    const split = project([...session.log, { ...ended, seq: 99 }]);
    expect(finished(split)).toHaveLength(2);
    expect(split.at(-1)).not.toHaveProperty('usage');
  });
});

describe('interrupts', () => {
  it('[AGUI-1] end a run with everything that is open, and an outcome begins the next one', () => {
    const { log } = worldAfter(
      askApproval({ toolCallId: 'a' }, { allowEdit: true }),
      askPlan({ toolCallId: 'b' }),
      answer('a~1', { decision: 'approve', updatedInput: { command: 'ls' } }),
      answer('b~1', { decision: 'adjust', feedback: 'Shorter' }),
    );
    const events = project(log);
    expect(readRuns(events).map(({ ended }) => ended)).toEqual([
      ['a~1'],
      ['a~1', 'b~1'],
      ['b~1'],
      'success',
    ]);
    const resumes = events.flatMap((event) =>
      event.type === 'RUN_STARTED' && event.input ? event.input.resume : [],
    );
    expect(resumes).toMatchObject([
      {
        interruptId: 'a~1',
        status: 'resolved',
        payload: { updatedInput: { command: 'ls' } },
        metadata: { holdpoint: { outcome: 'approved', settledBy: { subject: 'ada', via: 'web' } } },
      },
      { interruptId: 'b~1', status: 'resolved', payload: { reason: 'Shorter' } },
    ]);
    expect(JSON.stringify(resumes)).not.toContain('credential');
  });

  it('[AGUI-1] describe the whole decision the first time', () => {
    const { log } = worldAfter(
      askApproval({ toolCallId: 'a' }, { description: 'Clean up', allowEdit: true }),
      askQuestion({ toolCallId: 'b' }),
    );
    const [first, second] = finished(project(log));
    const of = (event: typeof first) =>
      event?.outcome.type === 'interrupt' ? event.outcome.interrupts : [];
    const record = log.find(
      (event) => event.type === 'interaction_request',
    ) as EventOf<'interaction_request'>;
    expect(of(first)).toMatchObject([
      {
        id: 'a~1',
        reason: 'tool_call',
        message: 'Clean up',
        toolCallId: 'a',
        expiresAt: '2027-01-15T08:10:00Z',
        responseSchema: {
          type: 'object',
          required: ['approved'],
          properties: {
            approved: { type: 'boolean' },
            editedArgs: { type: 'object' },
            inputDigest: { const: record.payload.inputDigest },
          },
        },
        metadata: {
          holdpoint: {
            kind: 'approval',
            toolName: 'Bash',
            inputDigest: record.payload.inputDigest,
            request: { input: COMMAND },
          },
        },
      },
    ]);
    expect(of(second)[0]).not.toHaveProperty('responseSchema');
    expect(of(second)[0]?.metadata.holdpoint).not.toHaveProperty('request');
    expect(of(second)[1]).toMatchObject({ reason: 'input_required', message: 'Which color?' });
  });

  it('[AGUI-1, INT-17] say how much of a large input is hidden', () => {
    const { log } = worldAfter(askApproval());
    const wholeInput = { bytes: 300_000, sha256: 'a'.repeat(64), hiddenChars: 250_000 };
    const large = log.map((event) =>
      event.type === 'interaction_request'
        ? { ...event, payload: { ...event.payload, wholeInput } }
        : event,
    );
    const [waiting] = finished(project(large));
    expect(waiting).toMatchObject({
      outcome: {
        interrupts: [
          {
            responseSchema: { properties: { read: { enum: ['whole', 'part'] } } },
            metadata: { holdpoint: { wholeInput } },
          },
        ],
      },
    });
    expect(JSON.stringify(finished(project(log)))).not.toContain('"read"');
  });

  it('[AGUI-1] give no deadline after which an answer still counts', () => {
    const session = worldAfter(askApproval({ onExpire: 'keep', timeoutSeconds: 60 }));
    session.advance(61_000);
    const [waiting] = finished(project(session.log));
    expect(waiting).toMatchObject({ outcome: { interrupts: [{ id: 'call-1~1' }] } });
    expect(JSON.stringify(waiting)).not.toContain('expiresAt');
  });

  it('[AGUI-1] are abandoned, and not decided, by a deadline and by a cancel', () => {
    const session = worldAfter(askApproval({ toolCallId: 'a' }), askApproval({ toolCallId: 'b' }));
    session.run({ type: 'interaction.cancel', interactionId: 'b~1' });
    session.advance(601_000);
    const resumes = project(session.log).flatMap((event) =>
      event.type === 'RUN_STARTED' && event.input ? event.input.resume : [],
    );
    expect(resumes.map(({ status, payload }) => [status, payload])).toEqual([
      ['cancelled', undefined],
      ['cancelled', undefined],
    ]);
  });

  it('[AGUI-1] do not grow with each end of a run', () => {
    const session = startedWorld();
    const input = { text: 'x'.repeat(10_000) };
    for (let count = 0; count < 20; count += 1) {
      session.run(askApproval({ toolCallId: `c-${count}` }, { input }));
    }
    const chars = JSON.stringify(project(session.log)).length;
    expect(chars).toBeLessThan(20 * 10_000 * 3);
  });

  it('[AGUI-1] wait for no person in a deleted session', () => {
    const { log } = worldAfter(askApproval(), { type: 'session.delete' });
    expect(shown(log).at(-1)).toMatchObject({ ended: 'cancelled' });
  });
});

describe('any log', () => {
  it('[AGUI-1] is a stream that a client accepts, and ends with exactly what is open', () => {
    fc.assert(
      fc.property(arbitrarySteps, (steps) => {
        const session = startedWorld();
        for (const step of steps) {
          const { command, caller } = takeStep(session, step);
          session.run(command, { caller });
        }
        const runs = shown(session.log);
        for (const { ended } of runs.slice(0, -1)) expect(ended).toBeDefined();
        const last = runs.at(-1)?.ended;
        const open = [...session.live.open.keys()];
        if (last === 'error' || last === undefined) return;
        if (open.length === 0) expect(['success', 'cancelled']).toContain(last);
        else expect(new Set(last)).toEqual(new Set(open));
      }),
    );
  });

  it('[AGUI-1] of five thousand events has ids that follow from the log', () => {
    const session = startedWorld();
    for (let count = 0; count < TURNS; count += 1) {
      const turnId = `t${count}`;
      session.run(
        append(
          { type: 'turn_started', turnId, payload: {} },
          { type: 'assistant_text', turnId, payload: { text: 'On it' } },
          {
            type: 'tool_call',
            turnId,
            toolCallId: `c${count}`,
            payload: { toolName: 'Ls', input: {} },
          },
          { type: 'tool_result', turnId, toolCallId: `c${count}`, payload: { output: '' } },
          { type: 'turn_ended', turnId, payload: { reason: 'completed' } },
        ),
      );
    }
    expect(session.log.length).toBeGreaterThan(5_000);
    expect(project(session.log)).toEqual(project(session.log));
    expect(shown(session.log)).toHaveLength(TURNS);
  });
});
