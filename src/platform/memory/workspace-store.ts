/** One workspace in memory. Nothing in it can fail half way, so a write needs no way back. */
import type { KeyView } from '../../protocol/schema/workspace.ts';
import type {
  AuditKey,
  AuditRow,
  InboxKey,
  InboxRow,
  NumberedSession,
  SessionRow,
  StoredKey,
  StoredToken,
  Watcher,
  WorkspaceStore,
} from '../../workspace/ports.ts';

type Open = InboxKey & { readonly root: string; readonly entry: string };
type Expiring<Value> = Value & { readonly expiresAt: number | null };

export class MemoryWorkspaceStore implements WorkspaceStore {
  readonly #sessions = new Map<string, NumberedSession>();
  readonly #open = new Map<string, Open>();
  readonly #audit = new Map<string, AuditRow>();
  readonly #keys = new Map<string, StoredKey>();
  readonly #tokens = new Map<string, StoredToken>();
  readonly #revoked = new Map<string, Expiring<{ credential: string; at: number }>>();
  readonly #watchers = new Map<string, Expiring<Watcher>>();
  #numbers = 0;
  #sweptTo: InboxKey | undefined;
  #settings: string | undefined;

  write<Result>(work: () => Result): Result {
    return work();
  }

  session(id: string): NumberedSession | undefined {
    return this.#sessions.get(id);
  }

  addSession(row: SessionRow): void {
    this.#numbers += 1;
    this.#sessions.set(row.id, { ...row, number: this.#numbers });
  }

  updateSession(number: number, row: SessionRow): void {
    this.#sessions.set(row.id, { ...row, number });
  }

  sessions(limit: number, before: number = Number.MAX_SAFE_INTEGER): NumberedSession[] {
    return [...this.#sessions.values()]
      .filter((row) => row.number < before && row.deletedAt === null)
      .sort((a, b) => b.number - a.number)
      .slice(0, limit);
  }

  putOpen(key: InboxKey, root: string, entry: string): void {
    const known = this.#open.get(nameOf(key));
    this.#open.set(nameOf(key), { ...keyOf(key), root: known?.root ?? root, entry });
  }

  removeOpen(key: InboxKey): string | undefined {
    const known = this.#open.get(nameOf(key));
    this.#open.delete(nameOf(key));
    return known?.root;
  }

  sharesTaken(): Map<string, number> {
    const taken = new Map<string, number>();
    for (const { beyondShare, root } of this.#open.values()) {
      if (!beyondShare) taken.set(root, (taken.get(root) ?? 0) + 1);
    }
    return taken;
  }

  inbox(limit: number, after?: InboxKey): InboxRow[] {
    return this.#inOrder(after)
      .slice(0, limit)
      .map((row) => ({
        ...keyOf(row),
        entry: row.entry,
        sessionTitle: this.#sessions.get(row.sessionId)?.title ?? null,
      }));
  }

  openCount(): number {
    return this.#open.size;
  }

  earliestDue(): number | null {
    let earliest: number | null = null;
    for (const { dueAt } of this.#open.values()) {
      if (earliest === null || dueAt < earliest) earliest = dueAt;
    }
    return earliest;
  }

  overdue(dueBy: number, limit: number, after?: InboxKey): InboxKey[] {
    return this.#inOrder(after)
      .filter((row) => row.dueAt <= dueBy)
      .slice(0, limit)
      .map(keyOf);
  }

  sweptTo(): InboxKey | undefined {
    return this.#sweptTo;
  }

  saveSweptTo(key: InboxKey | undefined): void {
    this.#sweptTo = key;
  }

  addAudit(row: AuditRow): void {
    const name = nameOfAudit(row);
    if (!this.#audit.has(name)) this.#audit.set(name, row);
  }

  freeAuditSeq(at: number, source: string): number {
    const used = [...this.#audit.values()].filter((row) => row.at === at && row.source === source);
    return Math.max(0, ...used.map((row) => row.seq)) + 1;
  }

  audit(limit: number, before?: AuditKey): AuditRow[] {
    return [...this.#audit.values()]
      .filter((row) => before === undefined || compareAudit(row, before) < 0)
      .sort((a, b) => compareAudit(b, a))
      .slice(0, limit);
  }

  addKey(key: KeyView): void {
    this.#keys.set(key.id, key);
  }

  removeKey(id: string): void {
    this.#keys.delete(id);
  }

  key(id: string): StoredKey | undefined {
    return this.#keys.get(id);
  }

  keys(): StoredKey[] {
    return [...this.#keys.values()].sort((a, b) => compareText(b.id, a.id));
  }

  addToken(token: StoredToken): void {
    this.#tokens.set(token.id, token);
  }

  token(id: string): StoredToken | undefined {
    return this.#tokens.get(id);
  }

  tokens(limit: number, now: number, before?: string): StoredToken[] {
    return [...this.#tokens.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .filter(({ id }) => before === undefined || compareText(id, before) < 0)
      .sort((a, b) => compareText(b.id, a.id))
      .slice(0, limit);
  }

  hasTokens(maker: string, count: number, now: number): boolean {
    const live = [...this.#tokens.values()].filter(
      (token) => token.maker === maker && token.expiresAt > now,
    );
    return live.length >= count;
  }

  earliestTokenExpiry(): number | null {
    const times = [...this.#tokens.values()].map(({ expiresAt }) => expiresAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  pruneTokens(now: number, limit: number): number {
    const expired = [...this.#tokens.values()]
      .filter(({ expiresAt }) => expiresAt <= now)
      .sort((a, b) => a.expiresAt - b.expiresAt || compareText(a.id, b.id))
      .slice(0, limit);
    for (const { id } of expired) this.#tokens.delete(id);
    return expired.length;
  }

  addRevoked(credential: string, at: number, expiresAt: number | null): void {
    const known = this.#revoked.get(credential);
    const later = laterOf(known, expiresAt);
    this.#revoked.set(credential, { credential, at: known?.at ?? at, expiresAt: later });
  }

  isRevoked(credential: string): boolean {
    return this.#revoked.has(credential);
  }

  firstRevokedAt(credentials: readonly string[]): number | null {
    const times = credentials.flatMap((one) => this.#revoked.get(one)?.at ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  revoked(now: number): string[] {
    return [...this.#revoked.values()]
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map((row) => row.credential)
      .sort(compareText);
  }

  addWatcher({ credential, sessionId }: Watcher, expiresAt: number | null): void {
    const name = nameOfWatcher({ credential, sessionId });
    const later = laterOf(this.#watchers.get(name), expiresAt);
    this.#watchers.set(name, { credential, sessionId, expiresAt: later });
  }

  removeWatcher(watcher: Watcher): void {
    this.#watchers.delete(nameOfWatcher(watcher));
  }

  untold(limit: number, after?: Watcher): Watcher[] {
    return [...this.#watchers.values()]
      .filter((row) => this.#revoked.has(row.credential))
      .filter((row) => after === undefined || compareWatchers(row, after) > 0)
      .sort(compareWatchers)
      .slice(0, limit)
      .map(({ credential, sessionId }) => ({ credential, sessionId }));
  }

  prune(now: number): void {
    for (const rows of [this.#watchers, this.#revoked] as Map<string, Expiring<object>>[]) {
      for (const [name, { expiresAt }] of rows) {
        if (expiresAt !== null && expiresAt <= now) rows.delete(name);
      }
    }
  }

  settings(): string | undefined {
    return this.#settings;
  }

  saveSettings(text: string): void {
    this.#settings = text;
  }

  #inOrder(after: InboxKey | undefined): Open[] {
    return [...this.#open.values()]
      .filter((row) => after === undefined || compareOpen(row, after) > 0)
      .sort(compareOpen);
  }
}

/** No id contains a space. */
function nameOf({ beyondShare, dueAt, sessionId, interactionId }: InboxKey): string {
  return `${beyondShare} ${dueAt} ${sessionId} ${interactionId}`;
}

function keyOf({ beyondShare, dueAt, sessionId, interactionId }: InboxKey): InboxKey {
  return { beyondShare, dueAt, sessionId, interactionId };
}

function nameOfAudit({ at, source, seq }: AuditKey): string {
  return `${at} ${source} ${seq}`;
}

function nameOfWatcher({ credential, sessionId }: Watcher): string {
  return `${sessionId} ${credential}`;
}

/** Null is the latest of all. */
function laterOf(known: { readonly expiresAt: number | null } | undefined, at: number | null) {
  if (known === undefined) return at;
  return known.expiresAt === null || at === null ? null : Math.max(known.expiresAt, at);
}

function compareOpen(a: InboxKey, b: InboxKey): number {
  return (
    Number(a.beyondShare) - Number(b.beyondShare) ||
    a.dueAt - b.dueAt ||
    compareText(a.sessionId, b.sessionId) ||
    compareText(a.interactionId, b.interactionId)
  );
}

function compareAudit(a: AuditKey, b: AuditKey): number {
  return a.at - b.at || compareText(a.source, b.source) || a.seq - b.seq;
}

function compareWatchers(a: Watcher, b: Watcher): number {
  return compareText(a.credential, b.credential) || compareText(a.sessionId, b.sessionId);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
