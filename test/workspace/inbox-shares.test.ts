/**
 * Every agent has a share of the inbox.
 *
 * A bug here looks like one agent whose many short deadlines push the interaction of another agent off the first page,
 * where no person sees it before its deadline; or like an interaction that falls between two pages.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, WorkspaceHarness } from './workspace-harness.ts';

const BUSY = { openedBy: { credential: 'key_busy', subject: 'busy' } };
const CALM = { openedBy: { credential: 'key_calm', subject: 'calm' } };
const SHARE = LIMITS.inboxShare;

/** Sessions of one key, each with the most open interactions allowed, due in five minutes. */
function flood(
  harness: WorkspaceHarness,
  count = 4,
  by: Partial<InboxEntry> = BUSY,
): ReportingSession[] {
  return Array.from({ length: count }, (_, n) => {
    const session = new ReportingSession(`busy-${n}`);
    for (let call = 0; call < LIMITS.openInteractions; call += 1) {
      session.ask(`call-${call}~1`, harness.now + 5 * MINUTE + call, by);
    }
    harness.workspace.applyReport(session.report());
    return session;
  });
}

function calm(harness: WorkspaceHarness, id = 'calm'): ReportingSession {
  const session = new ReportingSession(id).ask('call~1', harness.now + 10 * MINUTE, CALM);
  harness.workspace.applyReport(session.report());
  return session;
}

const nameOf = ({ sessionId, interactionId }: InboxEntry) => `${sessionId}/${interactionId}`;
const firstPage = (harness: WorkspaceHarness, limit?: number) =>
  valueOf(harness.workspace.inbox({ limit })).interactions.map(nameOf);

describe('[INBOX-1] a share for each root', () => {
  it('keeps an interaction of ten minutes on the first page, however many another key opens', () => {
    const harness = new WorkspaceHarness();
    flood(harness);
    calm(harness);
    const page = firstPage(harness);
    expect(page).toHaveLength(100);
    expect(page).toContain('calm/call~1');
    expect(firstPage(harness, SHARE + 1)).toContain('calm/call~1');
  });

  it('counts for each root: all tokens of a key have one share', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 4; n += 1) {
      const openedBy = { credential: `tok_${n}`, subject: 'busy', root: 'key_busy' };
      flood(harness, 4, { openedBy });
    }
    calm(harness);
    expect(firstPage(harness, SHARE + 1)).toContain('calm/call~1');
  });

  it('leaves room for five full shares', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 4; n += 1) {
      const session = new ReportingSession(`busy-${n}`);
      for (let call = 0; call < 64; call += 1) session.ask(`call-${call}~1`, harness.now + call);
      harness.workspace.applyReport(session.report());
    }
    calm(harness);
    expect(firstPage(harness)).toContain('calm/call~1');
  });

  it('fills the rest of a page, and shows the earliest deadline first for every root', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('busy');
    for (let n = 0; n < 60; n += 1) {
      session.ask(`call-${n}~1`, harness.now + (60 - n) * MINUTE, BUSY);
    }
    harness.workspace.applyReport(session.report());
    calm(harness);
    const { interactions, next } = valueOf(harness.workspace.inbox({}));
    expect(next).toBeUndefined();
    expect(interactions).toHaveLength(61);
    const times = interactions.map(({ expiresAt }) => expiresAt ?? Infinity);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(interactions.filter(({ beyondShare }) => beyondShare === true)).toHaveLength(60 - SHARE);
  });

  it('lists everything once, in pages of any size, while interactions open and settle', () => {
    for (const limit of [1, 7, 30, 100]) {
      const harness = new WorkspaceHarness();
      const sessions = flood(harness);
      calm(harness);
      let turn = 0;
      const settled = new Set<string>();
      const late = new Set<string>();
      const found = wholeInbox(harness, { limit }, () => {
        turn += 1;
        const session = sessions[turn % sessions.length];
        const id = `call-${(turn * 7) % LIMITS.openInteractions}~1`;
        if (session?.open.has(id) !== true) return;
        settled.add(`${session.id}/${id}`);
        const told = session.head;
        session.settle(id);
        const fresh = `late-${turn}~1`;
        late.add(`${session.id}/${fresh}`);
        session.ask(fresh, harness.now + 5 * MINUTE, BUSY);
        harness.workspace.applyReport(session.report(told));
      }).map(nameOf);
      expect(new Set(found).size, `pages of ${limit}`).toBe(found.length);
      const stayed = sessions.flatMap(({ id, open }) =>
        [...open.keys()].map((one) => `${id}/${one}`),
      );
      for (const one of [...stayed, 'calm/call~1']) {
        if (!late.has(one)) expect(found, `pages of ${limit}`).toContain(one);
      }
    }
  });

  it('skips and repeats nothing when an entry before the page leaves and another moves up', () => {
    const harness = new WorkspaceHarness();
    const [session] = flood(harness, 1);
    const page = valueOf(harness.workspace.inbox({ limit: 40 }));
    for (let n = 0; n < SHARE; n += 1) session?.settle(`call-${n}~1`);
    if (session !== undefined)
      harness.workspace.applyReport(session.report(LIMITS.openInteractions + 1));
    const rest = valueOf(harness.workspace.inbox({ limit: 100, after: page.next }));
    const seen = [...page.interactions, ...rest.interactions].map(nameOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(LIMITS.openInteractions);
  });

  it('releases places: after some are answered, the next interactions are in front again', () => {
    const harness = new WorkspaceHarness();
    const [session] = flood(harness, 1);
    if (session === undefined) throw new Error('No session');
    const ask = (id: string) => {
      const told = session.head;
      harness.workspace.applyReport(session.ask(id, harness.now + MINUTE, BUSY).report(told));
      const shown = valueOf(harness.workspace.inbox({ limit: 1_000 })).interactions;
      return shown.find(({ interactionId }) => interactionId === id)?.beyondShare ?? false;
    };
    const settle = (id: string) => {
      const told = session.head;
      harness.workspace.applyReport(session.settle(id).report(told));
    };
    expect(ask('more-1~1')).toBe(true);
    settle('call-0~1');
    expect(ask('more-2~1')).toBe(false);
    expect(ask('more-3~1')).toBe(true);
    harness.wake();
    expect(ask('more-4~1')).toBe(true);
    settle('call-1~1');
    harness.wake();
    expect(ask('more-5~1')).toBe(false);
    settle('more-1~1');
    expect(ask('more-6~1')).toBe(true);
  });

  it('keeps its count when a report cannot be written', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('busy');
    for (let n = 0; n < SHARE; n += 1) session.ask(`call-${n}~1`, harness.now + n, BUSY);
    const { sessions } = harness.store;
    sessions.add = () => {
      throw new Error('The disk is full');
    };
    expect(() => harness.workspace.applyReport(session.report())).toThrow('full');
    Reflect.deleteProperty(sessions, 'add');
    harness.workspace.applyReport(session.report());
    const { interactions } = valueOf(harness.workspace.inbox({}));
    expect(interactions.filter(({ beyondShare }) => beyondShare === true)).toEqual([]);
  });

  it('shows subscribers which interactions are beyond the share', () => {
    const harness = new WorkspaceHarness();
    const frames: string[] = [];
    const listener = {
      attachment: { chain: [], expiresAt: null, held: false, root: 'key_1', takesPart: true },
      send: (text: string) => void frames.push(text),
      close: () => undefined,
    };
    harness.subscribers.add(listener);
    harness.workspace.subscribe(listener);
    flood(harness, 1);
    const { upserts } = JSON.parse(frames.at(-1) ?? '') as { upserts: InboxEntry[] };
    expect(upserts.filter(({ beyondShare }) => beyondShare === true)).toHaveLength(64 - SHARE);
    expect(upserts[0]?.openedBy).toEqual(BUSY.openedBy);
  });

  it('[TIME-2] is swept for missed deadlines in both parts', async () => {
    const harness = new WorkspaceHarness();
    flood(harness, 2);
    await harness.pass(20 * MINUTE);
    expect(new Set(harness.poked)).toEqual(new Set(['busy-0', 'busy-1']));
    const late = new WorkspaceHarness();
    const session = new ReportingSession('far');
    for (let n = 0; n < SHARE; n += 1) session.ask(`call-${n}~1`, null, BUSY);
    session.ask('soon~1', late.now + MINUTE, BUSY);
    late.workspace.applyReport(session.report());
    await late.pass(10 * MINUTE);
    expect(late.poked[0]).toBe('far');
  });

  it('takes the interactions of an older version, which do not name their opener', () => {
    const harness = new WorkspaceHarness();
    const report = new ReportingSession('s-1').ask('a~1', harness.now).report();
    const open = report.open.map(({ openedBy: _openedBy, ...entry }) => entry as InboxEntry);
    harness.workspace.applyReport({ ...report, open });
    const { interactions } = valueOf(harness.workspace.inbox({}));
    expect(interactions).toMatchObject([{ interactionId: 'a~1', openedBy: { credential: '' } }]);
  });

  it('[LOG-11] takes over interactions from before there were shares', () => {
    const database = nodeDatabase(new DatabaseSync(':memory:'));
    const before = WORKSPACE_MIGRATIONS.slice(0, 3);
    new SqliteWorkspaceStore(database, before).write(() => {
      database.run(
        `INSERT INTO session (id, created_at, head, heard_at, open_due) VALUES ('s-1', 1, 2, 1, ?)`,
        '{"a~1":5,"b~1":7}',
      );
      for (const [due, id] of [
        [5, 'a~1'],
        [7, 'b~1'],
      ] as const) {
        database.run('INSERT INTO open_interaction VALUES (?, ?, ?, ?)', due, 's-1', id, '{}');
      }
      database.run(`INSERT INTO meta VALUES ('swept_to', ?)`, '{"dueAt":5,"sessionId":"s-1"}');
    });
    const store = new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS);
    const keys = [5, 7].map((dueAt, n) => {
      const interactionId = n === 0 ? 'a~1' : 'b~1';
      return { beyondShare: false, dueAt, sessionId: 's-1', interactionId };
    });
    expect(store.inbox.list(9)).toMatchObject(keys);
    expect([store.inbox.earliestDue(), store.inbox.count()]).toEqual([5, 2]);
    expect(store.inbox.sweptTo()).toMatchObject({ beyondShare: false, dueAt: 5 });
    for (const [id, standing] of store.sessions.find('s-1')?.open ?? []) {
      const root = store.write(() =>
        store.inbox.remove({ ...standing, sessionId: 's-1', interactionId: id }),
      );
      expect(root).toMatchObject({ root: '' });
    }
    expect(store.inbox.count()).toBe(0);
  });

  it('continues from a cursor from before there were shares', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1')
      .ask('a~1', harness.now)
      .ask('b~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    const old = btoa(JSON.stringify(['inbox', harness.now, 's-1', 'a~1'])).replaceAll('=', '');
    const { interactions } = valueOf(harness.workspace.inbox({ after: old }));
    expect(interactions.map(nameOf)).toEqual(['s-1/b~1']);
  });
});
