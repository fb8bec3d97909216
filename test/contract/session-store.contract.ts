/**
 * The contract of a session's storage, for every implementation. A bug would look like a session that wakes up as
 * another one: half a commit, an event twice, a settled interaction open again, a command done twice.
 *
 * `withStorage` runs a test with a storage of its own, so that the test can run where the storage is, such as inside a
 * Durable Object. The file is long because each implementation is given the whole contract at once.
 */
import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../src/core/state.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { parseInteractionId } from '../../src/protocol/ids.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import { countBytes } from '../../src/protocol/bytes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Rule } from '../../src/protocol/schema/rule.ts';
import type {
  Commit,
  HistoryRow,
  SessionStore,
  StoredAttachedFile,
} from '../../src/session/ports.ts';
import { START } from '../support/core-world.ts';
import type { SessionStorage } from '../support/session-world.ts';

export type WithStorage = (
  test: (storage: SessionStorage) => void | Promise<void>,
) => void | Promise<void>;

const ALL = { maxEvents: 100_000, maxBytes: 1 << 26 };

const INFO: SessionInfo = {
  workspace: 'acme',
  id: 'session-1',
  createdAt: START,
  deletedAt: null,
  title: 'A "title" with \u{1f600}',
  permissionMode: 'default',
  timeouts: { approval: 30, form: null },
  metadata: { team: 'a', size: 3 },
  agent: null,
  turn: { turnId: 'turn-1', startedAt: START },
  queued: [{ id: 'm-1', text: 'Later', subject: 'ada', at: START }],
};

const RULE: Rule = {
  id: 'rule-1',
  toolName: 'Bash',
  createdAt: START,
  createdBy: 'ada',
  interactionId: 'call-1~1',
};

function eventAt(seq: number, text = `Event ${seq}`): SessionEvent {
  return { seq, at: START + seq, type: 'assistant_text', payload: { text } };
}

/** As many events as named, from the first. */
function events(first: number, count = 1): SessionEvent[] {
  return Array.from({ length: count }, (_, index) => eventAt(first + index));
}

type Changes = Partial<Omit<Commit, 'eventsJson'>>;

function commitOf(changes: Changes): Commit {
  const nothing = { reportedSeq: 0, records: [], rulesAdded: [], rulesRevoked: [] };
  const commit = { now: START, events: events(1), ...nothing, ...changes };
  return { ...commit, eventsJson: JSON.stringify(commit.events).slice(1, -1) };
}

function opened(interactionId: string, changes: Partial<Interaction> = {}): Interaction {
  return {
    interactionId,
    toolCallId: parseInteractionId(interactionId)?.toolCallId ?? '',
    toolName: 'Bash',
    kind: 'approval',
    presentation: 'tool',
    request: { input: { command: 'echo "\u00e4"' } },
    requestDigest: 'request',
    inputDigest: 'input',
    openedAt: START,
    openedBy: { credential: 'cred-agent', subject: 'agent' },
    expiresAt: START + 600_000,
    timeoutMs: 600_000,
    onExpire: 'deny',
    status: 'open',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 1,
    ...changes,
  };
}

function settled(interactionId: string, settledAt: number): Interaction {
  const settledBy = { subject: 'ada', via: 'web' } as const;
  const outcome = 'approved';
  return opened(interactionId, { status: 'settled', outcome, settledAt, settledBy, rev: 2 });
}

const MANY = { maxRecords: 1_000, maxBytes: 10_000_000 };

/** Everything that can be read of a store. */
function everything(store: SessionStore) {
  return {
    session: store.load(),
    log: store.readLog(0, ALL),
    settled: store.settled(MANY).records,
    latest: store.latestRecord('call-1'),
    key: store.findResult('key-1', START),
  };
}

/** A session with one open interaction, `call-1~1`, and a log of two events. */
function begun(storage: SessionStorage): SessionStore {
  const store = storage.open();
  store.commit(commitOf({ events: events(1), info: INFO, incarnation: 'first' }));
  store.commit(commitOf({ events: events(2), records: [opened('call-1~1')], reportedSeq: 1 }));
  return store;
}

export function sessionStoreContract(withStorage: WithStorage): void {
  describe('loading', () => {
    it('[LOG-8] nothing: there is no session, and no log', () =>
      withStorage((storage) => {
        expect(storage.open().load()).toBeNull();
        expect(storage.open().readLog(0, ALL)).toBeUndefined();
      }));

    it('[LOG-3] gives back what was committed, the same after reopening', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf({ events: events(3), rulesAdded: [RULE], reportedSeq: 2 }));
        const expected = {
          info: INFO,
          head: 3,
          reportedSeq: 2,
          incarnation: 'first',
          open: [opened('call-1~1')],
          rules: [RULE],
          run: null,
        };
        expect(store.load()).toEqual(expected);
        expect(storage.open().load()).toEqual(expected);
      }));

    it('[OUT-2] the reported seq is that of the last commit', () =>
      withStorage((storage) => {
        const store = begun(storage);
        expect(store.load()?.reportedSeq).toBe(1);
        store.commit(commitOf({ events: events(3, 4), reportedSeq: 2 }));
        expect(storage.open().load()).toMatchObject({ head: 6, reportedSeq: 2 });
      }));

    it('[LOG-13] is called as it was last called, also by a commit of nothing else', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf({ events: [], reportedSeq: 1, incarnation: 'second' }));
        expect(store.load()).toMatchObject({ incarnation: 'second', head: 2, reportedSeq: 1 });
        expect(storage.open().load()).toEqual(store.load());
      }));

    it('[INT-6] an interaction is open until it is settled, through every change in between', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const later = opened('call-1~1', { rev: 2, expiresAt: null, overdue: true });
        store.commit(commitOf({ events: events(3), records: [later] }));
        expect(storage.open().load()?.open).toEqual([later]);
        const over = { ...settled('call-1~1', START + 9), rev: 3 };
        store.commit(commitOf({ events: events(4), records: [over] }));
        expect(storage.open().load()?.open).toEqual([]);
        expect(storage.open().record('call-1', 1)).toEqual(over);
      }));
  });

  describe('a commit that cannot be written whole', () => {
    const good = {
      events: events(3, 2),
      info: { ...INFO, title: 'Other' },
      rulesAdded: [RULE],
      keyedResult: { key: 'key-1', bodyHash: 'body', reply: { type: 'done' } },
    } as const;
    const fresh = opened('call-2~1');
    it.each<[string, Changes]>([
      [
        'settles what is settled already',
        { records: [fresh, { ...settled('call-0~1', START), rev: 3 }] },
      ],
      ['settles what never was', { records: [fresh, settled('call-9~1', START)] }],
      ['changes what is settled', { records: [fresh, opened('call-0~1', { rev: 3 })] }],
      ['opens what is open', { records: [fresh, opened('call-1~1')] }],
      ['opens what was settled', { records: [fresh, opened('call-0~1')] }],
      ['repeats the last event', { records: [fresh], events: events(4) }],
      ['repeats events of a row', { records: [fresh], events: events(3, 2) }],
    ])('[INT-6, LOG-3] one that %s throws and leaves nothing', (_, bad) =>
      withStorage((storage) => {
        const store = begun(storage);
        const records = [opened('call-0~1')];
        store.commit(commitOf({ events: events(3), records }));
        store.commit(commitOf({ events: events(4), records: [settled('call-0~1', START)] }));
        const before = everything(store);
        const commit = commitOf({ ...good, events: events(5, 2), ...bad });
        expect(() => store.commit(commit)).toThrow();
        expect(everything(store)).toEqual(before);
        expect(everything(storage.open())).toEqual(before);
        expect(store.record('call-2', 1)).toBeUndefined();

        store.commit(commitOf({ ...good, events: events(5, 2), records: [fresh] }));
        expect(storage.open().load()).toMatchObject({ head: 6, rules: [RULE] });
        expect(storage.open().load()?.open).toHaveLength(2);
        expect(store.findResult('key-1', START)).toMatchObject({ bodyHash: 'body' });
      }),
    );

    it('[LOG-3] the very first one leaves no session, and the next begins it', () =>
      withStorage((storage) => {
        const store = storage.open();
        const bad = commitOf({ info: INFO, records: [settled('call-1~1', START)] });
        expect(() => store.commit(bad)).toThrow();
        expect(store.load()).toBeNull();
        expect(storage.open().load()).toBeNull();
        expect(store.readLog(0, ALL)).toBeUndefined();
        store.commit(commitOf({ info: INFO }));
        expect(storage.open().load()).toMatchObject({ head: 1, info: INFO });
      }));
  });

  describe('reading the log', () => {
    /** Rows of 1, 5, 1 and 3 events. */
    function rows(storage: SessionStorage): { store: SessionStore; log: SessionEvent[] } {
      const store = storage.open();
      const log: SessionEvent[] = [];
      for (const count of [1, 5, 1, 3]) {
        const row = events(log.length + 1, count).map((event) =>
          eventAt(event.seq, 'quote " line \n \u2028 \u{1f600} '.repeat(event.seq)),
        );
        const isFirst = log.length === 0;
        store.commit(commitOf({ events: row, ...(isFirst && { info: INFO }) }));
        log.push(...row);
      }
      return { store, log };
    }

    it('[LOG-4] gives the events as they were written, whole and in order', () =>
      withStorage((storage) => {
        const { store, log } = rows(storage);
        const chunk = store.readLog(0, ALL);
        expect(chunk).toMatchObject({ count: 10, lastSeq: 10 });
        expect(JSON.parse(`[${chunk?.json}]`)).toEqual(log);
        expect(storage.open().readLog(0, ALL)).toEqual(chunk);
      }));

    it('[LOG-4, LOG-6] from any cursor, cut anywhere: what fits, and at least one', () =>
      withStorage((storage) => {
        const { store, log } = rows(storage);
        const sizes = [1, 100, 400, 1_000, 1 << 26];
        for (let after = 0; after < log.length; after += 1) {
          for (let maxEvents = 1; maxEvents <= log.length; maxEvents += 1) {
            for (const maxBytes of sizes) {
              const chunk = store.readLog(after, { maxEvents, maxBytes });
              const count = chunk?.count ?? 0;
              const cut = `after ${after}, ${maxEvents} events, ${maxBytes} bytes`;
              expect(count, cut).toBeGreaterThan(0);
              expect(count, cut).toBeLessThanOrEqual(maxEvents);
              expect(chunk?.lastSeq, cut).toBe(after + count);
              expect(JSON.parse(`[${chunk?.json}]`), cut).toEqual(log.slice(after, after + count));
              if (count > 1)
                expect(countBytes(chunk?.json ?? ''), cut).toBeLessThanOrEqual(maxBytes);
              if (maxBytes === ALL.maxBytes) {
                expect(count, cut).toBe(Math.min(maxEvents, log.length - after));
              }
            }
          }
        }
      }));

    it('[RDV-1] from its end, cut anywhere: what fits, and at least one', () =>
      withStorage((storage) => {
        const { store, log } = rows(storage);
        expect(storage.open().readLogBefore(1, ALL)).toBeUndefined();
        for (let before = 2; before <= log.length + 3; before += 1) {
          for (let maxEvents = 1; maxEvents <= log.length; maxEvents += 1) {
            for (const maxBytes of [1, 100, 400, 1_000, 1 << 26]) {
              const chunk = store.readLogBefore(before, { maxEvents, maxBytes });
              const cut = `before ${before}, ${maxEvents} events, ${maxBytes} bytes`;
              const earlier = log.slice(0, before - 1);
              const sizes = earlier.map((event) => countBytes(JSON.stringify(event)) + 1);
              let bytes = -1;
              const most = sizes.toReversed().filter((size) => (bytes += size) <= maxBytes).length;
              const count = Math.max(1, Math.min(maxEvents, most));
              expect(chunk, cut).toMatchObject({ count, lastSeq: earlier.length });
              expect(JSON.parse(`[${chunk?.json}]`), cut).toEqual(earlier.slice(-count));
            }
          }
        }
      }));

    it('[RDV-1] of a batch larger than a page, the last events', () =>
      withStorage((storage) => {
        const store = storage.open();
        store.commit(commitOf({ events: events(1, 1_000), info: INFO }));
        const chunk = store.readLogBefore(1_001, { maxEvents: 300, maxBytes: ALL.maxBytes });
        expect(chunk).toMatchObject({ count: 300, lastSeq: 1_000 });
        const next = store.readLogBefore(701, { maxEvents: 1_000, maxBytes: ALL.maxBytes });
        expect(next).toMatchObject({ count: 700, lastSeq: 700 });
      }));

    it('[WS-1] what fits is counted in octets, and with what separates events', () =>
      withStorage((storage) => {
        const store = storage.open();
        const text = '\u{1f600}'.repeat(100);
        const log = Array.from({ length: 120 }, (_, index) => eventAt(index + 1, text));
        for (const event of log) {
          store.commit(commitOf({ events: [event], ...(event.seq === 1 && { info: INFO }) }));
        }
        const all = countBytes(JSON.stringify(log).slice(1, -1));
        const whole = { maxEvents: 1_000, maxBytes: all };
        expect(store.readLog(0, whole)).toMatchObject({ count: 120 });
        const count = store.readLog(0, { ...whole, maxBytes: all - 1 })?.count ?? 0;
        expect(count).toBeGreaterThan(1);
        expect(count).toBeLessThan(120);
        const half = store.readLog(0, { ...whole, maxBytes: Math.ceil(all / 2) });
        expect(half?.count).toBeLessThanOrEqual(60);
        expect(countBytes(half?.json ?? '')).toBeLessThanOrEqual(Math.ceil(all / 2));
      }));

    it('[LOG-6] page after page is the whole log, without gap or doubling', () =>
      withStorage((storage) => {
        const { store, log } = rows(storage);
        const read: unknown[] = [];
        for (;;) {
          const chunk = store.readLog(read.length, { maxEvents: 4, maxBytes: 500 });
          if (chunk === undefined) break;
          read.push(...(JSON.parse(`[${chunk.json}]`) as unknown[]));
        }
        expect(read).toEqual(log);
      }));

    it('[LOG-6] is over at the head and beyond it', () =>
      withStorage((storage) => {
        const { store } = rows(storage);
        expect(store.readLog(9, ALL)).toMatchObject({ count: 1, lastSeq: 10 });
        expect(store.readLog(10, ALL)).toBeUndefined();
        expect(store.readLog(11, ALL)).toBeUndefined();
      }));

    it('[WS-1] a log of large rows comes in frames, not all at once', () =>
      withStorage((storage) => {
        const store = storage.open();
        const text = 'x'.repeat(100_000);
        for (let seq = 1; seq <= 40; seq += 1) {
          store.commit(
            commitOf({ events: [eventAt(seq, text)], ...(seq === 1 && { info: INFO }) }),
          );
        }
        const fit = { maxEvents: 500, maxBytes: LIMITS.eventFrameBytes };
        expect(store.readLog(0, fit)).toMatchObject({ count: 2, lastSeq: 2 });
        expect(store.readLog(38, fit)).toMatchObject({ count: 2, lastSeq: 40 });
        expect(store.readLog(3, { ...fit, maxBytes: 1 << 26 })).toMatchObject({ count: 37 });
      }));
  });

  describe('records', () => {
    it('[INT-5] the latest of a tool call is the one of its highest step', () =>
      withStorage((storage) => {
        const store = begun(storage);
        let seq = 2;
        for (let step = 1; step <= 11; step += 1) {
          const id = `call-2~${step}`;
          store.commit(commitOf({ events: events((seq += 1)), records: [opened(id)] }));
          expect(store.latestRecord('call-2')?.interactionId).toBe(id);
          store.commit(commitOf({ events: events((seq += 1)), records: [settled(id, START)] }));
        }
        expect(store.latestRecord('call-2')?.interactionId).toBe('call-2~11');
        expect(store.record('call-2', 2)).toEqual(settled('call-2~2', START));
        expect(store.latestRecord('call-1')).toEqual(opened('call-1~1'));
      }));

    it('[INT-7] what never was is not there; names are taken to the letter', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf({ events: events(3), records: [opened('a.b:c_D-1~7')] }));
        expect(store.record('a.b:c_D-1', 7)).toEqual(opened('a.b:c_D-1~7'));
        expect(store.record('a.b:c_d-1', 7)).toBeUndefined();
        expect(store.record('call-1', 2)).toBeUndefined();
        expect(store.latestRecord('call')).toBeUndefined();
      }));

    it('[INT-16] when its outcome was taken is noted, and nothing else changes', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const over = settled('call-1~1', START + 5);
        store.commit(commitOf({ events: events(3), records: [over] }));
        store.markDelivered(over, START + 7);
        const taken = { ...over, deliveredAt: START + 7 };
        expect(store.record('call-1', 1)).toEqual(taken);
        expect(storage.open().settled(MANY)).toEqual({ records: [taken], hasMore: false });
      }));
  });

  describe('a decision that is taken back', () => {
    const by = { subject: 'ada', via: 'web' } as const;
    const undone = { outcome: 'approved', by, at: START + 9 } as const;
    const decided = (storage: SessionStorage) => {
      const store = begun(storage);
      store.commit(commitOf({ events: events(3), records: [settled('call-1~1', START + 5)] }));
      return store;
    };
    const taken = () => ({ ...settled('call-1~1', START + 5), undone, rev: 3 });

    it('[INT-19] is written where no agent has it, once', () =>
      withStorage((storage) => {
        const store = decided(storage);
        store.commit(commitOf({ events: events(4), records: [taken(), opened('call-1~2')] }));
        expect(storage.open().record('call-1', 1)).toEqual(taken());
        expect(storage.open().load()?.open).toEqual([opened('call-1~2')]);
        const again = commitOf({ events: events(5), records: [taken()] });
        expect(() => store.commit(again)).toThrow();
      }));

    it('[HOOK-1] keeps when a later hook took an approval', () =>
      withStorage((storage) => {
        decided(storage).markReused(settled('call-1~1', START + 5), START + 7);
        const kept = { ...settled('call-1~1', START + 5), reusedAt: START + 7 };
        expect(storage.open().record('call-1', 1)).toEqual(kept);
      }));

    it.each(['markDelivered', 'markShown', 'acknowledge'] as const)(
      '[INT-19] stays where an agent has it: %s',
      (take) =>
        withStorage((storage) => {
          const store = decided(storage);
          store[take](settled('call-1~1', START + 5), START + 7);
          const kept = store.record('call-1', 1);
          const late = commitOf({ events: events(4), records: [taken(), opened('call-1~2')] });
          expect(() => store.commit(late)).toThrow();
          expect(storage.open().record('call-1', 1)).toEqual(kept);
          expect(storage.open().load()?.open).toEqual([]);
        }),
    );

    it('[INT-19, ADP-2] is no answer that a later instance finds', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const of = { agentInstance: 'instance-a' };
        store.commit(commitOf({ events: events(3), records: [opened('call-2~1', of)] }));
        const over = { ...settled('call-2~1', START + 5), ...of };
        store.commit(commitOf({ events: events(4), records: [over] }));
        expect(store.unacknowledged(over.requestDigest)).toHaveLength(1);
        const mark = { ...over, undone, outcome: 'superseded' as const, rev: 3 };
        store.commit(commitOf({ events: events(5), records: [mark] }));
        expect(store.unacknowledged(over.requestDigest)).toEqual([]);
      }));
  });

  describe('records of an agent with an instance', () => {
    const asked = (id: string) => opened(id, { agentInstance: 'instance-a' });
    const over = (id: string, settledAt: number) => ({
      ...settled(id, settledAt),
      agentInstance: 'instance-a',
    });
    const to = { toolCallId: 'call-9', agentInstance: 'instance-b', at: START };
    const move = (interactionId: string) => ({ reassigned: [{ interactionId, to }] });

    /** `call-3~1` settled before `call-2~1`, `call-4~1` is open, and `call-1~1` has no instance. */
    function left(storage: SessionStorage): SessionStore {
      const store = begun(storage);
      const records = [asked('call-2~1'), asked('call-3~1'), asked('call-4~1')];
      store.commit(commitOf({ events: events(3), records }));
      const ended = [over('call-2~1', START + 5), over('call-3~1', START + 4)];
      const delivered = settled('call-1~1', START);
      store.commit(commitOf({ events: events(4), records: [...ended, delivered] }));
      return store;
    }
    const idsOf = (store: SessionStore, digest = 'request') =>
      store.unacknowledged(digest).map(({ interactionId }) => interactionId);

    it('[ADP-2] are found by their digest until they are acknowledged, oldest first', () =>
      withStorage((storage) => {
        const store = left(storage);
        expect(idsOf(store)).toEqual(['call-3~1', 'call-2~1']);
        expect(idsOf(storage.open())).toEqual(['call-3~1', 'call-2~1']);
        expect(idsOf(store, 'reques')).toEqual([]);
        store.markDelivered(over('call-3~1', START + 4), START + 6);
        expect(idsOf(store)).toEqual(['call-3~1', 'call-2~1']);
        store.acknowledge(over('call-3~1', START + 4), START + 7);
        const known = { deliveredAt: START + 6, acknowledgedAt: START + 7 };
        expect(storage.open().record('call-3', 1)).toMatchObject(known);
        expect(idsOf(store)).toEqual(['call-2~1']);
        expect(idsOf(storage.open())).toEqual(['call-2~1']);
      }));

    it('[ADP-2] that expired or were cancelled are not found', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf({ events: events(3), records: [asked('call-2~1')] }));
        const records = [{ ...over('call-2~1', START), outcome: 'expired' as const }];
        store.commit(commitOf({ events: events(4), records }));
        expect(idsOf(store)).toEqual([]);
      }));

    it('[ADP-2] are reassigned to one call after the other, until one acknowledges', () =>
      withStorage((storage) => {
        const store = left(storage);
        store.commit(commitOf({ events: events(5), ...move('call-2~1'), now: START + 9 }));
        const moved = {
          ...over('call-2~1', START + 5),
          deliveredAt: START + 9,
          reassignedTo: to,
          rev: 3,
        };
        for (const one of [store, storage.open()]) {
          expect(one.record('call-2', 1)).toEqual(moved);
          expect(one.latestRecord('call-9')).toEqual(moved);
          expect(idsOf(one)).toEqual(['call-3~1', 'call-2~1']);
        }
        store.acknowledge(over('call-2~1', START + 5), START + 10);
        const before = everything(store);
        for (const id of ['call-2~1', 'call-4~1', 'call-7~1']) {
          const again = commitOf({ events: events(6), ...move(id) });
          expect(() => store.commit(again)).toThrow();
          expect(everything(storage.open())).toEqual(before);
        }
      }));

    it('[ADP-2] that are open are found by that call, until it has a record of its own', () =>
      withStorage((storage) => {
        const store = left(storage);
        const moved = { ...asked('call-4~1'), reassignedTo: to, rev: 2 };
        store.commit(commitOf({ events: events(5), records: [moved], ...move('call-4~1') }));
        expect(storage.open().latestRecord('call-9')).toEqual(moved);
        expect(storage.open().load()?.open).toEqual([moved]);
        const own = opened('call-9~2');
        store.commit(commitOf({ events: events(6), records: [own] }));
        expect(storage.open().latestRecord('call-9')).toEqual(own);
      }));

    it('[ADP-2] are forgotten, and erased', () =>
      withStorage((storage) => {
        const store = left(storage);
        store.forgetUnacknowledged();
        expect(idsOf(store)).toEqual([]);
        expect(idsOf(storage.open())).toEqual([]);
        store.commit(commitOf({ events: events(5), ...move('call-2~1') }));
        void store.erase(INFO);
        expect(storage.open().latestRecord('call-9')).toBeUndefined();
      }));
  });

  describe('the list of settled records', () => {
    const order = ['b~10', 'b~2', 'a~1', 'c~1', 'c~2', 'd~1', 'e~1'];
    /** Four ended at the same time; the clock was set back before one of the others. */
    const times: Readonly<Record<string, number>> = { 'd~1': 1, 'a~1': 7, 'e~1': 9 };

    function ended(storage: SessionStorage): SessionStore {
      const store = begun(storage);
      let seq = 2;
      for (const id of order) {
        const at = START + (times[id] ?? 5);
        store.commit(commitOf({ events: events((seq += 1)), records: [opened(id)] }));
        store.commit(commitOf({ events: events((seq += 1)), records: [settled(id, at)] }));
      }
      return store;
    }

    it('[INT-13] begins with the one that settled last, and the open ones are not in it', () =>
      withStorage((storage) => {
        const ids = ended(storage)
          .settled(MANY)
          .records.map((record) => record.interactionId);
        expect(ids).toEqual(order.toReversed());
      }));

    it.each([1, 2, 3, 7])('[INT-13] in pages of %i shows each once', (size) =>
      withStorage((storage) => {
        const store = ended(storage);
        const read: Interaction[] = [];
        for (;;) {
          const last = read.at(-1);
          const before = last && { interactionId: last.interactionId };
          const page = store.settled({ ...MANY, maxRecords: size }, before);
          expect(page.records.length).toBeLessThanOrEqual(size);
          read.push(...page.records);
          if (!page.hasMore) break;
        }
        expect(read).toEqual(store.settled(MANY).records);
        expect(read).toHaveLength(order.length);
      }),
    );

    it('[INT-13, LIM-4] a page stops at its bytes, and holds one record at least', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const large = (id: string, chars: number) => ({
          ...settled(id, START + 5),
          request: { input: { text: '\u{1f600}'.repeat(chars) } },
        });
        for (const [index, record] of [
          large('a~1', 9_000),
          large('b~1', 9_000),
          large('c~1', 90),
        ].entries()) {
          const seq = 3 + 2 * index;
          store.commit(commitOf({ events: events(seq), records: [opened(record.interactionId)] }));
          store.commit(commitOf({ events: events(seq + 1), records: [record] }));
        }
        const fit = { maxRecords: 100, maxBytes: 40_000 };
        const idsOf = ({ records, hasMore }: ReturnType<SessionStore['settled']>) => [
          ...records.map(({ interactionId }) => interactionId),
          hasMore,
        ];
        expect(idsOf(store.settled(fit))).toEqual(['c~1', 'b~1', true]);
        expect(idsOf(store.settled({ ...fit, maxBytes: 10 }))).toEqual(['c~1', true]);
        const before = { interactionId: 'b~1' };
        expect(idsOf(store.settled(fit, before))).toEqual(['a~1', false]);
      }));
  });

  describe('idempotency keys', () => {
    const DAY = LIMITS.idempotencyMs;
    const asked = { type: 'interaction', interactionId: 'call-2~1', created: true } as const;
    const said = { type: 'interaction', interactionId: 'call-2~1' } as const;
    const remember = (key: string, reply: NonNullable<Commit['keyedResult']>['reply']) => ({
      keyedResult: { key, bodyHash: `body of ${key}`, reply },
    });

    /** Keys of an opening, of a step, of a settlement and of something else. */
    function withKeys(storage: SessionStorage): SessionStore {
      const store = begun(storage);
      const commits: Changes[] = [
        { records: [opened('call-2~1')], ...remember('open', asked) },
        { records: [opened('call-2~1', { rev: 2, current: 1 })], ...remember('step', said) },
        { records: [{ ...settled('call-2~1', START), rev: 3 }], ...remember('settle', said) },
        { ...remember('other', { type: 'cancelled', count: 2 }) },
      ];
      for (const [index, commit] of commits.entries()) {
        store.commit(commitOf({ ...commit, events: events(3 + index) }));
      }
      return store;
    }

    const known: [string, object][] = [
      ['open', asked],
      ['step', said],
      ['settle', said],
      ['other', { type: 'cancelled', count: 2 }],
    ];

    it.each(known)('[API-2] one of "%s" gives its result, also after reopening', (key, reply) =>
      withStorage((storage) => {
        const store = withKeys(storage);
        for (const each of [store, storage.open()]) {
          expect(each.findResult(key, START)).toMatchObject({ bodyHash: `body of ${key}`, reply });
        }
      }),
    );

    it.each(known)('[API-2] one of "%s" is kept a day', (key) =>
      withStorage((storage) => {
        const store = withKeys(storage);
        expect(store.findResult(key, START + DAY - 1)).toBeDefined();
        expect(storage.open().findResult(key, START + DAY - 1)).toBeDefined();
        expect(store.findResult(key, START + DAY)).toBeUndefined();
        expect(storage.open().findResult(key, START + DAY)).toBeUndefined();
      }),
    );

    it('[API-2] one nobody used is not known, before and after others are', () =>
      withStorage((storage) => {
        const store = begun(storage);
        expect(store.findResult('open', START)).toBeUndefined();
        store.commit(
          commitOf({
            events: events(3),
            records: [opened('call-2~1')],
            ...remember('open', asked),
          }),
        );
        expect(store.findResult('open', START)).toMatchObject({ reply: asked });
        expect(store.findResult('settle', START)).toBeUndefined();
      }));

    it('[API-2] one of a day ago may be used again, and means the new result', () =>
      withStorage((storage) => {
        const store = withKeys(storage);
        const now = START + DAY;
        store.commit(commitOf({ now, events: events(7), ...remember('other', { type: 'done' }) }));
        for (const each of [store, storage.open()]) {
          expect(each.findResult('other', now)).toMatchObject({ reply: { type: 'done' } });
        }
      }));

    it('[API-2] one of a command that changed nothing is kept like any other', () =>
      withStorage((storage) => {
        const store = withKeys(storage);
        const reply = { type: 'cancelled', count: 0 } as const;
        store.saveResult({ key: 'nothing', bodyHash: 'body', reply }, START);
        for (const each of [store, storage.open()]) {
          expect(each.findResult('nothing', START)).toMatchObject({ bodyHash: 'body', reply });
          expect(each.findResult('open', START)).toMatchObject({ reply: asked });
          expect(each.findResult('nothing', START + DAY)).toBeUndefined();
        }
      }));

    it('[API-2] one of a command that was not written is not known, and others stay known', () =>
      withStorage((storage) => {
        const store = withKeys(storage);
        expect(store.findResult('lost', START)).toBeUndefined();
        const bad = { events: events(7), records: [settled('call-9~1', START)] };
        expect(() =>
          store.commit(commitOf({ ...bad, ...remember('lost', { type: 'done' }) })),
        ).toThrow();
        for (const each of [store, storage.open()]) {
          expect(each.findResult('lost', START)).toBeUndefined();
          expect(each.findResult('open', START)).toMatchObject({ reply: asked });
        }
      }));
  });

  describe('imported history', () => {
    /** A row of two entries. */
    const rowAt = (first: number, text = 'é'): HistoryRow => {
      const lines = [`{"at":${first}}`, `{"text":"${text}"}`];
      return { first, entries: 2, chain: `chain ${first}`, digest: `digest ${first}`, lines };
    };
    const headOf = ({ lines, ...head }: HistoryRow) => ({
      ...head,
      bytes: countBytes(lines.join('\n')),
    });
    const importing = (seq: number, cli: number, first: number, rows: readonly HistoryRow[]) =>
      commitOf({ events: events(seq), history: { cli, first, rows } });

    it('[ALN-1] is given back line by line, and its size in octets, after reopening too', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const rows = [rowAt(0), rowAt(2, '\u{1f600}\u2028')];
        store.commit(importing(3, 1, 0, rows));
        for (const { history } of [store, storage.open()]) {
          expect(history.list(1)).toEqual(rows.map(headOf));
          expect(rows.map(({ first }) => history.lines(1, first))).toEqual(
            rows.map(({ lines }) => lines),
          );
          expect(history.bytes()).toBe(rows.map(headOf).reduce((sum, row) => sum + row.bytes, 0));
          expect(history.lines(1, 1)).toEqual([]);
          expect(history.list(2)).toEqual([]);
        }
      }));

    it('[ALN-1] is replaced from a row on, for one CLI session alone', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(importing(3, 1, 0, [rowAt(0), rowAt(2), rowAt(4)]));
        store.commit(importing(4, 2, 0, [rowAt(0, 'other'), rowAt(2)]));
        store.commit(importing(5, 1, 2, [rowAt(2, 'rewritten')]));
        for (const { history } of [store, storage.open()]) {
          expect(history.list(1).map(({ first }) => first)).toEqual([0, 2]);
          expect(history.lines(1, 2)).toEqual(rowAt(2, 'rewritten').lines);
          expect(history.list(2)).toHaveLength(2);
          expect(history.lines(2, 0)).toEqual(rowAt(0, 'other').lines);
        }
      }));

    it('[ALN-1, LOG-3] stays as it is when its commit fails', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(importing(3, 1, 0, [rowAt(0), rowAt(2)]));
        const before = store.history.list(1);
        const history = { cli: 1, first: 0, rows: [rowAt(0, 'x')] };
        const bad = commitOf({ events: events(4), records: [settled('call-9~1', START)], history });
        expect(() => store.commit(bad)).toThrow();
        for (const each of [store, storage.open()]) {
          expect(each.history.list(1)).toEqual(before);
          expect(each.history.lines(1, 0)).toEqual(rowAt(0).lines);
        }
      }));

    it('[ALN-6, LOG-9] is erased with the session', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(importing(3, 1, 0, [rowAt(0)]));
        store.commit(importing(4, 2, 0, [rowAt(0)]));
        void store.erase({ ...INFO, deletedAt: START + 9 });
        for (const { history } of [store, storage.open()]) {
          expect(history.bytes()).toBe(0);
          expect([history.list(1), history.list(2), history.lines(1, 0)]).toEqual([[], [], []]);
        }
      }));
  });

  describe('inputs beside their records', () => {
    const text = `{"content":"${'\u{1f600}\u00e4x'.repeat(500_000)}"}`;
    const asking = (seq: number, id: string) => ({
      events: events(seq),
      records: [opened(id)],
      heldInputs: [{ interactionId: id, text }],
    });
    const partsOf = ({ heldInputs }: SessionStore, id: string) => {
      const parts: string[] = [];
      for (;;) {
        const part = heldInputs.part(id, parts.length);
        if (part === undefined) return parts;
        parts.push(part);
      }
    };

    it('[INT-17] are read in parts of a row each, the same after reopening', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf(asking(3, 'call-2~1')));
        store.commit(commitOf(asking(4, 'call-2~10')));
        for (const each of [store, storage.open()]) {
          const parts = partsOf(each, 'call-2~1');
          expect(parts.length).toBeGreaterThan(2);
          expect(parts.every((part) => countBytes(part) < 2_000_000)).toBe(true);
          expect(parts.join('')).toBe(text);
          expect(partsOf(each, 'call-2')).toEqual([]);
          expect(each.heldInputs.bytes()).toBe(2 * countBytes(text));
        }
      }));

    it('[INT-17, LOG-3] are not there when their commit fails', () =>
      withStorage((storage) => {
        const store = begun(storage);
        const changes = asking(3, 'call-2~1');
        const records = [...changes.records, settled('call-9~1', START)];
        expect(() => store.commit(commitOf({ ...changes, records }))).toThrow();
        expect(storage.open().heldInputs.bytes()).toBe(0);
        store.commit(commitOf(changes));
        expect(partsOf(store, 'call-2~1').join('')).toBe(text);
      }));

    it('[INT-17, LOG-9] are erased with the session', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.commit(commitOf(asking(3, 'call-2~1')));
        void store.erase({ ...INFO, deletedAt: START + 9 });
        for (const each of [store, storage.open()]) {
          expect(each.heldInputs.bytes()).toBe(0);
          expect(partsOf(each, 'call-2~1')).toEqual([]);
        }
      }));
  });

  describe('attached files', () => {
    const base64 = 'QUJD'.repeat(400_000);
    const fileOf = (name: string): StoredAttachedFile => ({
      attachmentId: `att_${name.padStart(32, '0')}`,
      name: `${name}.txt`,
      mediaType: 'text/plain',
      bytes: 1_200_000,
      path: `/v1/sessions/s/attachments/${name}`,
      uploadedAt: START,
    });
    const [one, two] = [fileOf('1'), fileOf('2')];
    const partsOf = ({ attachedFiles }: SessionStore, { attachmentId }: StoredAttachedFile) => {
      const parts: string[] = [];
      for (;;) {
        const part = attachedFiles.part(attachmentId, parts.length);
        if (part === undefined) return parts;
        parts.push(part);
      }
    };

    it('[ATT-1] are read in parts that are decoded by themselves, the same after reopening', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.attachedFiles.add(one, base64);
        store.attachedFiles.add(two, 'QQ==');
        for (const each of [store, storage.open()]) {
          const parts = partsOf(each, one);
          expect(parts.length).toBeGreaterThan(2);
          expect(parts.every(({ length }) => length % 4 === 0 && length < 2_000_000)).toBe(true);
          expect(parts.join('')).toBe(base64);
          expect(each.attachedFiles.list()).toEqual([one, two]);
          expect(each.attachedFiles.find(two.attachmentId)).toEqual(two);
          expect(each.attachedFiles.find('att_9')).toBeUndefined();
        }
      }));

    it('[ATT-2] are marked in the commit that names them, or not at all', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.attachedFiles.add(one, 'QQ==');
        const usedFiles = [one.attachmentId];
        const broken = commitOf({ events: events(3), records: [settled('call-9~1', START)] });
        expect(() => store.commit({ ...broken, usedFiles })).toThrow();
        expect(storage.open().attachedFiles.find(one.attachmentId)).toEqual(one);
        store.commit(commitOf({ events: events(3), usedFiles }));
        for (const each of [store, storage.open()]) {
          expect(each.attachedFiles.list()).toEqual([{ ...one, isUsed: true }]);
        }
        expect(() => store.commit(commitOf({ events: events(4), usedFiles: ['att_9'] }))).toThrow();
      }));

    it('[ATT-2, LOG-9] are touched, removed whole, and erased with the session', () =>
      withStorage((storage) => {
        const store = begun(storage);
        store.attachedFiles.add(one, base64);
        store.attachedFiles.add(two, 'QQ==');
        store.attachedFiles.touch(two.attachmentId, START + 5);
        store.attachedFiles.remove([one.attachmentId]);
        for (const each of [store, storage.open()]) {
          expect(each.attachedFiles.list()).toEqual([{ ...two, uploadedAt: START + 5 }]);
          expect(partsOf(each, one)).toEqual([]);
        }
        void store.erase({ ...INFO, deletedAt: START + 9 });
        for (const each of [store, storage.open()]) {
          expect(each.attachedFiles.list()).toEqual([]);
          expect(partsOf(each, two)).toEqual([]);
        }
      }));
  });

  it('[APR-3] rules come and go', () =>
    withStorage((storage) => {
      const store = begun(storage);
      const other = { ...RULE, id: 'rule-2', inputDigest: 'digest' };
      store.commit(commitOf({ events: events(3), rulesAdded: [RULE] }));
      store.commit(commitOf({ events: events(4), rulesAdded: [other] }));
      expect(storage.open().load()?.rules).toEqual([RULE, other]);
      store.commit(commitOf({ events: events(5), rulesRevoked: ['rule-1'] }));
      expect(store.load()?.rules).toEqual([other]);
      expect(storage.open().load()?.rules).toEqual([other]);
    }));

  it('[LOG-9] erasing leaves only that the session was', () =>
    withStorage((storage) => {
      const store = begun(storage);
      const over = settled('call-1~1', START);
      const reply = { type: 'interaction', interactionId: 'call-1~1' } as const;
      const remember = { key: 'key-1', bodyHash: 'body', reply };
      store.commit(
        commitOf({
          events: events(3, 2),
          records: [over],
          rulesAdded: [RULE],
          keyedResult: remember,
        }),
      );
      expect(store.findResult('key-1', START)).toBeDefined();
      void store.erase({ ...INFO, deletedAt: START + 9 });
      for (const each of [store, storage.open()]) {
        expect(everything(each)).toEqual({
          session: {
            info: {
              workspace: INFO.workspace,
              id: INFO.id,
              createdAt: INFO.createdAt,
              deletedAt: START + 9,
              permissionMode: INFO.permissionMode,
              title: null,
              timeouts: {},
              metadata: {},
              agent: null,
              turn: null,
              queued: [],
            },
            head: 0,
            reportedSeq: 0,
            incarnation: 'first',
            open: [],
            rules: [],
            run: null,
          },
          log: undefined,
          settled: [],
          latest: undefined,
          key: undefined,
        });
      }
    }));
}
