/**
 * Imported history. A bug here looks like a conversation with a hole or with lines twice, like a transcript that replaces
 * another one, or like a log that says more was imported than is stored.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { HistoryEntry, HistoryPage } from '../../src/protocol/types.ts';
import { importHistoryPage, readHistoryPage } from '../../src/session/history.ts';
import { agent } from '../support/callers.ts';
import { memoryStorage, startedSession } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';
import { CLI, digestOf, entriesOf, entryAt, linesOf } from '../support/transcripts.ts';

const CONTEXT = { caller: agent(), timeouts: {} };

function send(
  world: SessionWorld,
  entries: readonly HistoryEntry[],
  from = 0,
  before: readonly HistoryEntry[] = [],
  cli: { provider: string; cliSessionId: string } = CLI,
) {
  const page = { ...cli, from, prefixDigest: digestOf(before.slice(0, from)) };
  return importHistoryPage(world.session, { ...page, lines: linesOf(entries) }, CONTEXT);
}

async function sent(...args: Parameters<typeof send>): Promise<unknown> {
  const result = await send(...args);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return JSON.parse(result.json);
}

/** All pages. */
function stored(world: SessionWorld, limit = 1_000): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let after: string | undefined;
  do {
    const read = readHistoryPage(world.session, after, limit);
    if (!read.ok) throw new Error(read.code);
    const page = JSON.parse(read.value) as HistoryPage;
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return entries;
}

const imports = (world: SessionWorld) =>
  world.log().filter(({ type }) => type === 'history_imported');

async function mapped(): Promise<Awaited<ReturnType<typeof startedSession>>> {
  const world = await startedSession();
  world.must({ type: 'cli.map', cli: CLI });
  return world;
}

async function mappedInMemory(): Promise<SessionWorld> {
  const world = new SessionWorld(memoryStorage());
  await world.ask({ type: 'session.create' });
  world.must({ type: 'cli.map', cli: CLI });
  return world;
}

describe.each([
  ['SQLite', mapped],
  ['memory', mappedInMemory],
])('[ALN-1] history in %s', (_, begin) => {
  it('has the digest of the documents after every cut into pages', async () => {
    const all = entriesOf(200);
    for (const cuts of [[200], [64, 128, 200], [1, 2, 3, 63, 64, 65, 130, 200], [100, 199, 200]]) {
      const world = await begin();
      let from = 0;
      for (const end of cuts) {
        const extent = { entries: end, digest: digestOf(all.slice(0, end)), rev: 1 };
        expect(await sent(world, all.slice(from, end), from, all)).toEqual(extent);
        from = end;
      }
      expect(stored(world)).toEqual(all);
      expect(stored(world, 7)).toEqual(all);
      expect(imports(world)).toHaveLength(cuts.length);
      expect(world.state?.info.cliSessions).toEqual([{ ...CLI, entries: 200, rev: 1 }]);
    }
  });

  it('checks a prefix that ends inside a row, wherever it ends', async () => {
    const all = entriesOf(300, 'x'.repeat(600));
    const world = await begin();
    await sent(world, all.slice(0, 150));
    await sent(world, all.slice(150), 150, all);
    for (const from of [0, 1, 63, 64, 65, 149, 150, 151, 192, 299, 300]) {
      const entry = all[from] ?? entryAt(from);
      expect(await send(world, [entry], from, all)).toMatchObject({ ok: true });
      const wrong = await send(world, [entry], from, entriesOf(300, 'other'));
      if (from > 0) expect(wrong).toMatchObject({ ok: false, code: 'history_changed' });
    }
  });

  it('changes nothing and logs nothing when the entries are stored already', async () => {
    const all = entriesOf(100);
    const world = await begin();
    const first = await sent(world, all);
    const head = world.state?.head;
    expect(await sent(world, all)).toEqual(first);
    expect(await sent(world, all.slice(10, 20), 10, all)).toEqual(first);
    expect(world.state?.head).toBe(head);
    expect(stored(world)).toEqual(all);
  });

  it('refuses a page that begins beyond the stored entries, and says where they end', async () => {
    const all = entriesOf(10);
    const world = await begin();
    await sent(world, all.slice(0, 4));
    expect(await send(world, all.slice(5), 5, all)).toMatchObject({
      ok: false,
      code: 'history_gap',
      details: { entries: 4 },
    });
    expect(stored(world)).toEqual(all.slice(0, 4));
  });

  it.each([0, 1, 63, 64, 100, 149])(
    'replaces everything from entry %i of a rewritten transcript',
    async (at) => {
      const all = entriesOf(150, 'x'.repeat(700));
      const rewritten = [...all.slice(0, at), entryAt(at, 'Rewritten'), entryAt(at + 1, 'New')];
      const world = await begin();
      await sent(world, all.slice(0, 80));
      await sent(world, all.slice(80), 80, all);
      const digest = digestOf(rewritten);
      expect(await sent(world, rewritten)).toEqual({ entries: at + 2, digest, rev: 2 });
      expect(stored(world)).toEqual(rewritten);
      const more = [...rewritten, entryAt(900)];
      expect(await sent(world, [entryAt(900)], at + 2, more)).toEqual({
        entries: at + 3,
        digest: digestOf(more),
        rev: 2,
      });
      expect(stored(world)).toEqual(more);
    },
  );

  it('is the same when two importers send one file at once', async () => {
    const all = entriesOf(400);
    const world = await begin();
    const run = async (size: number) => {
      for (let from = 0; from < all.length; from += size) {
        await sent(world, all.slice(from, from + size), from, all);
      }
    };
    await Promise.all([run(90), run(130)]);
    expect(stored(world)).toEqual(all);
    expect(world.state?.info.cliSessions).toMatchObject([{ entries: 400, rev: 1 }]);
    expect(imports(world).length).toBeLessThanOrEqual(9);
  });

  it('keeps entries from the future and in any order of time as they are', async () => {
    const all = [
      { ...entryAt(0), at: Number.MAX_SAFE_INTEGER },
      { ...entryAt(1), at: 0 },
    ];
    const world = await begin();
    await sent(world, all);
    expect(stored(world)).toEqual(all);
  });

  it('belongs to the CLI session that is named, one after the other', async () => {
    const other = { provider: 'codex', cliSessionId: 'resumed' };
    const world = await begin();
    expect(await send(world, entriesOf(1), 0, [], other)).toMatchObject({ code: 'not_found' });
    world.must({ type: 'cli.map', cli: other });
    await sent(world, entriesOf(3, 'second'), 0, [], other);
    await sent(world, entriesOf(2));
    expect(stored(world)).toEqual([...entriesOf(2), ...entriesOf(3, 'second')]);
    expect(stored(world, 1)).toEqual([...entriesOf(2), ...entriesOf(3, 'second')]);
  });

  it('refuses the cursor of a history that was replaced', async () => {
    const world = await begin();
    await sent(world, entriesOf(3));
    const read = readHistoryPage(world.session, undefined, 1);
    const { next } = JSON.parse(read.ok ? read.value : '{}') as HistoryPage;
    await sent(world, entriesOf(3, 'other'));
    expect(readHistoryPage(world.session, next, 1)).toMatchObject({ code: 'history_changed' });
    expect(readHistoryPage(world.session, 'nonsense', 1)).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('[LOG-9] stays after /clear and goes with the session', async () => {
    const world = await begin();
    await sent(world, entriesOf(3));
    world.must({ type: 'session.clear' });
    expect(stored(world)).toEqual(entriesOf(3));
    world.must({ type: 'session.delete' });
    await world.quiet();
    expect(world.store.history.bytes()).toBe(0);
    expect(world.store.load()?.info.cliSessions).toBeUndefined();
    expect(await send(world, entriesOf(1))).toMatchObject({ code: 'not_found' });
  });

  it('stops with a clear error at the bound of a session', async () => {
    const world = await begin();
    const large = { bytes: () => LIMITS.historyBytes - 100 };
    Object.defineProperty(world.store.history, 'bytes', { value: large.bytes });
    await sent(world, entriesOf(1));
    expect(await send(world, entriesOf(3), 0)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'historyBytes', max: LIMITS.historyBytes },
    });
    expect(stored(world)).toEqual(entriesOf(1));
  });

  it('[LOG-10] does not count among the events of the log', async () => {
    const world = await begin();
    const { head = 0 } = world.state ?? {};
    await sent(world, entriesOf(1_000));
    expect(world.state?.head).toBe(head + 1);
  });
});

describe('[ALN-1] history on a failing disk', () => {
  it.each(['history', 'log'] as const)(
    '[LOG-3] stores neither entries nor event when the table %s cannot be written',
    async (table) => {
      const all = entriesOf(100);
      const world = await mapped();
      await sent(world, all.slice(0, 50));
      const { head = 0 } = world.state ?? {};
      world.storage.damage(table);
      expect(await send(world, all.slice(50), 50, all)).toMatchObject({ code: 'write_failed' });
      world.storage.repair();
      expect(stored(world)).toEqual(all.slice(0, 50));
      expect(world.state?.head).toBe(head);
      expect(await sent(world, all.slice(50), 50, all)).toMatchObject({ entries: 100, rev: 1 });
      expect(stored(world)).toEqual(all);
    },
  );

  it('is there after the session wakes', async () => {
    const world = await mapped();
    await sent(world, entriesOf(70));
    await world.quiet();
    world.evict();
    expect(stored(world)).toEqual(entriesOf(70));
    expect(world.state?.info.cliSessions).toEqual([{ ...CLI, entries: 70, rev: 1 }]);
  });

  it('writes few rows when it grows line by line', async () => {
    const all = entriesOf(300);
    const world = await mapped();
    for (const [from, entry] of all.entries()) await sent(world, [entry], from, all);
    expect(world.store.history.list(1)).toHaveLength(1);
    expect(stored(world)).toEqual(all);
  });
});

describe('[ALN-5] CLI sessions of a session', () => {
  it('are in its view; a repeat logs nothing, another model does', async () => {
    const world = await mapped();
    const { head = 0 } = world.state ?? {};
    world.must({ type: 'cli.map', cli: CLI });
    expect(world.state?.head).toBe(head);
    world.must({ type: 'cli.map', cli: { ...CLI, model: 'opus' } });
    expect(world.log().at(-1)).toMatchObject({
      type: 'session_updated',
      payload: { cliSession: { ...CLI, model: 'opus' }, by: { subject: 'agent' } },
    });
    await sent(world, entriesOf(1));
    world.must({ type: 'cli.map', cli: { ...CLI, cwd: '/tmp' } });
    expect(world.state?.info.cliSessions).toEqual([{ ...CLI, cwd: '/tmp', entries: 1, rev: 1 }]);
  });

  it('are at most as many as published', async () => {
    const world = await mapped();
    const cli = (index: number) => ({ provider: 'codex', cliSessionId: `c-${index}` });
    for (let index = 1; index < LIMITS.cliSessions; index += 1) {
      world.must({ type: 'cli.map', cli: cli(index) });
    }
    expect(world.handle({ type: 'cli.map', cli: cli(99) })).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'cliSessions' },
    });
    world.must({ type: 'cli.map', cli: cli(1) });
  });

  it('belong to no session with a built-in agent', async () => {
    const world = await startedSession();
    const built = new SessionWorld(memoryStorage());
    await built.ask({ type: 'session.create', agent: {} } as never);
    expect(built.handle({ type: 'cli.map', cli: CLI })).toMatchObject({ code: 'invalid_request' });
    expect(world.handle({ type: 'cli.map', cli: CLI })).toMatchObject({ ok: true });
  });
});
