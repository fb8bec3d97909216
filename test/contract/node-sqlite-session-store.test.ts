/** The store in SQLite, through `node:sqlite`; in workerd the same suite runs over a Durable Object. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import migration from '../../migrations/session/0001_log_and_interactions.sql';
import type { Database } from '../../src/platform/sqlite/database.ts';
import { nodeDatabase } from '../../src/platform/sqlite/node-database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { append } from '../support/asks.ts';
import { SqliteStorage } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';
import { sessionContract } from './session.contract.ts';
import { sessionStoreContract } from './session-store.contract.ts';

describe('in node:sqlite', () => {
  sessionStoreContract((test) => test(new SqliteStorage()));
  sessionContract((test) => test(new SqliteStorage()));
});

describe('memory', () => {
  it('[WS-1] a frame of a log of large rows does not read the whole log', () => {
    let read = 0;
    const plain = nodeDatabase(new DatabaseSync(':memory:'));
    const counting: Database = {
      ...plain,
      all<Row>(sql: string, ...values: (string | number | null)[]) {
        const rows = plain.all<Row>(sql, ...values);
        read += JSON.stringify(rows).length;
        return rows;
      },
    };
    const world = new SessionWorld({ open: () => new SqliteSessionStore(counting, [migration]) });
    world.must({ type: 'session.create' });
    const large = append({ type: 'assistant_text', payload: { text: 'x'.repeat(100_000) } });
    for (let count = 0; count < 200; count += 1) world.must(large);
    read = 0;
    const fit = { maxEvents: LIMITS.eventsPerFrame, maxBytes: LIMITS.eventFrameBytes };
    expect(world.store.readLog(0, fit)?.count).toBeGreaterThan(1);
    expect(read).toBeLessThan(8_000_000);
  });
});
