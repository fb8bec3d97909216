/**
 * A client's copy of a session: pending calls, open interactions, the status of the agent. A bug here looks
 * like a typing indicator over an open question, or a card that comes back after a reconnect.
 */
import { describe, expect, it } from 'vitest';
import {
  emptyReplica,
  foldLog,
  foldWelcome,
  type Replica,
  isTyping,
  isWaitingForPerson,
  statusOf,
} from '../../src/client/state/replica.ts';
import type { Interaction, Snapshot } from '../../src/protocol/types.ts';
import type { DraftEvent, SessionEvent } from '../../src/protocol/schema/event.ts';
import {
  asks,
  AT,
  begins,
  calls,
  closes,
  ends,
  event,
  logOf,
  opens,
  reprompts,
  results,
  settles,
  text,
} from './client-events.ts';

const by = { subject: 'mia', via: 'web' } as const;

function welcome(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    session: {
      id: 's',
      workspace: 'main',
      title: null,
      permissionMode: 'default',
      timeouts: {},
      metadata: {},
      createdAt: AT,
      turn: null,
      queued: [],
      agent: null,
      cliSessions: [],
      waitingForPerson: (changes.open ?? []).length > 0,
    },
    head: 0,
    open: [],
    now: AT,
    ...changes,
  };
}

function after(replica: Replica, events: readonly SessionEvent[]): Replica {
  const folded = foldLog(replica, events);
  if (!folded.ok) throw new Error(`A gap after ${folded.gap.after}`);
  return folded.replica;
}

const live = (...drafts: readonly DraftEvent[]) =>
  after(foldWelcome(emptyReplica(), welcome()), logOf(...drafts));

describe('typing and status', () => {
  it('[PEND-6] types while a turn runs and no interaction is open', () => {
    const log = [begins('t'), ...opens('a'), ...closes('a', 'approved'), ends('t')];
    const seen = log.map((_, n) => {
      const replica = live(...log.slice(0, n + 1));
      return [isTyping(replica), statusOf(replica), replica.session?.waitingForPerson];
    });
    expect(seen).toEqual([
      [true, 'working', false],
      [false, 'idle', true],
      [false, 'idle', true],
      [false, 'idle', true],
      [true, 'working', false],
      [false, 'idle', false],
    ]);
  });

  it('[PEND-6, PEND-9] stops typing once the agent has failed, and shows the turn that continues', () => {
    const whose = (credential: string) => ({ by: { credential, subject: credential } });
    const started = (who: string) => event('turn_started', {}, whose(who));
    const failed = (who: string) => event('error', {}, { message: 'Gone', ...whose(who) });
    expect(statusOf(live(started('one'), failed('one')))).toBe('idle');
    expect(statusOf(live(started('one'), failed('two')))).toBe('working');
    const both = live(started('one'), started('two'));
    expect(both.session).toMatchObject({ turn: whose('two'), otherTurns: [whose('one')] });
    const left = live(started('one'), started('two'), failed('two'));
    expect(left.session).toMatchObject({ turn: whose('one') });
    expect(left.session).not.toHaveProperty('otherTurns');
  });

  it('[PEND-5, PEND-6] keeps waiting while one of two interactions is open', () => {
    const one = live(begins('t'), ...opens('a'), ...opens('b'), ...closes('a', 'denied'));
    expect([isWaitingForPerson(one), isTyping(one)]).toEqual([true, false]);
    expect([...one.waiting.keys()]).toEqual(['b']);
  });

  it('[PEND-4, PEND-6] shows no typing in the gap of a reprompt', () => {
    const log = [begins('t'), ...opens('a'), ...reprompts('a', 2)];
    for (let length = 2; length <= log.length; length += 1) {
      expect(isTyping(live(...log.slice(0, length)))).toBe(false);
    }
    expect(live(...log).open.map((one) => one.interactionId)).toEqual(['a~2']);
  });

  it('[PEND-7] shows the pending calls from the welcome on, before and during all history', () => {
    const log = logOf(begins('t'), ...opens('a'), ...closes('a', 'denied'), ...opens('b'));
    const atEnd = live(...log);
    const open = atEnd.open;
    const session = { ...welcome().session, turn: { turnId: 't', startedAt: AT } };
    let replica = foldWelcome(emptyReplica(), welcome({ head: log.length, open, session }));
    for (const one of log) {
      expect(replica.open).toEqual(open);
      expect([isWaitingForPerson(replica), isTyping(replica)]).toEqual([true, false]);
      replica = after(replica, [one]);
    }
    expect(replica.settled).toEqual(atEnd.settled);
    expect(isTyping(after(replica, logOf(...log, ...closes('b', 'approved'))))).toBe(true);
  });

  it('[PEND-8] derives waiting from interaction_pending, not from request and response', () => {
    const answered = live(begins('t'), ...opens('a'), settles('a', 'approved'));
    expect([answered.open, isTyping(answered)]).toEqual([[], false]);
  });

  it('[PEND-8] infers waiting for imported events without interaction_pending', () => {
    expect(isWaitingForPerson(live(asks('a')))).toBe(true);
    expect(isWaitingForPerson(live(asks('a'), settles('a', 'denied')))).toBe(false);
    const done = live(asks('a'), results('a'));
    expect([isWaitingForPerson(done), done.open]).toEqual([false, []]);
    expect(done.settled[0]?.outcome).toBe('cancelled');
    const left = live(begins('t'), asks('a', { names: { turnId: 't' } }), ends('t'));
    expect([isWaitingForPerson(left), left.open]).toEqual([false, []]);
    const reprompted = live(asks('a'), ...reprompts('a', 2));
    expect(isWaitingForPerson(reprompted)).toBe(true);
  });

  it('[TL-9, PEND-6] types again at once when the tool fails while an interaction is open', () => {
    expect(isTyping(live(begins('t'), ...opens('a'), results('a', true)))).toBe(true);
  });

  it('[PEND-6] reports a retry of the model until its response starts', () => {
    const retrying = event('session_status', {}, { status: 'retrying', message: 'Busy' });
    const replica = live(begins('t'), retrying);
    expect([statusOf(replica), replica.report?.message]).toEqual(['retrying', 'Busy']);
    expect(statusOf(live(begins('t'), retrying, text('Hi')))).toBe('working');
    expect(statusOf(live(retrying))).toBe('idle');
  });

  it('[PEND-9] waits for no person once the session is deleted', () => {
    const gone = live(asks('a'), event('session_status', {}, { status: 'deleted', by }));
    expect([statusOf(gone), gone.open, isWaitingForPerson(gone)]).toEqual(['deleted', [], false]);
  });
});

describe('the session', () => {
  it('[LOG-4] follows mode, queued messages and rules', () => {
    const queued = [{ id: 'm', text: 'Later', subject: 'mia', at: AT }];
    const rule = {
      id: 'r',
      toolName: 'Bash',
      createdAt: 1,
      createdBy: 'mia',
      interactionId: 'a~1',
    };
    const log = [
      event('session_updated', {}, { permissionMode: 'plan', queued, by }),
      event('session_updated', {}, { ruleAdded: rule, by }),
    ];
    const replica = live(...log);
    expect(replica.session).toMatchObject({ permissionMode: 'plan', queued });
    expect(replica.rules).toEqual([rule]);
    const revoked = live(...log, event('session_updated', {}, { ruleRevoked: 'r', by }));
    expect(revoked.rules).toEqual([]);
    expect(live(...log, event('context_cleared', {}, { by })).session?.queued).toEqual([]);
  });

  it('[WS-1] keeps the state of the welcome through the history that follows', () => {
    const session = { ...welcome().session, permissionMode: 'acceptEdits' as const };
    const replica = foldWelcome(emptyReplica(), welcome({ head: 2, session }));
    const old = logOf(event('session_updated', {}, { permissionMode: 'plan', by }), begins('t'));
    expect(after(replica, old).session).toBe(replica.session);
  });

  it('[LOG-4] does not apply an old snapshot', () => {
    const replica = live(begins('t'), ...opens('a'));
    expect(foldWelcome(replica, welcome({ head: 1 }))).toBe(replica);
  });
});

describe('order', () => {
  it('[LOG-4] skips events that it has', () => {
    const log = logOf(begins('t'), ...opens('a'));
    const replica = after(foldWelcome(emptyReplica(), welcome()), log);
    expect(after(replica, log)).toBe(replica);
  });

  it('[LOG-1] refuses a batch after a gap, whole, and reports its own position', () => {
    const replica = live(begins('t'));
    const [, second, , fourth] = logOf(begins('t'), calls('a'), calls('b'), calls('c'));
    const events = [second, fourth] as SessionEvent[];
    expect(foldLog(replica, events)).toEqual({ ok: false, gap: { after: 2, found: 4 } });
    expect(replica.cursor).toBe(1);
  });

  it('[WS-1] starts after the given event', () => {
    const log = logOf(begins('t'), ...opens('a'));
    const open = live(begins('t'), ...opens('a')).open as Interaction[];
    const replica = foldWelcome(emptyReplica(3), welcome({ head: 3, open }));
    const closed = after(replica, logOf(begins('t'), ...opens('a'), ...closes('a', 'approved')));
    expect([closed.cursor, closed.open, closed.settled.length]).toEqual([log.length + 2, [], 1]);
  });

  it('[LOG-2] continues past an event of an unknown type', () => {
    const strange = { type: 'image', payload: { url: 'x' } } as unknown as DraftEvent;
    expect(live(begins('t'), strange, ends('t')).cursor).toBe(3);
  });
});
