/**
 * The inbox is for everybody who asks.
 *
 * A bug here looks like one agent whose many short deadlines push the question of another off the first page, so that
 * nobody sees it until its own deadline has passed; or like a question that falls between two pages.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { TellingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, World } from './workspace-harness.ts';

const BUSY = { openedBy: { credential: 'key_busy', subject: 'busy' } };
const CALM = { openedBy: { credential: 'key_calm', subject: 'calm' } };
const SHARE = LIMITS.inboxShare;

/** Sessions of one key, each with as many questions as one may have, due in five minutes. */
function flood(world: World, count = 4, by: Partial<InboxEntry> = BUSY): TellingSession[] {
  return Array.from({ length: count }, (_, n) => {
    const session = new TellingSession(`busy-${n}`);
    for (let call = 0; call < LIMITS.openInteractions; call += 1) {
      session.ask(`call-${call}~1`, world.now + 5 * MINUTE + call, by);
    }
    world.workspace.hear(session.report());
    return session;
  });
}

function calm(world: World, id = 'calm'): TellingSession {
  const session = new TellingSession(id).ask('call~1', world.now + 10 * MINUTE, CALM);
  world.workspace.hear(session.report());
  return session;
}

const nameOf = ({ sessionId, interactionId }: InboxEntry) => `${sessionId}/${interactionId}`;
const firstPage = (world: World, limit?: number) =>
  valueOf(world.workspace.inbox({ limit })).interactions.map(nameOf);

describe('[INBOX-1] a share for each who asks', () => {
  it('keeps a question of ten minutes on the first page, whatever another key asks', () => {
    const world = new World();
    flood(world);
    calm(world);
    const page = firstPage(world);
    expect(page).toHaveLength(100);
    expect(page).toContain('calm/call~1');
    expect(firstPage(world, SHARE + 1)).toContain('calm/call~1');
  });

  it('counts for the root: the tokens of a key have one share together', () => {
    const world = new World();
    for (let n = 0; n < 4; n += 1) {
      const openedBy = { credential: `tok_${n}`, subject: 'busy', root: 'key_busy' };
      flood(world, 4, { openedBy });
    }
    calm(world);
    expect(firstPage(world, SHARE + 1)).toContain('calm/call~1');
  });

  it('leaves room for five that use all of theirs', () => {
    const world = new World();
    for (let n = 0; n < 4; n += 1) {
      const session = new TellingSession(`busy-${n}`);
      for (let call = 0; call < 64; call += 1) session.ask(`call-${call}~1`, world.now + call);
      world.workspace.hear(session.report());
    }
    calm(world);
    expect(firstPage(world)).toContain('calm/call~1');
  });

  it('fills the rest of a page, and shows the oldest deadline first whoever asked', () => {
    const world = new World();
    const session = new TellingSession('busy');
    for (let n = 0; n < 60; n += 1) {
      session.ask(`call-${n}~1`, world.now + (60 - n) * MINUTE, BUSY);
    }
    world.workspace.hear(session.report());
    calm(world);
    const { interactions, next } = valueOf(world.workspace.inbox({}));
    expect(next).toBeUndefined();
    expect(interactions).toHaveLength(61);
    const times = interactions.map(({ expiresAt }) => expiresAt ?? Infinity);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(interactions.filter(({ beyondShare }) => beyondShare === true)).toHaveLength(60 - SHARE);
  });

  it('lists everything once, in pages of any size, while questions come and go', () => {
    for (const limit of [1, 7, 30, 100]) {
      const world = new World();
      const sessions = flood(world);
      calm(world);
      let turn = 0;
      const settled = new Set<string>();
      const late = new Set<string>();
      const found = wholeInbox(world, { limit }, () => {
        turn += 1;
        const session = sessions[turn % sessions.length];
        const id = `call-${(turn * 7) % LIMITS.openInteractions}~1`;
        if (session?.open.has(id) !== true) return;
        settled.add(`${session.id}/${id}`);
        const told = session.head;
        session.settle(id);
        const fresh = `late-${turn}~1`;
        late.add(`${session.id}/${fresh}`);
        session.ask(fresh, world.now + 5 * MINUTE, BUSY);
        world.workspace.hear(session.report(told));
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

  it('skips and doubles nothing when an entry of before the page leaves and another moves up', () => {
    const world = new World();
    const [session] = flood(world, 1);
    const page = valueOf(world.workspace.inbox({ limit: 40 }));
    for (let n = 0; n < SHARE; n += 1) session?.settle(`call-${n}~1`);
    if (session !== undefined) world.workspace.hear(session.report(LIMITS.openInteractions + 1));
    const rest = valueOf(world.workspace.inbox({ limit: 100, after: page.next }));
    const seen = [...page.interactions, ...rest.interactions].map(nameOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(LIMITS.openInteractions);
  });

  it('gives places back: when some are answered, the next ones asked are in front again', () => {
    const world = new World();
    const [session] = flood(world, 1);
    if (session === undefined) throw new Error('No session');
    const ask = (id: string) => {
      const told = session.head;
      world.workspace.hear(session.ask(id, world.now + MINUTE, BUSY).report(told));
      const shown = valueOf(world.workspace.inbox({ limit: 1_000 })).interactions;
      return shown.find(({ interactionId }) => interactionId === id)?.beyondShare ?? false;
    };
    const settle = (id: string) => {
      const told = session.head;
      world.workspace.hear(session.settle(id).report(told));
    };
    expect(ask('more-1~1')).toBe(true);
    settle('call-0~1');
    expect(ask('more-2~1')).toBe(false);
    expect(ask('more-3~1')).toBe(true);
    world.wake();
    expect(ask('more-4~1')).toBe(true);
    settle('call-1~1');
    world.wake();
    expect(ask('more-5~1')).toBe(false);
    settle('more-1~1');
    expect(ask('more-6~1')).toBe(true);
  });

  it('keeps its count when a report cannot be written', () => {
    const world = new World();
    const session = new TellingSession('busy');
    for (let n = 0; n < SHARE; n += 1) session.ask(`call-${n}~1`, world.now + n, BUSY);
    const { sessions } = world.store;
    sessions.add = () => {
      throw new Error('The disk is full');
    };
    expect(() => world.workspace.hear(session.report())).toThrow('full');
    Reflect.deleteProperty(sessions, 'add');
    world.workspace.hear(session.report());
    const { interactions } = valueOf(world.workspace.inbox({}));
    expect(interactions.filter(({ beyondShare }) => beyondShare === true)).toEqual([]);
  });

  it('tells those who listen which is which', () => {
    const world = new World();
    const frames: string[] = [];
    const listener = {
      attachment: { chain: [], expiresAt: null, held: false },
      send: (text: string) => void frames.push(text),
      close: () => undefined,
    };
    world.listeners.add(listener);
    world.workspace.listen(listener);
    flood(world, 1);
    const { upserts } = JSON.parse(frames.at(-1) ?? '') as { upserts: InboxEntry[] };
    expect(upserts.filter(({ beyondShare }) => beyondShare === true)).toHaveLength(64 - SHARE);
    expect(upserts[0]?.openedBy).toEqual(BUSY.openedBy);
  });

  it('[TIME-2] is looked through for deadlines that a session slept through, both parts of it', async () => {
    const world = new World();
    flood(world, 2);
    await world.pass(20 * MINUTE);
    expect(new Set(world.poked)).toEqual(new Set(['busy-0', 'busy-1']));
    const late = new World();
    const session = new TellingSession('far');
    for (let n = 0; n < SHARE; n += 1) session.ask(`call-${n}~1`, null, BUSY);
    session.ask('soon~1', late.now + MINUTE, BUSY);
    late.workspace.hear(session.report());
    await late.pass(10 * MINUTE);
    expect(late.poked[0]).toBe('far');
  });

  it('takes what a session of the version before asks, which does not say who asks', () => {
    const world = new World();
    const report = new TellingSession('s-1').ask('a~1', world.now).report();
    const open = report.open.map(({ openedBy: _openedBy, ...entry }) => entry as InboxEntry);
    world.workspace.hear({ ...report, open });
    const { interactions } = valueOf(world.workspace.inbox({}));
    expect(interactions).toMatchObject([{ interactionId: 'a~1', openedBy: { credential: '' } }]);
  });

  it('[LOG-11] takes over what was open before there were shares', () => {
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
      expect(root).toBe('');
    }
    expect(store.inbox.count()).toBe(0);
  });

  it('goes on from a cursor of before there were shares', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now).ask('b~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    const old = btoa(JSON.stringify(['inbox', world.now, 's-1', 'a~1'])).replaceAll('=', '');
    const { interactions } = valueOf(world.workspace.inbox({ after: old }));
    expect(interactions.map(nameOf)).toEqual(['s-1/b~1']);
  });
});
