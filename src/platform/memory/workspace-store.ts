/**
 * One workspace in memory, with every table of the port; those of credentials have a file of their own. No write can fail
 * half way, so a transaction needs no rollback.
 */
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';
import type * as ports from '../../workspace/ports.ts';
import {
  compareText,
  MemoryKeyTable,
  MemoryRevocationTable,
  MemoryTokenTable,
} from './credential-tables.ts';

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

  remove(key: ports.InboxKey): string | undefined {
    const known = this.#rows.get(inboxName(key));
    this.#rows.delete(inboxName(key));
    return known?.root;
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
  readonly #rows = new Map<string, ports.AuditRow>();

  add(row: ports.AuditRow): void {
    const name = nameOfAudit(row);
    if (!this.#rows.has(name)) this.#rows.set(name, row);
  }

  freeSeq(at: number, source: string): number {
    const used = [...this.#rows.values()].filter((row) => row.at === at && row.source === source);
    return Math.max(0, ...used.map((row) => row.seq)) + 1;
  }

  list(limit: number, before?: ports.AuditKey): ports.AuditRow[] {
    return [...this.#rows.values()]
      .filter((row) => before === undefined || compareAudit(row, before) < 0)
      .sort((a, b) => compareAudit(b, a))
      .slice(0, limit);
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
  readonly inbox = new MemoryInboxTable(this.sessions);
  readonly audit = new MemoryAuditTable();
  readonly keys = new MemoryKeyTable();
  readonly tokens = new MemoryTokenTable();
  readonly revocations = new MemoryRevocationTable();
  readonly cliSessions = new MemoryCliSessionTable();
  readonly targets = new MemoryTargetTable();
  readonly targetOutbox = new MemoryTargetOutboxTable();
  #settings: string | undefined;
  readonly #lists = new Map<ports.StoredListName, string>();
  #vapidKeys: VapidKeys | undefined;

  vapidKeys(): VapidKeys | undefined {
    return this.#vapidKeys;
  }

  saveVapidKeys(keys: VapidKeys): void {
    this.#vapidKeys = keys;
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

function nameOfAudit({ at, source, seq }: ports.AuditKey): string {
  return `${at} ${source} ${seq}`;
}

function compareOpen(a: ports.InboxKey, b: ports.InboxKey): number {
  return (
    Number(a.beyondShare) - Number(b.beyondShare) ||
    a.dueAt - b.dueAt ||
    compareText(a.sessionId, b.sessionId) ||
    compareText(a.interactionId, b.interactionId)
  );
}

function compareAudit(a: ports.AuditKey, b: ports.AuditKey): number {
  return a.at - b.at || compareText(a.source, b.source) || a.seq - b.seq;
}
