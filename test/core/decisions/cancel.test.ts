/**
 * Every ending of a question without an answer takes one path. A bug would look like an agent left waiting
 * for an erased question, or an event logged before its cause.
 */
import { describe, expect, it } from 'vitest';
import { SessionEventSchema } from '../../../src/protocol/schema/event.ts';
import type { Command } from '../../../src/protocol/schema/command.ts';
import {
  answer,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  sendMessage,
} from '../../support/asks.ts';
import { agent, holding } from '../../support/callers.ts';
import { MINUTE, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const SETTLED = ['interaction_response', 'interaction_pending'];
const TURN = append({ type: 'turn_started', turnId: 'turn-1', payload: {} });
const TWO_OPEN = [
  TURN,
  askApproval({ turnId: 'turn-1' }),
  askQuestion({ toolCallId: 'call-2', detached: true }),
];

describe('one interaction', () => {
  it('[CAN-2] is cancelled, with the given reason', () => {
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    const cancel = {
      type: 'interaction.cancel',
      interactionId: 'call-1~1',
      reason: 'Not needed',
    } as const;
    const decided = world.run(cancel);
    expect(outcomeOf(decided)).toEqual(SETTLED);
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'cancel',
      outcome: 'cancelled',
      reason: 'Not needed',
      settledBy: { subject: 'ada', via: 'web' },
    });
    expect([...world.live.open.keys()]).toEqual(['call-2~1']);
    expect(refused(world.run(cancel)).code).toBe('already_settled');
  });

  it('[CAN-2] is not found under an unknown id', () => {
    const cancel = { type: 'interaction.cancel', interactionId: 'call-9~1' } as const;
    for (const caller of [agent(), undefined]) {
      const decided = startedWorld().run(cancel, caller && { caller });
      expect(refused(decided).code).toBe('not_found');
    }
  });

  it.each([
    ['approval', askApproval(), 'Interaction cancelled'],
    ['question', askQuestion(), 'Interaction cancelled'],
    ['form', askForm(), 'Interaction cancelled'],
    ['plan', askPlan(), 'Plan review cancelled'],
  ])('[CAN-3, PLN-4] a cancelled %s is always a denial', (_kind, ask, message) => {
    const world = worldAfter(ask, { type: 'interactions.cancel', reason: 'Reorganizing' });
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
  });

  it('[CAN-2, QST-9] a partial answer does not prevent the cancel, and is kept', () => {
    const world = worldAfter(
      askQuestion({}, [COLOR, COLOR]),
      answer('call-1~1', { question: 0, option: 0 }),
      { type: 'interaction.cancel', interactionId: 'call-1~1' },
    );
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'cancelled',
      partialAnswers: { '0': 'Red' },
    });
    const step = answer('call-1~1', { question: 1, option: 0 });
    expect(refused(world.run(step)).code).toBe('already_settled');
  });
});

describe('all of them', () => {
  it('[CAN-2] are cancelled, the oldest first, and counted', () => {
    const world = worldAfter(askApproval({ toolCallId: 'call-9' }));
    world.now += 1;
    world.run(askQuestion({ toolCallId: 'call-1' }));
    const decided = accepted(world.run({ type: 'interactions.cancel' }));
    expect(decided.reply).toEqual({ type: 'cancelled', count: 2 });
    expect(decided.events.map((event) => [event.type, event.toolCallId])).toEqual([
      ['interaction_response', 'call-9'],
      ['interaction_pending', 'call-9'],
      ['interaction_response', 'call-1'],
      ['interaction_pending', 'call-1'],
    ]);
    expect(accepted(world.run({ type: 'interactions.cancel' })).reply).toEqual({
      type: 'cancelled',
      count: 0,
    });
  });

  it('[CAN-2] an agent alone cancels all of its own interactions, and counts no others', () => {
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    world.run(askQuestion({ toolCallId: 'call-3' }), { caller: agent('other') });
    const decided = world.run({ type: 'interactions.cancel', reason: 'Moot' }, { caller: agent() });
    expect(accepted(decided).reply).toEqual({ type: 'cancelled', count: 2 });
    expect([...world.live.open.keys()]).toEqual(['call-3~1']);
    expect(refused(world.run(sendMessage('/cancel'), { caller: agent() })).code).toBe('forbidden');
    const all = world.run({ type: 'interactions.cancel' }, { caller: holding('answer') });
    expect(accepted(all).reply).toEqual({ type: 'cancelled', count: 1 });
  });

  it.each<[string, Command, string, readonly string[]]>([
    ['interrupt', { type: 'turn.interrupt' }, 'Interrupted', ['turn_ended']],
    ['clear', { type: 'session.clear' }, 'Session cleared', ['turn_ended', 'context_cleared']],
    ['delete', { type: 'session.delete' }, 'Session deleted', ['turn_ended', 'session_status']],
  ])('[CAN-1, PEND-9, LOG-9] end before anything else at %s', (_what, command, reason, rest) => {
    const world = worldAfter(...TWO_OPEN);
    const decided = world.run(command);
    expect(outcomeOf(decided)).toEqual([...SETTLED, ...SETTLED, ...rest]);
    for (const id of ['call-1~1', 'call-2~1']) {
      expect(world.record(id)).toMatchObject({ outcome: 'cancelled', reason });
      expect(world.agentReply(id).behavior).toBe('deny');
    }
    expect(world.live.open.size).toBe(0);
    expect(world.live.info.turn).toBeNull();
  });

  it.each([
    ['interrupted', { type: 'turn.interrupt' }],
    ['cleared', { type: 'session.clear' }],
  ] as const)('[LOG-9] the turn ends %s, under its own id', (reason, command) => {
    const ended = accepted(worldAfter(...TWO_OPEN).run(command)).events;
    const event = ended.find(({ type }) => type === 'turn_ended');
    expect(event).toEqual({ type: 'turn_ended', turnId: 'turn-1', payload: { reason } });
  });

  it('[CAN-1] an interrupt with nothing to interrupt logs nothing', () => {
    expect(accepted(startedWorld().run({ type: 'turn.interrupt' })).events).toEqual([]);
  });
});

describe('after an ending', () => {
  it('[LOG-9] clearing removes and renumbers nothing', () => {
    const world = worldAfter(...TWO_OPEN);
    const before = structuredClone(world.log);
    world.run({ type: 'session.clear' });
    expect(world.log.slice(0, before.length)).toEqual(before);
    expect(world.log.map((event) => event.seq)).toEqual(world.log.map((_, index) => index + 1));
    expect(world.live.info).toMatchObject({ permissionMode: 'default', deletedAt: null });
  });

  it('[LOG-9] a deleted session takes no command, and its id is not used again', () => {
    const world = worldAfter({ type: 'session.delete' });
    expect(world.live.info.deletedAt).toBe(world.now);
    expect(refused(world.run(askApproval())).code).toBe('not_found');
    expect(refused(world.run({ type: 'session.create' })).code).toBe('session_deleted');
  });

  it('[LOG-9] no deadline outlives a deleted session', () => {
    const world = worldAfter(...TWO_OPEN, { type: 'session.delete' });
    const { length } = world.log;
    world.advance(60 * MINUTE);
    expect(world.log).toHaveLength(length);
  });

  it('[LOG-1] every event of these endings fits the schema of the log', () => {
    for (const type of ['turn.interrupt', 'session.clear', 'session.delete'] as const) {
      const world = worldAfter(...TWO_OPEN, { type });
      for (const event of world.log) expect(SessionEventSchema.parse(event)).toEqual(event);
    }
  });
});
