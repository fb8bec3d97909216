/**
 * Records as they are stored: places in the log, and the text of older versions.
 *
 * A bug would look like a session that wakes up with another question than the one it asked, that loses what an older
 * version had settled, or whose rows grow with every change of a request.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { appliedTo, migrate } from '../../src/platform/sqlite/migrate.ts';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { answer, askApproval } from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { MINUTE, START } from '../support/core-world.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });
const UNDO = { type: 'interaction.undo', interactionId: 'call-1~1' } as const;

interface Row {
  readonly [column: string]: unknown;
}

function rowsOf(sqlite: DatabaseSync, sql: string): Row[] {
  return sqlite.prepare(sql).all();
}

describe('a record in the log', () => {
  it('[LOG-3] is stored once: an opening writes its events, and a settlement a small row', async () => {
    const world = await sessionAfter(askApproval());
    const { sqlite } = world.storage;
    const settledRows = () => rowsOf(sqlite, "SELECT * FROM meta WHERE key LIKE 'settled/%'");
    expect(settledRows()).toEqual([]);
    world.must(APPROVE);
    const rows = settledRows();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows[0]).length).toBeLessThan(200);
    expect(rowsOf(sqlite, "SELECT * FROM meta WHERE key LIKE 'record/%'")).toEqual([]);
    world.restart();
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved', toolName: 'Bash' });
  });

  it('[LOG-3, HAND-1] with many changes is read from few rows, and is the same after a restart', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: null }));
    const { sqlite } = world.storage;
    const claim = { type: 'interaction.claim', interactionId: 'call-1~1' } as const;
    for (let count = 0; count < 25; count += 1) {
      world.must(claim, { caller: person('ann') });
      world.must({ ...claim, release: true }, { caller: person('ann') });
      const before = world.state;
      world.restart();
      expect(world.state).toEqual(before);
      const [row] = rowsOf(sqlite, 'SELECT tail FROM log ORDER BY last_seq DESC LIMIT 1');
      const { open } = JSON.parse(String(row?.tail)) as { open: unknown[][] };
      expect(open[0]?.length).toBeLessThanOrEqual(16);
    }
    world.must(APPROVE);
    const settled = world.record('call-1~1');
    expect(settled.rev).toBe(52);
    world.restart();
    expect(world.record('call-1~1')).toEqual(settled);
  });

  it('[INT-9, LOG-3] that settled with others in one row is read for itself', async () => {
    const calls = ['call-1', 'call-2', 'call-3'];
    const world = await sessionAfter(...calls.map((toolCallId) => askApproval({ toolCallId })));
    world.must({ type: 'interactions.cancel' }, { caller: person('ann') });
    world.restart();
    const { records } = world.store.settled({ maxRecords: 10, maxBytes: LIMITS.pageBytes });
    expect(records.map(({ interactionId }) => interactionId).toSorted()).toEqual([
      'call-1~1',
      'call-2~1',
      'call-3~1',
    ]);
    expect(new Set(records.map(({ outcome }) => outcome))).toEqual(new Set(['cancelled']));
  });

  it('[INT-19, ADP-2] that a later instance has is asked again when its decision is taken back', async () => {
    const world = await sessionAfter(askApproval({ agentInstance: 'instance-a' }));
    world.must(askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b' }));
    world.must(APPROVE);
    world.must(UNDO);
    const open = world.state?.open.get('call-1~2');
    expect(open).toMatchObject({ status: 'open', reassignedTo: { toolCallId: 'call-2' } });
    world.restart();
    expect(world.state?.open.get('call-1~2')).toEqual(open);
  });
});

/** A session of version 3 of the schema: one interaction settled, one taken back, and one open; each with a key. */
async function olderSession(): Promise<{ sqlite: DatabaseSync; world: SessionWorld }> {
  const world = await startedSession();
  world.must(askApproval(), { key: 'open-0001' });
  world.must(APPROVE, { key: 'settle-0001' });
  world.now += MINUTE;
  world.must(askApproval({ toolCallId: 'call-2' }));
  world.must(answer('call-2~1', { decision: 'deny', reason: 'No' }));
  world.must(askApproval({ toolCallId: 'call-3' }));
  await world.quiet();
  const sqlite = new DatabaseSync(':memory:');
  const database = nodeDatabase(sqlite);
  migrate(database, SESSION_MIGRATIONS.slice(0, 3), appliedTo(database, SESSION_MIGRATIONS));
  for (const row of rowsOf(world.storage.sqlite, 'SELECT * FROM log')) {
    const { last_seq: last, first_seq: first, reported_seq: reported, events } = row;
    const values = [Number(last), Number(first), Number(reported), String(events)];
    sqlite.prepare('INSERT INTO log VALUES (?, ?, ?, ?)').run(...values);
  }
  for (const { key, value } of rowsOf(world.storage.sqlite, 'SELECT * FROM meta')) {
    if (key !== 'schema' && !String(key).startsWith('settled/')) {
      sqlite.prepare('INSERT INTO meta VALUES (?, ?)').run(String(key), String(value));
    }
  }
  for (const id of ['call-1~1', 'call-2~1', 'call-3~1']) {
    const record = world.record(id);
    const isFirst = id === 'call-1~1';
    const key = (name: string) => (isFirst ? `cred-agent|interaction.open|${name}` : null);
    sqlite
      .prepare('INSERT INTO interaction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        record.toolCallId,
        1,
        record.status,
        record.openedAt,
        record.settledAt,
        record.expiresAt,
        key('open-0001'),
        isFirst ? 'hash' : null,
        isFirst ? 'settle-0001' : null,
        isFirst ? 'hash' : null,
        JSON.stringify(record),
      );
  }
  return { sqlite, world };
}

describe('a session of an older version', () => {
  const openStore = (sqlite: DatabaseSync) =>
    new SqliteSessionStore(nodeDatabase(sqlite), SESSION_MIGRATIONS, NEW_SESSION);

  it('[LOG-11] has its records, their order, its keys and its open question', async () => {
    const { sqlite, world } = await olderSession();
    const store = openStore(sqlite);
    expect(store.load()).toEqual(world.store.load());
    for (const call of ['call-1', 'call-2', 'call-3']) {
      expect(store.latestRecord(call)).toEqual(world.store.latestRecord(call));
    }
    const page = { maxRecords: 1, maxBytes: LIMITS.pageBytes };
    const [last] = store.settled(page).records;
    expect(last?.interactionId).toBe('call-2~1');
    expect(store.settled(page, last).records[0]?.interactionId).toBe('call-1~1');
    const asked = store.findResult('cred-agent|interaction.open|open-0001', world.now);
    expect(asked).toMatchObject({ bodyHash: 'hash', reply: { created: true } });
    expect(store.findResult('settle-0001', world.now)).toMatchObject({ bodyHash: 'hash' });
  });

  it('[LOG-11, INT-19] goes on: settles, takes back, notes a delivery, and is erased whole', async () => {
    const { sqlite } = await olderSession();
    const world = new SessionWorld({ open: () => openStore(sqlite) });
    world.now = START + 2 * MINUTE;
    world.must(answer('call-3~1', { decision: 'approve' }));
    world.must(UNDO);
    world.waitFor('call-2~1', { caller: agent(), agent: true });
    const told = world.record('call-2~1');
    world.restart();
    expect(world.record('call-3~1')).toMatchObject({ outcome: 'approved', rev: 2 });
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'superseded', rev: 3 });
    expect(world.record('call-2~1')).toEqual(told);
    expect(world.state?.open.has('call-1~2')).toBe(true);
    await world.ask({ type: 'session.delete' }, { key: 'delete-0001' });
    await world.quiet();
    const tables = rowsOf(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table'");
    expect(tables.map(({ name }) => name)).toEqual(['log', 'meta']);
    expect(JSON.stringify(rowsOf(sqlite, 'SELECT * FROM meta'))).not.toContain('rm -rf');
  });
});

it('[LOG-11] a new session has the tables that the migrations leave, but for those that few use', () => {
  const columnsIn = (script: readonly string[]) => {
    const sqlite = new DatabaseSync(':memory:');
    for (const one of script) sqlite.exec(one);
    const tables = rowsOf(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table'");
    const columns = tables.map(({ name }) => {
      const rows = rowsOf(
        sqlite,
        `SELECT name, type, "notnull", pk FROM pragma_table_info('${String(name)}')`,
      );
      return [name, rows.map((row) => JSON.stringify(row)).toSorted()];
    });
    return Object.fromEntries(columns) as Record<string, unknown>;
  };
  const { history, older_interaction: older, ...migrated } = columnsIn(SESSION_MIGRATIONS);
  expect([history, older].every((table) => table !== undefined)).toBe(true);
  expect(columnsIn([NEW_SESSION])).toEqual(migrated);
});
