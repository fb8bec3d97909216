/**
 * Folding the log. A bug would look like a session that is another one after a restart: a rule twice,
 * an interaction back from the dead, a turn that never ends.
 */
import { describe, expect, it } from 'vitest';
import {
  emptyReplica,
  foldLog as foldReplicaLog,
  foldWelcome,
} from '../../src/client/state/replica.ts';
import { createState, evolve } from '../../src/core/evolve.ts';
import { stamp } from '../../src/core/session-draft.ts';
import { type SessionState, viewSession } from '../../src/core/state.ts';
import type { DraftEvent, SessionEvent } from '../../src/protocol/schema/event.ts';
import { SessionEventSchema } from '../../src/protocol/schema/event.ts';
import { Interaction } from '../../src/protocol/schema/interaction.ts';
import { SessionView } from '../../src/protocol/schema/session.ts';
import {
  answer,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  sendMessage,
  SIZES,
} from '../support/asks.ts';
import { foldIntoRecords, foldLog } from '../support/fold-log.ts';
import { CoreWorld, MINUTE, START, startedWorld, worldAfter } from '../support/core-world.ts';

const ADDRESS = { workspace: 'acme', id: 'session-1' };

/** A session in which everything happened that can happen. */
function busyWorld(): CoreWorld {
  const world = startedWorld();
  const steps: readonly Parameters<CoreWorld['run']>[0][] = [
    { type: 'session.update', changes: { title: 'Busy', metadata: { team: 'a', size: 3 } } },
    append({ type: 'turn_started', turnId: 'turn-1', payload: {} }),
    askApproval({ turnId: 'turn-1', remindAfter: 30 }, { offers: ['once', 'session'] }),
    sendMessage('Queued'),
    askQuestion({ toolCallId: 'call-2' }, [COLOR, SIZES]),
    answer('call-2~1', { question: 0, option: 1 }),
    askPlan({ toolCallId: 'call-3', turnId: 'turn-1', responseId: 'resp-1' }),
    answer('call-3~1', { decision: 'adjust' }),
    askPlan({ toolCallId: 'call-3' }, 'Another plan'),
    answer('call-3~2', { decision: 'edit' }),
    answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    { type: 'interaction.extend', interactionId: 'call-2~1' },
    askApproval({ toolCallId: 'call-5', toolName: 'Deploy' }),
    append({ type: 'tool_result', toolCallId: 'call-5', payload: { output: null } }),
    append({ type: 'turn_ended', turnId: 'turn-1', payload: { reason: 'completed' } }),
    answer('call-2~1', { answers: { '0': 'Red', '1': ['S'] } }),
    askApproval({ toolCallId: 'call-6', toolName: 'Deploy' }),
    askForm({ toolCallId: 'call-4', onExpire: 'keep', timeoutSeconds: 15 }),
    sendMessage('Later'),
    append({ type: 'turn_started', payload: { title: 'Second' } }),
  ];
  for (const step of steps) {
    world.advance(20_000);
    world.run(step);
  }
  return world;
}

const busy = busyWorld();

describe('a log', () => {
  it('[LOG-1] counts without a gap, and every event has the shape of the log', () => {
    expect(busy.log.map((event) => event.seq)).toEqual(busy.log.map((_, index) => index + 1));
    for (const event of busy.log) expect(SessionEventSchema.parse(event)).toEqual(event);
  });

  it('[LOG-4] folds to the stored state', () => {
    expect(foldLog(null, busy.log, ADDRESS)).toEqual(busy.state);
    expect(busy.live.rules).toHaveLength(1);
    expect(busy.live.info.queued).toHaveLength(1);
    expect([...busy.live.open.keys()]).toEqual(['call-6~1', 'call-4~1']);
  });

  it('[LOG-4] folds to the same state wherever it is cut', () => {
    for (let cut = 0; cut <= busy.log.length; cut += 1) {
      const before = foldLog(null, busy.log.slice(0, cut), ADDRESS);
      expect(foldLog(before, busy.log.slice(cut), ADDRESS)).toEqual(busy.state);
    }
  });

  it('[LOG-4] replayed a second time, or with an overlap, changes nothing', () => {
    expect(foldLog(busy.live, busy.log, ADDRESS)).toEqual(busy.state);
    for (let cut = 0; cut < busy.log.length; cut += 1) {
      const before = foldLog(null, busy.log.slice(0, cut + 1), ADDRESS);
      expect(foldLog(before, busy.log.slice(Math.max(0, cut - 3)), ADDRESS)).toEqual(busy.state);
    }
  });

  it('[LOG-4, INT-1] folds to the records, and its open records equal those of the state', () => {
    const records = new Map<string, Interaction>();
    for (const event of busy.log) foldIntoRecords(records, event);
    expect(records).toEqual(busy.records);
    for (const record of records.values()) expect(Interaction.parse(record)).toEqual(record);
    const open = [...records.values()].filter((record) => record.status === 'open');
    expect(open).toEqual([...busy.live.open.values()]);
  });

  it('[LOG-4] never changes its arguments', () => {
    const events = deepFreeze(structuredClone(busy.log));
    let state: SessionState | null = null;
    for (const event of events) state = deepFreeze(foldLog(state, [event], ADDRESS));
    expect(state).toEqual(busy.state);
  });

  it('[LOG-1] starts with session_started, or is no log', () => {
    const [started, second] = busy.log as [SessionEvent, SessionEvent];
    expect(() => createState(ADDRESS, second)).toThrow('session_started');
    expect(createState(ADDRESS, started)).toMatchObject({ head: 1, info: { createdAt: START } });
  });
});

describe('the state', () => {
  it('[PEND-5] is pending as long as any interaction is open', () => {
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    const waiting = () => viewSession(world.live).waitingForPerson;
    expect(waiting()).toBe(true);
    world.run(answer('call-1~1', { decision: 'deny' }));
    expect(waiting()).toBe(true);
    world.advance(10 * MINUTE);
    expect(waiting()).toBe(false);
  });

  it('[PEND-5] follows the requests and responses, not interaction_pending', () => {
    const world = worldAfter(askApproval());
    const lie = {
      type: 'interaction_pending',
      payload: {
        toolCallId: 'call-1',
        toolName: 'Bash',
        pending: false,
        interactionId: 'call-1~1',
      },
    } as const;
    expect(evolve(world.live, stampOne(world, lie)).state.open).toEqual(world.live.open);
  });

  it('[LOG-1] is shown without the fields that are internal to the session', () => {
    expect(SessionView.parse(viewSession(busy.live))).toEqual({
      id: 'session-1',
      workspace: 'acme',
      title: 'Busy',
      permissionMode: 'acceptEdits',
      timeouts: {},
      metadata: { team: 'a', size: 3 },
      createdAt: START,
      turn: {
        startedAt: expect.any(Number),
        by: { credential: 'cred-agent', subject: 'agent' },
      },
      queued: [expect.objectContaining({ text: 'Later' })],
      waitingForPerson: true,
      agent: null,
      cliSessions: [],
    });
  });

  it('[LOG-4] an update or response of something that is not open changes only the head', () => {
    const world = startedWorld();
    const about = {
      interactionId: 'call-9~1',
      toolCallId: 'call-9',
      toolName: 'Bash',
      kind: 'approval',
    };
    const stray: readonly DraftEvent[] = [
      { type: 'interaction_update', payload: { ...about, change: 'overdue' } },
      {
        type: 'interaction_response',
        payload: {
          ...about,
          action: 'deny',
          outcome: 'denied',
          settledBy: { subject: 'ada', via: 'web' },
          settledAt: START,
          inputDigest: '',
        },
      },
    ];
    for (const draft of stray) {
      const event = stampOne(world, draft);
      expect(evolve(world.live, event)).toEqual({ state: { ...world.live, head: event.seq } });
    }
  });

  it.each([
    ['turn-1', 'turn-1', true],
    ['turn-1', 'turn-2', false],
    ['turn-1', undefined, true],
    [undefined, 'turn-1', true],
    [undefined, undefined, true],
  ])('[LOG-2] a turn %s and an end of %s: over is %s', (running, ending, isOver) => {
    const started = append({
      type: 'turn_started',
      ...(running && { turnId: running }),
      payload: {},
    });
    const world = worldAfter(started);
    const ended = {
      type: 'turn_ended',
      ...(ending && { turnId: ending }),
      payload: { reason: 'completed' },
    } as const;
    expect(evolve(world.live, stampOne(world, ended)).state.info.turn === null).toBe(isOver);
  });
});

describe('the tokens of turns', () => {
  const usage = { inputTokens: 5, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const ended = (turnId?: string) =>
    ({
      type: 'turn_ended',
      ...(turnId && { turnId }),
      payload: { reason: 'completed', usage },
    }) as const;
  const started = (turnId?: string) =>
    ({ type: 'turn_started', ...(turnId && { turnId }), payload: {} }) as const;

  it.each(['turn-1', undefined])(
    '[DAILY-6] of %s count once, however often its end is reported',
    (id) => {
      const once = worldAfter(append(started(id), ended(id)));
      expect(once.live.info.usage).toEqual(usage);
      const inOneBatch = worldAfter(append(started(id), ended(id), ended(id)));
      expect(inOneBatch.live.info.usage).toEqual(usage);
      const later = worldAfter(append(started(id), ended(id)), append(ended(id)));
      expect(later.live.info.usage).toEqual(usage);
    },
  );

  it('[DAILY-6] of several turns add up', () => {
    const world = worldAfter(
      append(started('a'), ended('a'), started('b'), ended('b'), ended('a'), ended('b')),
    );
    expect(world.live.info.usage).toMatchObject({ inputTokens: 10, outputTokens: 14 });
  });

  it('[DAILY-6] are the same in the replica of a client', () => {
    const world = worldAfter(append(started('a'), ended('a'), ended('a')), append(ended('a')));
    const { live } = startedWorld();
    const snapshot = { session: viewSession(live), head: live.head, open: [], now: START };
    const welcomed = foldWelcome(emptyReplica(live.head), snapshot);
    const folded = foldReplicaLog(welcomed, world.log.slice(live.head));
    if (!folded.ok) throw new Error('The log has a gap');
    expect(folded.replica.session?.usage).toEqual(usage);
  });
});

function stampOne(world: CoreWorld, draft: DraftEvent): SessionEvent {
  return stamp(world.live.head, [draft], world.now)[0] as SessionEvent;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
