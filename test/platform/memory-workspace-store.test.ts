/**
 * The workspace in memory against the one in SQL: whatever is written, both say the same.
 *
 * A difference would be an inbox that shows less in a script than on a server.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { MemoryWorkspaceStore } from '../../src/platform/memory/workspace-store.ts';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import type { WorkspaceStore } from '../../src/workspace/store.ts';
import { Random } from '../support/random.ts';

type Say = (store: WorkspaceStore) => unknown;

const NAMES = ['a', 'B', 'b', 'z-9', 'Z'];

describe('a workspace in memory', () => {
  it('[INBOX-1, TRN-2] returns the same as the workspace in SQL, after any writes', () => {
    for (let seed = 1; seed <= 20; seed += 1) compare(seed);
  });
});

function compare(seed: number): void {
  const random = new Random(`workspace ${seed}`);
  const number = (below: number) => random.int(0, below - 1);
  const name = () => NAMES[number(NAMES.length)] ?? 'a';
  const stores: WorkspaceStore[] = [
    new MemoryWorkspaceStore(),
    new SqliteWorkspaceStore(nodeDatabase(new DatabaseSync(':memory:')), WORKSPACE_MIGRATIONS),
  ];
  const both = (say: Say) => {
    const [memory, sql] = stores.map((store) => store.write(() => say(store)));
    expect(memory, `seed ${seed}`).toEqual(sql);
  };
  let tokens = 0;
  let audited = 0;
  const known = new Map<string, number>();
  const writes: (() => Say)[] = [
    () => {
      const id = name();
      const open = new Map(
        number(2) === 0 ? [] : [[name(), { beyondShare: number(2) === 0, dueAt: number(5) }]],
      );
      const row = {
        id,
        title: name(),
        createdAt: 1,
        head: number(9),
        reportedAt: 2,
        incarnation: name(),
        open,
        activeAt: number(9),
        isArchived: number(3) === 0,
        about: number(2) === 0 ? {} : { lastAt: number(9), lastLine: name() },
        gated: number(2) === 0 ? '[]' : '[{}]',
      };
      const deletedAt = number(4) === 0 ? 5 : null;
      const at = known.get(id);
      if (at !== undefined) {
        const how = { isListedElsewhere: true };
        return (store) => store.sessions.update(at, { ...row, deletedAt }, how);
      }
      known.set(id, known.size + 1);
      return (store) => store.sessions.add({ ...row, deletedAt });
    },
    () => {
      const [subject, id, change] = [name(), name(), number(4)];
      if (change === 0) return (store) => store.pins.removeOf(id);
      if (change === 1) return (store) => store.pins.remove(subject, id);
      return (store) => store.pins.add(subject, id, 1);
    },
    () => {
      const key = {
        beyondShare: number(2) === 0,
        dueAt: number(6),
        sessionId: name(),
        interactionId: name(),
      };
      if (!known.has(key.sessionId)) return () => undefined;
      const entry = `{"n":${number(3)}}`;
      const root = name();
      return (store) => store.inbox.put(key, root, entry);
    },
    () => {
      const key = {
        beyondShare: number(2) === 0,
        dueAt: number(6),
        sessionId: name(),
        interactionId: name(),
      };
      return (store) => store.inbox.remove(key);
    },
    () => {
      const row = { at: number(4), source: name(), seq: number(4), entry: `{"n":${number(9)}}` };
      audited += 1;
      const hash = number(4) === 0 ? null : name();
      const end = { number: audited, recordedAt: audited, hash };
      return (store) => store.audit.append({ ...row, ...end });
    },
    () => {
      const at = number(audited + 1);
      const hash = name();
      return (store) => store.audit.setHash(at, hash);
    },
    () => {
      const credential = name();
      const expiresAt = number(3) === 0 ? null : number(9);
      const at = number(9);
      return (store) => store.revocations.add(credential, at, expiresAt);
    },
    () => {
      const watcher = { credential: name(), sessionId: name() };
      const expiresAt = number(3) === 0 ? null : number(9);
      return (store) => store.revocations.addWatcher(watcher, expiresAt);
    },
    () => {
      const watcher = { credential: name(), sessionId: name() };
      return (store) => store.revocations.removeWatcher(watcher);
    },
    () => {
      const now = number(5);
      return (store) => store.revocations.removeExpired(now);
    },
    () => {
      tokens += 1;
      const token = { id: `${name()}${tokens}`, maker: name(), expiresAt: number(9) };
      const stored = { ...token, chain: [token.id, name()], entry: name() };
      return (store) => store.tokens.add(stored);
    },
    () => {
      const now = number(5);
      const most = number(3);
      return (store) => store.tokens.removeExpired(now, most);
    },
    () => {
      const text = name();
      return (store) => store.saveSettings(text);
    },
    () => {
      const key = {
        beyondShare: number(2) === 0,
        dueAt: number(6),
        sessionId: name(),
        interactionId: name(),
      };
      const to = number(2) === 0 ? undefined : key;
      return (store) => store.inbox.saveSweptTo(to);
    },
  ];
  for (let step = 0; step < 120; step += 1) {
    both((writes[number(writes.length)] ?? (() => () => undefined))());
    const limit = 1 + number(6);
    const place = {
      beyondShare: number(2) === 0,
      dueAt: number(6),
      sessionId: name(),
      interactionId: name(),
    };
    const after = number(2) === 0 ? undefined : place;
    const before = number(2) === 0 ? undefined : 3;
    const audit = { before: number(9), downTo: number(4), parts: [`${number(9)}}`] };
    const reads: Say[] = [
      (store) => store.sessions.list(limit, before),
      (store) =>
        store.sessions.listByActivity(
          after === undefined,
          limit,
          before === undefined ? undefined : { activeAt: limit, number: before },
        ),
      (store) => NAMES.map((one) => store.pins.list(one)),
      (store) => store.sessions.find(NAMES[step % NAMES.length] ?? 'a'),
      (store) => store.inbox.list(limit, after),
      (store) => store.inbox.overdue(3, limit, after),
      (store) => [store.inbox.count(), store.inbox.earliestDue(), store.settings()],
      (store) => store.inbox.oldestOpenedAt(),
      (store) =>
        [...store.inbox.countWithinShares()].toSorted(([one], [other]) => (one < other ? -1 : 1)),
      (store) => store.inbox.sweptTo(),
      (store) => store.audit.list({ ...audit, ...(after && { from: 1, to: 3 }) }, limit),
      (store) => store.audit.readFrom(audit.downTo, limit),
      (store) => [store.audit.head(), store.audit.keysOf('a')],
      (store) => store.audit.firstRecordedFrom(audit.before),
      (store) => [store.tokens.list(limit, 4, after && 'b'), store.tokens.find(`a${limit}`)],
      (store) => [store.tokens.hasAtLeast(limit, 'a', 4), store.tokens.earliestExpiry()],
      (store) => [store.revocations.firstAt(NAMES), store.revocations.firstAt(['b'])],
      (store) => [store.revocations.list(4), NAMES.map((one) => store.revocations.has(one))],
      (store) => store.revocations.unconfirmed(limit, after && { credential: 'b', sessionId: 'a' }),
    ];
    const read = reads[step % reads.length];
    if (read !== undefined) both(read);
  }
}
