/**
 * The replica beside the session it is a replica of: sessions that were really driven, watched by a
 * client that connects at any moment and gets the log in any pieces.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  emptyReplica,
  foldLog,
  foldWelcome,
  type Replica,
  isWaitingForPerson,
} from '../../src/client/state/replica.ts';
import type { Snapshot } from '../../src/protocol/types.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { arbitraryCuts, arbitraryDriven, type Driven, pieces } from './client-events.ts';
import { countFor } from '../support/run-length.ts';

function fold(replica: Replica, events: readonly SessionEvent[]): Replica {
  const folded = foldLog(replica, events);
  if (!folded.ok) throw new Error(`A gap after ${folded.gap.after}`);
  return folded.replica;
}

function expectIs(replica: Replica, { session, head, open }: Snapshot): void {
  expect(replica.session).toEqual(session);
  expect(replica.open).toEqual(open);
  expect(replica.head).toBe(head);
  expect([...replica.waiting.keys()].toSorted()).toEqual(
    open.map((one) => one.toolCallId).toSorted(),
  );
  expect(isWaitingForPerson(replica)).toBe(session.waitingForPerson);
}

/** Connected at any of these moments, and again at later ones. */
const arbitraryConnects = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });

it('[LOG-4, PEND-7, WS-1] equals the state of the server, whenever it connects and however the log arrives', () => {
  const property = fc.property(
    arbitraryDriven,
    arbitraryConnects,
    arbitraryCuts,
    ({ log, snapshots }: Driven, connects, cuts) => {
      const last = snapshots.at(-1) as Snapshot;
      const moments = connects.map((at) => at % snapshots.length).toSorted((a, b) => a - b);
      let replica = emptyReplica();
      for (const moment of moments) {
        const snapshot = snapshots[moment] as Snapshot;
        replica = foldWelcome(replica, snapshot);
        expectIs(replica, { ...snapshot, head: Math.max(snapshot.head, replica.head) });
        for (const piece of pieces(log.slice(0, snapshot.head), cuts)) {
          replica = fold(replica, piece);
          expectIs(replica, { ...snapshot, head: replica.head });
        }
      }
      for (const piece of pieces(log, cuts)) replica = fold(replica, piece);
      expectIs(replica, last);
      const fromStart = fold(foldWelcome(emptyReplica(), snapshots[0] as Snapshot), log);
      expect({ ...replica, asOf: 0 }).toEqual({ ...fromStart, asOf: 0 });
    },
  );
  fc.assert(property, { numRuns: countFor({ quick: 100, long: 400 }) });
});

it('[LOG-4, PEND-7] shows the present state at every moment to a live subscriber', () => {
  const property = fc.property(arbitraryDriven, ({ log, snapshots }: Driven) => {
    let replica = emptyReplica();
    for (const snapshot of snapshots) {
      if (replica.session === null) replica = foldWelcome(replica, snapshot);
      replica = fold(replica, log.slice(0, snapshot.head));
      expectIs(replica, snapshot);
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 100, long: 400 }) });
});

it('[INT-1, LOG-4] keeps the same settled records as the server', () => {
  const property = fc.property(arbitraryDriven, ({ log, snapshots, records }: Driven) => {
    const replica = fold(foldWelcome(emptyReplica(), snapshots.at(-1) as Snapshot), log);
    for (const record of replica.settled) {
      expect(record).toEqual(records.get(record.interactionId));
    }
    expect(replica.settled.length + replica.open.length).toBe(records.size);
  });
  fc.assert(property, { numRuns: countFor({ quick: 50, long: 200 }) });
});

it('[LOG-2] never throws, whatever an event holds', () => {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, '', [], {}));
  const spoil = fc.tuple(fc.nat(), fc.constantFrom('type', 'payload', 'in payload'), odd);
  const property = fc.property(
    arbitraryDriven,
    fc.array(spoil),
    fc.nat(),
    ({ log, snapshots }, faults, at) => {
      const spoiled = structuredClone(log) as unknown as Record<string, unknown>[];
      for (const [place, what, value] of faults) {
        const event = spoiled[place % spoiled.length] as Record<string, unknown>;
        if (what !== 'in payload') event[what] = value;
        else if (typeof event.payload === 'object' && event.payload !== null) {
          const payload = event.payload as Record<string, unknown>;
          const keys = Object.keys(payload);
          payload[keys[place % Math.max(1, keys.length)] ?? 'x'] = value;
        }
      }
      const snapshot = snapshots[at % snapshots.length] as Snapshot;
      const replica = foldWelcome(emptyReplica(), snapshot);
      expect(fold(replica, spoiled as unknown as SessionEvent[]).cursor).toBe(log.length);
    },
  );
  fc.assert(property, { numRuns: countFor({ quick: 75, long: 300 }) });
});

it('[LOG-1] refuses a value that is no event of a log', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
      expect(foldLog(emptyReplica(), values as unknown as SessionEvent[]).ok).toBe(false);
    }),
  );
});
