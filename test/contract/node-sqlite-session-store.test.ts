/** The store in SQLite, through `node:sqlite`; in workerd the same suite runs over a Durable Object. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { type Database, nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { append, sendMessage } from '../support/asks.ts';
import { SqliteStorage } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';
import { sessionContract } from './session.contract.ts';
import { sessionStoreContract } from './session-store.contract.ts';

describe('in node:sqlite', () => {
  sessionStoreContract((test) => test(new SqliteStorage()));
  sessionContract((test) => test(new SqliteStorage()));
});

/** A database whose transactions can fail at their very end, as when a disk is full; a lone statement is one too. */
function failing() {
  const plain = nodeDatabase(new DatabaseSync(':memory:'));
  const fault = { atEnd: false };
  let isInside = false;
  const transaction = <Result>(work: () => Result): Result => {
    isInside = true;
    try {
      return plain.transaction(() => {
        const result = work();
        if (fault.atEnd) throw new Error('disk full');
        return result;
      });
    } finally {
      isInside = false;
    }
  };
  const run: Database['run'] = (...statement) =>
    isInside ? plain.run(...statement) : transaction(() => plain.run(...statement));
  const database: Database = { ...plain, run, transaction };
  return { fault, open: () => new SqliteSessionStore(database, SESSION_MIGRATIONS, NEW_SESSION) };
}

describe('a transaction that fails at its very end', () => {
  it('[LOG-3, API-2] leaves nothing, in memory neither', () => {
    const { fault, open } = failing();
    const world = new SessionWorld({ open });
    fault.atEnd = true;
    expect(world.handle({ type: 'session.create' })).toMatchObject({ code: 'write_failed' });
    fault.atEnd = false;
    world.must({ type: 'session.create' });
    world.must(sendMessage('First'), { key: 'key-00001' });
    fault.atEnd = true;
    const lost = { key: 'key-00002' };
    expect(world.handle(sendMessage('Second'), lost)).toMatchObject({ code: 'write_failed' });
    fault.atEnd = false;
    expect(world.must(sendMessage('Second'), lost).replayed).toBe(false);
    expect(world.must(sendMessage('First'), { key: 'key-00001' }).replayed).toBe(true);
    const said = world.log().flatMap((event) => (event.type === 'user_message' ? [event] : []));
    expect(said.map((event) => event.payload.text)).toEqual(['First', 'Second']);
  });
});

describe('a long log', () => {
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
    const world = new SessionWorld({
      open: () => new SqliteSessionStore(counting, SESSION_MIGRATIONS, NEW_SESSION),
    });
    world.must({ type: 'session.create' });
    const large = append({ type: 'assistant_text', payload: { text: 'x'.repeat(100_000) } });
    for (let count = 0; count < 200; count += 1) world.must(large);
    read = 0;
    const fit = { maxEvents: LIMITS.eventsPerFrame, maxBytes: LIMITS.eventFrameBytes };
    expect(world.store.readLog(0, fit)?.count).toBeGreaterThan(1);
    expect(read).toBeLessThan(8_000_000);
  });
});
