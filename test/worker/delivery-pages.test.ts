/**
 * Pages of deliveries read as many rows of 100,000 as of 100, counted by the platform and not timed.
 *
 * A bug would be a page that reads all that came before it: slow for the administrator, and billed by the row.
 */
import { env, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { listDeliveries } from '../../src/delivery/target.ts';
import { TARGET_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteTargetStore } from '../../src/platform/sqlite/target-store.ts';
import { countReads } from './support/count-reads.ts';

const FEW = 100;
const MANY = 100_000;
const PAGE = 50;
const REMOVED_AT_ONCE = 1_000;
const NOW = 1_700_000_000_000;

type Work = (store: SqliteTargetStore) => unknown;

/** Rows read by each work, in a target with so many deliveries; every tenth is due. */
function rowsRead(count: number, works: readonly Work[]): Promise<number[]> {
  const stub = env.TARGET.getByName(`tgt_pages${count}`);
  return runInDurableObject(stub, (_object, { storage }) => {
    const reads = countReads(storage);
    const store = new SqliteTargetStore(reads.database, TARGET_MIGRATIONS);
    // The tables are made with the first write.
    store.write(() => store.saveFailingSince(null));
    storage.sql.exec(
      `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
       INSERT INTO delivery (session_id, source, at, wait, next_at, attempts, message, result)
       SELECT 's' || n, 's' || n, ? + n, iif(n % 10 = 0, 'due', null), iif(n % 10 = 0, ? + n, null), 0, 'null', '{}'
       FROM count`,
      count,
      NOW,
      NOW,
    );
    return works.map((work) => reads.during(() => work(store)));
  });
}

/** A page whose cursor is that of this delivery. */
function pageBefore(store: SqliteTargetStore, number: number): void {
  const first = listDeliveries({ store }, 'tgt_1', { limit: 1 });
  expect(first.ok && first.value.deliveries).toHaveLength(1);
  expect(store.list(PAGE + 1, number).length).toBe(PAGE + 1);
}

describe('[OUT-1] with 100,000 deliveries', () => {
  it('a page, the next ones to send and the alarm read no more rows than with 100', async () => {
    const works = (count: number): readonly Work[] => [
      (store) => listDeliveries({ store }, 'tgt_1', { limit: PAGE }),
      (store) => pageBefore(store, Math.floor(count * 0.6)),
      (store) => store.due(NOW + 2 * MANY, 8),
      (store) => store.earliestDue(),
      (store) => store.hasDue('s10', 2),
      (store) => store.firstBehind('s11'),
      (store) => store.removeEnded(NOW, REMOVED_AT_ONCE),
    ];
    const few = await rowsRead(FEW, works(FEW));
    const many = await rowsRead(MANY, works(MANY));
    console.log(`rows read with ${FEW}: ${few.join(', ')}; with ${MANY}: ${many.join(', ')}`);
    expect(few[0]).toBeGreaterThan(PAGE);
    expect(many.slice(0, -1)).toEqual(few.slice(0, -1));
    // Of what is old it looks at a thousand at a time, through two indexes.
    expect(many.at(-1)).toBeLessThanOrEqual(REMOVED_AT_ONCE * 3);
  });
});
