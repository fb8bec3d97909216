/**
 * What a session reads does not grow with what has settled in it, counted by the platform and not timed.
 *
 * A bug would be a first look after a pause that takes longer with each approval of the past, and is billed by the row.
 */
import { env, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { interactionId } from '../../src/protocol/ids.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { answer, askApproval } from '../support/asks.ts';
import { START } from '../support/core-world.ts';
import { countFor } from '../support/run-length.ts';
import { SessionWorld } from '../support/session-world.ts';
import { freshName } from './support/api.ts';
import { countReads } from './support/count-reads.ts';

const FEW = 250;
const MANY = countFor({ quick: 2_000, long: 20_000 });
const PAGE = { maxRecords: 20, maxBytes: LIMITS.pageBytes };
const DAY = LIMITS.idempotencyMs;

type Look = (store: SqliteSessionStore, count: number) => unknown;

/** Each by a store that has just begun, as after an eviction. */
const LOOKS: Readonly<Record<string, Look>> = {
  'the first look': (store) => expect(store.load()?.open).toHaveLength(3),
  'a page of 20': (store) => expect(store.settled(PAGE).records).toHaveLength(20),
  'a deep page of 20': (store, count) => {
    const before = { interactionId: `call-${Math.floor(count / 2)}~1` };
    expect(store.settled(PAGE, before).records).toHaveLength(20);
  },
  'a settled record': (store) => expect(store.record('call-7', 1)).toBeDefined(),
  'a call that never asked': (store) => expect(store.latestRecord('other')).toBeUndefined(),
  'a key of today': (store) => expect(store.findResult('key-today', START + DAY)).toBeDefined(),
};

/** Approvals that opened and settled, each with a key, the last ten a day later; then three are open. */
function fill(store: SqliteSessionStore, world: SessionWorld, count: number): void {
  world.must({ type: 'session.create' });
  world.must(askApproval({ toolCallId: 'call-0' }));
  world.must(answer('call-0~1', { decision: 'approve' }));
  const [request, response] = world
    .log()
    .filter(({ type }) => type === 'interaction_request' || type === 'interaction_response');
  if (request === undefined || response === undefined) throw new Error('Nothing settled');
  let seq = world.log().length;
  const commit = (
    of: SessionEvent,
    toolCallId: string,
    record: object,
    now: number,
    key: string,
  ) => {
    const id = interactionId(toolCallId, 1);
    seq += 1;
    const text = JSON.stringify({ ...of, seq, at: now }).replaceAll('call-0', toolCallId);
    const reply = { type: 'interaction', interactionId: id } as const;
    store.commit({
      now,
      events: [JSON.parse(text) as SessionEvent],
      eventsJson: text,
      reportedSeq: 0,
      records: [{ ...world.record('call-0~1'), ...record, interactionId: id, toolCallId }],
      rulesAdded: [],
      rulesRevoked: [],
      keyedResult: { key, bodyHash: 'hash', reply },
    });
  };
  for (let n = 1; n < count; n += 1) {
    const now = n < count - 10 ? START : START + DAY;
    const isLast = n === count - 1;
    commit(request, `call-${n}`, { rev: 1, status: 'open' }, now, `open-${n}`);
    commit(response, `call-${n}`, { rev: 2 }, now, isLast ? 'key-today' : `settle-${n}`);
  }
  for (const n of [1, 2, 3]) {
    commit(request, `open-${n}`, { rev: 1, status: 'open' }, START + DAY, `last-${n}`);
  }
}

function rowsRead(count: number): Promise<Record<string, number>> {
  const stub = env.SESSION.getByName(`reads/${freshName('ses')}`);
  return runInDurableObject(stub, (_object, { storage }) => {
    const reads = countReads(storage);
    const open = () => new SqliteSessionStore(reads.database, SESSION_MIGRATIONS, NEW_SESSION);
    const store = open();
    fill(store, new SessionWorld({ open: () => store }), count);
    const counted = Object.entries(LOOKS).map(([name, look]) => {
      const awake = open();
      return [name, reads.during(() => look(awake, count))];
    });
    return Object.fromEntries(counted) as Record<string, number>;
  });
}

describe(`with ${MANY} settled interactions in a session`, () => {
  it('[INT-13, LOG-3] what is looked up reads no more rows than with 250', async () => {
    const few = await rowsRead(FEW);
    const many = await rowsRead(MANY);
    console.log(`rows read with ${FEW} and with ${MANY}:`, few, many);
    expect(many).toEqual(few);
    expect(many['the first look']).toBeLessThan(20);
    expect(many['a page of 20']).toBeLessThanOrEqual(90);
  });
});

describe('a session that is in memory since it began', () => {
  it('[INT-13] reads nothing for a call that never asked, and finds each one that did', async () => {
    const stub = env.SESSION.getByName(`reads/${freshName('ses')}`);
    await runInDurableObject(stub, (_object, { storage }) => {
      const reads = countReads(storage);
      const store = new SqliteSessionStore(reads.database, SESSION_MIGRATIONS, NEW_SESSION);
      fill(store, new SessionWorld({ open: () => store }), FEW);
      const other = () => expect(store.latestRecord('other')).toBeUndefined();
      expect(reads.during(other)).toBe(0);
      for (const call of ['call-0', 'call-7', `call-${FEW - 1}`]) {
        expect(store.latestRecord(call)).toMatchObject({ toolCallId: call, status: 'settled' });
      }
    });
  });
});
