/**
 * One workspace in memory, with every table of the port; those of sessions, credentials, people and rules have files of their own. No write can fail
 * half way, so a transaction needs no rollback.
 */
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';
import { NO_DEADLINE } from '../../workspace/inbox.ts';
import type * as tables from '../../workspace/store.ts';
import {
  compareText,
  MemoryKeyTable,
  MemoryRevocationTable,
  MemoryTokenTable,
} from './credential-tables.ts';
import {
  MemoryPersonTable,
  MemorySignInTable,
  MemoryCliSessionTable,
  MemoryExportTable,
  MemoryPinTable,
  MemorySessionTable,
  MemoryGatedRequestTable,
  MemoryRuleTable,
} from './workspace-tables.ts';

type OpenRow = tables.InboxKey & { readonly root: string; readonly entry: string };

class MemoryInboxTable implements tables.InboxTable {
  readonly #rows = new Map<string, OpenRow>();
  readonly #sessions: tables.SessionTable;
  #sweptTo: tables.InboxKey | undefined;

  constructor(sessions: tables.SessionTable) {
    this.#sessions = sessions;
  }

  put(key: tables.InboxKey, root: string, entry: string): void {
    const known = this.#rows.get(inboxName(key));
    this.#rows.set(inboxName(key), { ...inboxKey(key), root: known?.root ?? root, entry });
  }

  remove(key: tables.InboxKey): tables.RemovedInteraction | undefined {
    const known = this.#rows.get(inboxName(key));
    this.#rows.delete(inboxName(key));
    return known && { root: known.root, openedAt: entryOpenedAt(known.entry) };
  }

  oldestOpenedAt(): number | null {
    const times = [...this.#rows.values()]
      .map(({ dueAt, entry }) =>
        dueAt >= NO_DEADLINE ? dueAt - NO_DEADLINE : entryOpenedAt(entry),
      )
      .filter((at) => at !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  countWithinShares(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { beyondShare, root } of this.#rows.values()) {
      if (!beyondShare) counts.set(root, (counts.get(root) ?? 0) + 1);
    }
    return counts;
  }

  list(limit: number, after?: tables.InboxKey): tables.OpenInteractionRow[] {
    return this.#inOrder(after)
      .slice(0, limit)
      .map((row) => ({
        ...inboxKey(row),
        entry: row.entry,
        sessionTitle: this.#sessions.find(row.sessionId)?.title ?? null,
      }));
  }

  count(): number {
    return this.#rows.size;
  }

  earliestDue(): number | null {
    let earliest: number | null = null;
    for (const { dueAt } of this.#rows.values()) {
      if (earliest === null || dueAt < earliest) earliest = dueAt;
    }
    return earliest;
  }

  overdue(dueBy: number, limit: number, after?: tables.InboxKey): tables.InboxKey[] {
    return this.#inOrder(after)
      .filter((row) => row.dueAt <= dueBy)
      .slice(0, limit)
      .map(inboxKey);
  }

  sweptTo(): tables.InboxKey | undefined {
    return this.#sweptTo;
  }

  saveSweptTo(key: tables.InboxKey | undefined): void {
    this.#sweptTo = key;
  }

  #inOrder(after: tables.InboxKey | undefined): OpenRow[] {
    return [...this.#rows.values()]
      .filter((row) => after === undefined || compareOpen(row, after) > 0)
      .sort(compareOpen);
  }
}

class MemoryAuditTable implements tables.AuditTable {
  /** In the order of the numbers. */
  readonly #rows: tables.AuditRow[] = [];

  append(row: tables.AuditRow): void {
    this.#rows.push(row);
  }

  setHash(number: number, hash: string): void {
    const index = this.#rows.findIndex((row) => row.number === number);
    const row = this.#rows[index];
    if (row !== undefined) this.#rows[index] = { ...row, hash };
  }

  head(): tables.AuditEnd | undefined {
    const last = this.#rows.at(-1);
    return last && { number: last.number, recordedAt: last.recordedAt, hash: last.hash };
  }

  keysOf(source: string): tables.AuditKey[] {
    return this.#rows.filter((row) => row.source === source).map(({ at, seq }) => ({ at, seq }));
  }

  list(
    {
      before,
      downTo,
      from = Number.MIN_SAFE_INTEGER,
      to = Number.MAX_SAFE_INTEGER,
      parts,
    }: tables.AuditWindow,
    limit: number,
  ): tables.LinkedAuditRow[] {
    const found: tables.LinkedAuditRow[] = [];
    for (let index = this.#rows.length - 1; index >= 0 && found.length < limit; index -= 1) {
      const row = this.#linked(index);
      if (row === undefined || row.number >= before || row.at < from || row.at >= to) continue;
      if (row.number < downTo) break;
      if (parts.every((part) => row.entry.includes(part))) found.push(row);
    }
    return found;
  }

  readFrom(after: number, limit: number): tables.LinkedAuditRow[] {
    const first = this.#rows.findIndex((row) => row.number > after);
    if (first < 0) return [];
    const rows = this.#rows.slice(first, first + limit);
    return rows.flatMap((_row, index) => this.#linked(first + index) ?? []);
  }

  firstRecordedFrom(time: number): number {
    const found = this.#rows.find((row) => row.recordedAt >= time);
    return found?.number ?? (this.#rows.at(-1)?.number ?? 0) + 1;
  }

  #linked(index: number): tables.LinkedAuditRow | undefined {
    const row = this.#rows[index];
    const earlier = this.#rows[index - 1];
    const isNext = row !== undefined && earlier?.number === row.number - 1;
    return row && { ...row, previous: isNext ? (earlier?.hash ?? null) : null };
  }
}

class MemoryTargetTable implements tables.TargetTable {
  readonly #rows = new Map<string, tables.StoredTarget>();

  list(): tables.StoredTarget[] {
    return [...this.#rows.values()].sort((a, b) => compareText(a.id, b.id));
  }

  put(target: tables.StoredTarget): void {
    this.#rows.set(target.id, target);
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }
}

class MemoryTargetOutboxTable implements tables.TargetOutboxTable {
  readonly #rows = new Map<string, tables.StoredOutboxEntry>();

  list(): tables.StoredOutboxEntry[] {
    return [...this.#rows.values()].sort((a, b) => a.number - b.number);
  }

  put(entry: tables.StoredOutboxEntry): void {
    this.#rows.set(`${entry.targetId} ${entry.slot}`, entry);
  }

  remove(targetId: string, slot: number): void {
    this.#rows.delete(`${targetId} ${slot}`);
  }
}

export class MemoryWorkspaceStore implements tables.WorkspaceStore {
  readonly sessions = new MemorySessionTable();
  readonly pins = new MemoryPinTable();
  readonly inbox = new MemoryInboxTable(this.sessions);
  readonly audit = new MemoryAuditTable();
  readonly exports = new MemoryExportTable();
  readonly keys = new MemoryKeyTable();
  readonly tokens = new MemoryTokenTable();
  readonly revocations = new MemoryRevocationTable();
  readonly cliSessions = new MemoryCliSessionTable();
  readonly targets = new MemoryTargetTable();
  readonly targetOutbox = new MemoryTargetOutboxTable();
  readonly people = new MemoryPersonTable();
  readonly signIns = new MemorySignInTable();
  readonly rules = new MemoryRuleTable();
  readonly gatedRequests = new MemoryGatedRequestTable();
  #settings: string | undefined;
  readonly #lists = new Map<tables.StoredListName, string>();
  #vapidKeys: VapidKeys | undefined;

  vapidKeys(): VapidKeys | undefined {
    return this.#vapidKeys;
  }

  saveVapidKeys(keys: VapidKeys): void {
    this.#vapidKeys = keys;
  }

  readonly #name: string | undefined;

  constructor(name?: string) {
    this.#name = name;
  }

  name(): string | undefined {
    return this.#name;
  }

  write<Result>(work: () => Result): Result {
    return work();
  }

  settings(): string | undefined {
    return this.#settings;
  }

  saveSettings(text: string): void {
    this.#settings = text;
  }

  list(name: tables.StoredListName): string | undefined {
    return this.#lists.get(name);
  }

  saveList(name: tables.StoredListName, text: string): void {
    this.#lists.set(name, text);
  }
}

function entryOpenedAt(text: string): number | null {
  const { openedAt } = JSON.parse(text) as { openedAt?: unknown };
  return typeof openedAt === 'number' ? openedAt : null;
}

/** No id contains a space. */
function inboxName({ beyondShare, dueAt, sessionId, interactionId }: tables.InboxKey): string {
  return `${beyondShare} ${dueAt} ${sessionId} ${interactionId}`;
}

function inboxKey({
  beyondShare,
  dueAt,
  sessionId,
  interactionId,
}: tables.InboxKey): tables.InboxKey {
  return { beyondShare, dueAt, sessionId, interactionId };
}

function compareOpen(a: tables.InboxKey, b: tables.InboxKey): number {
  return (
    Number(a.beyondShare) - Number(b.beyondShare) ||
    a.dueAt - b.dueAt ||
    compareText(a.sessionId, b.sessionId) ||
    compareText(a.interactionId, b.interactionId)
  );
}
