/**
 * What a report costs the workspace with 10,000 sessions is what it costs with 100, counted by the platform and not timed.
 *
 * A bug would be a report that reads all sessions, all open requests or the whole audit list: then every new session makes
 * the next one slower, until a server of many stands still while they are made.
 */
import { env, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import type { WorkspacePorts } from '../../src/workspace/ports.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ReportingSession } from '../workspace/reporting-session.ts';
import { countReads } from './support/count-reads.ts';

const FEW = 100;
const MANY = 10_000;
const NOW = 1_700_000_000_000;

function portsOver(store: SqliteWorkspaceStore): WorkspacePorts {
  let armedAt: number | null = null;
  const nothing = async (): Promise<never> => {
    throw new Error('A report calls nothing');
  };
  return {
    store,
    sessions: { poke: nothing, revoke: nothing, deleteIdle: nothing, connectedAgents: nothing },
    workspaces: { endKey: nothing },
    targets: { receive: nothing },
    allowPrivateTargets: false,
    freshSecret: () => 'whsec_secret',
    freshVapidKeys: nothing,
    subscribers: { all: () => [] },
    alarm: {
      get armedAt() {
        return armedAt;
      },
      arm: (at) => {
        armedAt = at;
      },
    },
    now: () => NOW,
    freshId: () => 'id',
    warn: () => undefined,
  };
}

/** Sessions with one open request each, and an audit entry each. */
const FILL = [
  `INSERT INTO session (id, title, created_at, head, reported_at, open_due, incarnation, active_at)
   SELECT 's' || n, null, ?2, 3, ?2, '{"a~1":' || (8640000000000000 + ?2 + n) || '}', 'file', ?2 FROM count`,
  `INSERT INTO open_interaction (beyond_share, due_at, session_id, interaction_id, root, entry)
   SELECT 0, 8640000000000000 + ?2 + n, 's' || n, 'a~1', 'key ' || (n % 50), '{"openedAt":' || (?2 + n) || '}' FROM count`,
  `INSERT INTO audit (at, recorded_at, source, seq, entry, hash)
   SELECT ?2, ?2, 's' || n, 2, '{"at":1}', 'hash' FROM count`,
];

/** What each report of a session reads, in a workspace of so many others. */
function readsOf(count: number): Promise<Record<string, number>> {
  const stub = env.WORKSPACE.getByName(`report-reads-${count}`);
  return runInDurableObject(stub, (_object, { storage }) => {
    const reads = countReads(storage);
    const store = new SqliteWorkspaceStore(reads.database, WORKSPACE_MIGRATIONS, 'main');
    // The tables are made with the first write.
    store.write(() => undefined);
    for (const fill of FILL) {
      const numbers = `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?1)`;
      const [head = '', ...select] = fill.split('SELECT');
      storage.sql.exec(`${head} ${numbers} SELECT${select.join('SELECT')}`, count, NOW);
    }
    const workspace = new Workspace(portsOver(store));
    const first = new ReportingSession('first').ask('a~1', null);
    // Once after waking it counts the open requests of each key.
    workspace.applyReport(first.report());
    const session = new ReportingSession('later');
    let known = 0;
    const read = (): number => {
      const rows = reads.during(() => {
        expect(workspace.applyReport(session.report(known))).toBe(session.head);
      });
      known = session.head;
      return rows;
    };
    const created = read();
    session.ask('b~1', null);
    const opened = read();
    session.settle('b~1');
    const settled = read();
    session.ask('c~1', null);
    read();
    session.settle('c~1').ask('d~1', null);
    return { created, opened, settled, folded: read(), other: (session.appendOther(), read()) };
  });
}

describe('[INBOX-1, OUT-2] a report to a workspace of 10,000 sessions', () => {
  it('reads no more rows than to one of 100', async () => {
    const few = await readsOf(FEW);
    const many = await readsOf(MANY);
    console.log('Rows read of a report', JSON.stringify(few));
    expect(many).toEqual(few);
    for (const rows of Object.values(many)) expect(rows).toBeLessThan(10);
  });
});
