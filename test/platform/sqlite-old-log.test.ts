/**
 * Logs that were written when the first event held an agent's settings in full.
 *
 * The stored text stays as it is; a bug here would show it to a reader, in whichever piece the log is read.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';

const AGENT = {
  system: 'SECRET-1',
  tools: [{ type: 'http', name: 'Mail', class: 'execute', url: 'https://t.example/?key=SECRET-2' }],
};
const FIT = { maxEvents: 500, maxBytes: 256 * 1024 };

function storeWith(agent: object | undefined, more: number) {
  const database = nodeDatabase(new DatabaseSync(':memory:'));
  const store = new SqliteSessionStore(database, SESSION_MIGRATIONS);
  const started = {
    seq: 1,
    at: 1,
    type: 'session_started',
    payload: {
      permissionMode: 'default',
      ...(agent !== undefined && { agent }),
      createdBy: { credential: 'admin', subject: 'admin' },
    },
  } as unknown as SessionEvent;
  const said = Array.from(
    { length: more },
    (_, n): SessionEvent => ({
      seq: n + 2,
      at: 2,
      type: 'assistant_text',
      payload: { text: `line ${n}, "quoted"` },
    }),
  );
  for (const event of [started, ...said]) {
    store.commit({
      now: event.at,
      events: [event],
      eventsJson: JSON.stringify(event),
      reportedSeq: 0,
      records: [],
      rulesAdded: [],
      rulesRevoked: [],
    });
  }
  return { database, store, said };
}

function all(store: SqliteSessionStore, fit: typeof FIT): SessionEvent[] {
  const events: SessionEvent[] = [];
  for (;;) {
    const chunk = store.readLog(events.length, fit);
    if (chunk === undefined) return events;
    const read = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
    expect([chunk.count, chunk.lastSeq]).toEqual([read.length, read.at(-1)?.seq]);
    events.push(...read);
  }
}

it.each([
  ['all at once', FIT],
  ['in small pieces', { ...FIT, maxEvents: 7 }],
  ['event by event', { ...FIT, maxEvents: 1 }],
])('[AUTH-9] are read without them, %s', (_how, fit) => {
  const { store, said, database } = storeWith(AGENT, 130);
  const events = all(store, fit);
  expect(JSON.stringify(events)).not.toContain('SECRET');
  expect(events[0]).toMatchObject({
    payload: {
      agent: { tools: [{ name: 'Mail', class: 'execute', origin: 'https://t.example' }] },
    },
  });
  expect(events.slice(1)).toEqual(said);
  expect(JSON.stringify(database.all('SELECT events FROM log'))).toContain('SECRET-2');
});

it.each([undefined, { model: 'm', tools: [] }])(
  '[LOG-4] others are read as they are stored: %j',
  (agent) => {
    const { store, database } = storeWith(agent, 3);
    const stored = database.all<{ events: string }>('SELECT events FROM log ORDER BY last_seq');
    expect(store.readLog(0, FIT)?.json).toBe(stored.map(({ events }) => events).join(','));
  },
);
