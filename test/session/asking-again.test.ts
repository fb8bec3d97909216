/**
 * One tool call with more than one request. A bug would look like an agent that takes the answer to the second request
 * for the answer to the first, or that never receives the outcome of a replaced one.
 */
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  askApproval,
  askForm,
  askQuestion,
  COLOR,
  SIZES,
} from '../support/asks.ts';
import { agent } from '../support/callers.ts';
import { MINUTE } from '../support/core-world.ts';
import { readInteraction } from '../../src/session/queries.ts';
import { sessionAfter } from '../support/session-storage.ts';

const FIRST = { values: { host: 'localhost' } };

describe('a reprompt', () => {
  const again = askForm({ errorSummary: 'No such host', fieldErrors: { host: 'Unknown' } });

  it('[INT-14] a waiter for the old one receives superseded, and not the outcome of the new one', async () => {
    const world = await sessionAfter(askForm());
    const waiter = world.waitFor('call-1~1');
    const other = world.waitFor('call-1~1', { agent: false });
    expect(world.must(again).reply).toMatchObject({ interactionId: 'call-1~2', created: true });
    for (const one of [waiter, other]) {
      expect(one.frames).toMatchObject([
        { type: 'settled', interaction: { outcome: 'superseded', replacedBy: 'call-1~2' } },
      ]);
      expect(one.closed).toEqual({ code: 1000, reason: 'settled' });
    }
    world.must(answer('call-1~2', FIRST));
    expect(waiter.frames).toHaveLength(1);
    const late = world.waitFor('call-1~1');
    expect(late.last?.interaction).toMatchObject({ outcome: 'superseded', replacedBy: 'call-1~2' });
  });

  it('[INT-14, PEND-4] is one commit, and pending stays true, now about the new request', async () => {
    const world = await sessionAfter(askForm());
    const head = world.log().length;
    const socket = world.connect({ after: head });
    world.must(again);
    expect(socket.frames.slice(1).map((frame) => frame.events?.map((event) => event.type))).toEqual(
      [['interaction_response', 'interaction_pending', 'interaction_request']],
    );
    expect(world.record('call-1~2')).toMatchObject({
      replaces: 'call-1~1',
      errorSummary: 'No such host',
      fieldErrors: { host: 'Unknown' },
    });
  });

  it('[INT-14, INT-7] an answer to the old one names its replacement, over a restart too', async () => {
    const world = await sessionAfter(askForm(), again);
    world.restart();
    expect(world.handle(answer('call-1~1', FIRST))).toMatchObject({
      code: 'already_settled',
      details: { outcome: 'superseded', replacedBy: 'call-1~2' },
    });
    expect(world.record('call-1~2').status).toBe('open');
  });

  it('[INT-14, TIME-1] has its own deadline; the deadline of the old one ends nothing', async () => {
    const world = await sessionAfter(askForm());
    world.now += 4 * MINUTE;
    world.must(again);
    await world.pass(2 * MINUTE);
    expect(world.record('call-1~2').status).toBe('open');
    await world.pass(3 * MINUTE);
    expect(world.record('call-1~2').outcome).toBe('expired');
  });

  it('[INT-14] not more often than twenty times, and the last one stays open', async () => {
    const world = await sessionAfter(askForm());
    for (let time = 1; time <= 20; time += 1) {
      world.must(askForm({ errorSummary: `Try ${time}` }));
    }
    expect(world.handle(askForm({ errorSummary: 'Try 21' }))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'repromptsPerToolCall', max: 20 },
    });
    expect(world.record('call-1~21').status).toBe('open');
    world.must(answer('call-1~21', FIRST));
  });
});

describe('the same tool call', () => {
  it('[INT-5] with the same request gets the same record, open and settled, after a restart', async () => {
    const world = await sessionAfter(askQuestion());
    const head = world.log().length;
    const repeated = () => world.must(askQuestion());
    world.connect();
    world.trace.length = 0;
    expect(repeated().body).toMatchObject({ interaction: { status: 'open' } });
    expect(world.trace).toEqual([]);
    world.restart();
    expect(repeated().reply).toMatchObject({ interactionId: 'call-1~1', created: false });
    expect(world.log()).toHaveLength(head);
    world.must(answer('call-1~1', { answers: { '0': 'Red' } }));
    world.restart();
    expect(repeated().body).toMatchObject({
      interaction: { outcome: 'answered', answers: { '0': 'Red' }, reply: { behavior: 'allow' } },
    });
  });

  it('[INT-5] with another request after it settled takes a second step; both stay readable', async () => {
    const world = await sessionAfter(
      askQuestion({}, [COLOR]),
      answer('call-1~1', { answers: { '0': 'Red' } }),
      askQuestion({}, [SIZES]),
    );
    const waiter = world.waitFor('call-1~2');
    world.must(answer('call-1~2', { answers: { '0': ['S'] } }));
    expect(waiter.last?.interaction).toMatchObject({ answers: { '0': ['S'] } });
    const first = readInteraction(world.session, 'call-1~1', agent());
    expect(first).toMatchObject({ value: { answers: { '0': 'Red' } } });
    const said = world
      .log()
      .flatMap((event) => (event.type === 'interaction_pending' ? [event.payload] : []))
      .map(({ interactionId, pending }) => [interactionId, pending]);
    expect(said).toEqual([
      ['call-1~1', true],
      ['call-1~1', false],
      ['call-1~2', true],
      ['call-1~2', false],
    ]);
  });

  it('[INT-5] asks the same again after an expiry only if it says so', async () => {
    const world = await sessionAfter(askApproval());
    await world.fire();
    expect(world.must(askApproval()).body).toMatchObject({ interaction: { outcome: 'expired' } });
    expect(world.must(askApproval({ reopen: true })).reply).toMatchObject({
      interactionId: 'call-1~2',
      created: true,
    });
    expect(world.alarm.armedAt).toBe(world.now + 10 * MINUTE);
  });
});

describe('the end of a turn', () => {
  it('[PEND-9, INT-8] cancels its open interactions, but not detached ones', async () => {
    const world = await sessionAfter(
      append({ type: 'turn_started', turnId: 'turn-1', payload: {} }),
      askApproval({ turnId: 'turn-1' }),
      askQuestion({ toolCallId: 'call-2', turnId: 'turn-1', detached: true }),
    );
    const [own, left] = [world.waitFor('call-1~1'), world.waitFor('call-2~1')];
    world.must(append({ type: 'turn_ended', turnId: 'turn-1', payload: { reason: 'completed' } }));
    expect(own.last?.interaction).toMatchObject({ outcome: 'cancelled', reason: 'Turn ended' });
    expect(left).toMatchObject({ texts: [], closed: null });
    await world.quiet();
    expect([...world.workspace.open.keys()]).toEqual(['call-2~1']);
    world.evict();
    world.must(answer('call-2~1', { answers: { '0': 'Blue' } }));
    expect(left.last?.interaction).toMatchObject({ outcome: 'answered' });
  });

  it('[APR-5, INT-6] a tool call that failed ends its approval; the approve that follows is too late', async () => {
    const world = await sessionAfter(askApproval());
    const waiter = world.waitFor('call-1~1');
    world.must(append({ type: 'tool_result', toolCallId: 'call-1', payload: { isError: true } }));
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'cancelled',
      reason: 'Tool call failed',
    });
    expect(world.handle(answer('call-1~1', { decision: 'approve' }))).toMatchObject({
      code: 'already_settled',
    });
  });
});
