/**
 * One workspace in memory, with every table of the port; those of credentials have a file of their own. No write can fail
 * half way, so a transaction needs no rollback.
 */
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';
import { NO_DEADLINE } from '../../workspace/inbox.ts';
import type * as ports from '../../workspace/ports.ts';
import {
  compareText,
  MemoryKeyTable,
  MemoryRevocationTable,
  MemoryTokenTable,
} from './credential-tables.ts';
import { MemoryPersonTable, MemorySignInTable } from './people-tables.ts';

import { MemoryGatedRequestTable, MemoryRuleTable } from './rule-tables.ts';

type OpenRow = ports.InboxKey & { readonly root: string; readonly entry: string };

class MemorySessionTable implements ports.SessionTable {
  readonly #rows = new Map<string, ports.NumberedSession>();
  #numbers = 0;

  find(id: string): ports.NumberedSession | undefined {
    return this.#rows.get(id);
  }

  add(row: ports.SessionIndexRow): void {
    this.#numbers += 1;
    this.#rows.set(row.id, { ...row, number: this.#numbers });
  }

  update(number: number, row: ports.SessionIndexRow): void {
    this.#rows.set(row.id, { ...row, number });
  }

  list(limit: number, before: number = Number.MAX_SAFE_INTEGER): ports.NumberedSession[] {
    return [...this.#rows.values()]
      .filter((row) => row.number < before && row.deletedAt === null)
      .sort((a, b) => b.number - a.number)
      .slice(0, limit);
  }

  listIdle(before: number, limit: number, after?: ports.ActivityKey): ports.NumberedSession[] {
    const byActivity = (a: ports.ActivityKey, b: ports.ActivityKey) =>
      a.activeAt - b.activeAt || a.number - b.number;
    return [...this.#rows.values()]
      .filter((row) => row.deletedAt === null && row.activeAt < before)
      .filter((row) => after === undefined || byActivity(after, row) < 0)
      .sort(byActivity)
      .slice(0, limit);
  }

  listByActivity(
    isArchived: boolean,
    limit: number,
    before?: ports.ActivityKey,
  ): ports.NumberedSession[] {
    const byActivity = (a: ports.ActivityKey, b: ports.ActivityKey) =>
      b.activeAt - a.activeAt || b.number - a.number;
    return [...this.#rows.values()]
      .filter((row) => row.deletedAt === null && row.isArchived === isArchived)
      .filter((row) => before === undefined || byActivity(before, row) < 0)
      .sort(byActivity)
      .slice(0, limit);
  }
}

class MemoryPinTable implements ports.PinTable {
  readonly #pins = new Map<string, Set<string>>();

  list(subject: string): string[] {
    return [...(this.#pins.get(subject) ?? [])].sort(compareText);
  }

  add(subject: string, sessionId: string): void {
    this.#pins.set(subject, new Set([...this.list(subject), sessionId]));
  }

  remove(subject: string, sessionId: string): void {
    this.#pins.get(subject)?.delete(sessionId);
  }

  has(sessionId: string): boolean {
    return [...this.#pins.values()].some((pinned) => pinned.has(sessionId));
  }

  removeOf(sessionId: string): void {
    for (const pinned of this.#pins.values()) pinned.delete(sessionId);
  }
}

class MemoryExportTable implements ports.ExportTable {
  readonly #heads = new Map<string, number>();

  headOf(sessionId: string): number {
    return this.#heads.get(sessionId) ?? 0;
  }

  put(sessionId: string, head: number): void {
    this.#heads.set(sessionId, Math.max(head, this.headOf(sessionId)));
  }

  removeOf(sessionId: string): void {
    this.#heads.delete(sessionId);
  }
}

class MemoryInboxTable implements ports.InboxTable {
  readonly #rows = new Map<string, OpenRow>();
  readonly #sessions: ports.SessionTable;
  #sweptTo: ports.InboxKey | undefined;

  constructor(sessions: ports.SessionTable) {
    this.#sessions = sessions;
  }

  put(key: ports.InboxKey, root: string, entry: string): void {
    const known = this.#rows.get(inboxName(key));
    this.#rows.set(inboxName(key), { ...inboxKey(key), root: known?.root ?? root, entry });
  }

  remove(key: ports.InboxKey): ports.RemovedInteraction | undefined {
    const known = this.#rows.get(inboxName(key));
    this.#rows.delete(inboxName(key));
    return known && { root: known.root, openedAt: openedAtOf(known.entry) };
  }

  oldestOpenedAt(): number | null {
    const times = [...this.#rows.values()]
      .map(({ dueAt, entry }) => (dueAt >= NO_DEADLINE ? dueAt - NO_DEADLINE : openedAtOf(entry)))
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

  list(limit: number, after?: ports.InboxKey): ports.OpenInteractionRow[] {
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

  overdue(dueBy: number, limit: number, after?: ports.InboxKey): ports.InboxKey[] {
    return this.#inOrder(after)
      .filter((row) => row.dueAt <= dueBy)
      .slice(0, limit)
      .map(inboxKey);
  }

  sweptTo(): ports.InboxKey | undefined {
    return this.#sweptTo;
  }

  saveSweptTo(key: ports.InboxKey | undefined): void {
    this.#sweptTo = key;
  }

  #inOrder(after: ports.InboxKey | undefined): OpenRow[] {
    return [...this.#rows.values()]
      .filter((row) => after === undefined || compareOpen(row, after) > 0)
      .sort(compareOpen);
  }
}

class MemoryAuditTable implements ports.AuditTable {
  /** In the order of the numbers. */
  readonly #rows: ports.AuditRow[] = [];

  append(row: ports.AuditRow): void {
    this.#rows.push(row);
  }

  setHash(number: number, hash: string): void {
    const index = this.#rows.findIndex((row) => row.number === number);
    const row = this.#rows[index];
    if (row !== undefined) this.#rows[index] = { ...row, hash };
  }

  head(): ports.AuditEnd | undefined {
    const last = this.#rows.at(-1);
    return last && { number: last.number, recordedAt: last.recordedAt, hash: last.hash };
  }

  keysOf(source: string): ports.AuditKey[] {
    return this.#rows.filter((row) => row.source === source).map(({ at, seq }) => ({ at, seq }));
  }

  list(
    {
      before,
      downTo,
      from = Number.MIN_SAFE_INTEGER,
      to = Number.MAX_SAFE_INTEGER,
      parts,
    }: ports.AuditWindow,
    limit: number,
  ): ports.LinkedAuditRow[] {
    const found: ports.LinkedAuditRow[] = [];
    for (let index = this.#rows.length - 1; index >= 0 && found.length < limit; index -= 1) {
      const row = this.#linked(index);
      if (row === undefined || row.number >= before || row.at < from || row.at >= to) continue;
      if (row.number < downTo) break;
      if (parts.every((part) => row.entry.includes(part))) found.push(row);
    }
    return found;
  }

  readFrom(after: number, limit: number): ports.LinkedAuditRow[] {
    const first = this.#rows.findIndex((row) => row.number > after);
    if (first < 0) return [];
    const rows = this.#rows.slice(first, first + limit);
    return rows.flatMap((_row, index) => this.#linked(first + index) ?? []);
  }

  firstRecordedFrom(time: number): number {
    const found = this.#rows.find((row) => row.recordedAt >= time);
    return found?.number ?? (this.#rows.at(-1)?.number ?? 0) + 1;
  }

  #linked(index: number): ports.LinkedAuditRow | undefined {
    const row = this.#rows[index];
    const earlier = this.#rows[index - 1];
    const isNext = row !== undefined && earlier?.number === row.number - 1;
    return row && { ...row, previous: isNext ? (earlier?.hash ?? null) : null };
  }
}

class MemoryCliSessionTable implements ports.CliSessionTable {
  readonly #owners = new Map<string, string>();

  find(provider: string, cliSessionId: string): string | undefined {
    return this.#owners.get(cliName(provider, cliSessionId));
  }

  add(provider: string, cliSessionId: string, sessionId: string): void {
    this.#owners.set(cliName(provider, cliSessionId), sessionId);
  }

  remove(provider: string, cliSessionId: string): void {
    this.#owners.delete(cliName(provider, cliSessionId));
  }

  removeOf(sessionId: string): void {
    for (const [name, owner] of this.#owners) if (owner === sessionId) this.#owners.delete(name);
  }
}

/** A provider has no blanks in its name. */
function cliName(provider: string, cliSessionId: string): string {
  return `${provider} ${cliSessionId}`;
}

class MemoryTargetTable implements ports.TargetTable {
  readonly #rows = new Map<string, ports.StoredTarget>();

  list(): ports.StoredTarget[] {
    return [...this.#rows.values()].sort((a, b) => compareText(a.id, b.id));
  }

  put(target: ports.StoredTarget): void {
    this.#rows.set(target.id, target);
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }
}

class MemoryTargetOutboxTable implements ports.TargetOutboxTable {
  readonly #rows = new Map<string, ports.StoredOutboxEntry>();

  list(): ports.StoredOutboxEntry[] {
    return [...this.#rows.values()].sort((a, b) => a.number - b.number);
  }

  put(entry: ports.StoredOutboxEntry): void {
    this.#rows.set(`${entry.targetId} ${entry.slot}`, entry);
  }

  remove(targetId: string, slot: number): void {
    this.#rows.delete(`${targetId} ${slot}`);
  }
}

export class MemoryWorkspaceStore implements ports.WorkspaceStore {
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
  readonly #lists = new Map<ports.StoredListName, string>();
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

  list(name: ports.StoredListName): string | undefined {
    return this.#lists.get(name);
  }

  saveList(name: ports.StoredListName, text: string): void {
    this.#lists.set(name, text);
  }
}

function openedAtOf(text: string): number | null {
  const { openedAt } = JSON.parse(text) as { openedAt?: unknown };
  return typeof openedAt === 'number' ? openedAt : null;
}

/** No id contains a space. */
function inboxName({ beyondShare, dueAt, sessionId, interactionId }: ports.InboxKey): string {
  return `${beyondShare} ${dueAt} ${sessionId} ${interactionId}`;
}

function inboxKey({
  beyondShare,
  dueAt,
  sessionId,
  interactionId,
}: ports.InboxKey): ports.InboxKey {
  return { beyondShare, dueAt, sessionId, interactionId };
}

function compareOpen(a: ports.InboxKey, b: ports.InboxKey): number {
  return (
    Number(a.beyondShare) - Number(b.beyondShare) ||
    a.dueAt - b.dueAt ||
    compareText(a.sessionId, b.sessionId) ||
    compareText(a.interactionId, b.interactionId)
  );
}
