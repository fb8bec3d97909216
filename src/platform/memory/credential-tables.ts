/** Keys, tokens and revocations of one workspace in memory. */
import type { KeyView } from '../../protocol/schema/workspace.ts';
import type * as tables from '../../workspace/store.ts';

type Expiring<Value> = Value & { readonly expiresAt: number | null };

export class MemoryKeyTable implements tables.KeyTable {
  readonly #rows = new Map<string, tables.StoredKey>();

  add(key: KeyView): void {
    this.#rows.set(key.id, { ...key, usedAt: null });
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }

  find(id: string): tables.StoredKey | undefined {
    return this.#rows.get(id);
  }

  list(): tables.StoredKey[] {
    return [...this.#rows.values()].sort((a, b) => compareText(b.id, a.id));
  }

  setUsed(id: string, at: number): void {
    const key = this.#rows.get(id);
    if (key !== undefined) this.#rows.set(id, { ...key, usedAt: at });
  }
}

export class MemoryTokenTable implements tables.TokenTable {
  readonly #rows = new Map<string, tables.StoredToken>();

  add(token: tables.StoredToken): void {
    this.#rows.set(token.id, token);
  }

  find(id: string): tables.StoredToken | undefined {
    return this.#rows.get(id);
  }

  list(limit: number, now: number, before?: string): tables.StoredToken[] {
    return [...this.#rows.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .filter(({ id }) => before === undefined || compareText(id, before) < 0)
      .sort((a, b) => compareText(b.id, a.id))
      .slice(0, limit);
  }

  hasAtLeast(count: number, maker: string, now: number): boolean {
    const live = [...this.#rows.values()].filter(
      (token) => token.maker === maker && token.expiresAt > now,
    );
    return live.length >= count;
  }

  countByMaker(now: number): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { maker, expiresAt } of this.#rows.values()) {
      if (expiresAt > now) counts.set(maker, (counts.get(maker) ?? 0) + 1);
    }
    return counts;
  }

  earliestExpiry(): number | null {
    const times = [...this.#rows.values()].map(({ expiresAt }) => expiresAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  removeExpired(now: number, limit: number): number {
    const expired = [...this.#rows.values()]
      .filter(({ expiresAt }) => expiresAt <= now)
      .sort((a, b) => a.expiresAt - b.expiresAt || compareText(a.id, b.id))
      .slice(0, limit);
    for (const { id } of expired) this.#rows.delete(id);
    return expired.length;
  }
}

export class MemoryRevocationTable implements tables.RevocationTable {
  readonly #revoked = new Map<string, Expiring<{ credential: string; at: number }>>();
  readonly #watchers = new Map<string, Expiring<tables.Watcher>>();

  add(credential: string, at: number, expiresAt: number | null): void {
    const known = this.#revoked.get(credential);
    const later = laterOf(known, expiresAt);
    this.#revoked.set(credential, { credential, at: known?.at ?? at, expiresAt: later });
  }

  has(credential: string): boolean {
    return this.#revoked.has(credential);
  }

  firstAt(credentials: readonly string[]): number | null {
    const times = credentials.flatMap((one) => this.#revoked.get(one)?.at ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  list(now: number): string[] {
    return [...this.#revoked.values()]
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map((row) => row.credential)
      .sort(compareText);
  }

  addWatcher({ credential, sessionId }: tables.Watcher, expiresAt: number | null): void {
    const name = nameOfWatcher({ credential, sessionId });
    const later = laterOf(this.#watchers.get(name), expiresAt);
    this.#watchers.set(name, { credential, sessionId, expiresAt: later });
  }

  removeWatcher(watcher: tables.Watcher): void {
    this.#watchers.delete(nameOfWatcher(watcher));
  }

  unconfirmed(limit: number, after?: tables.Watcher): tables.Watcher[] {
    return [...this.#watchers.values()]
      .filter((row) => this.#revoked.has(row.credential))
      .filter((row) => after === undefined || compareWatchers(row, after) > 0)
      .sort(compareWatchers)
      .slice(0, limit)
      .map(({ credential, sessionId }) => ({ credential, sessionId }));
  }

  removeExpired(now: number): void {
    for (const rows of [this.#watchers, this.#revoked] as Map<string, Expiring<object>>[]) {
      for (const [name, { expiresAt }] of rows) {
        if (expiresAt !== null && expiresAt <= now) rows.delete(name);
      }
    }
  }
}

function nameOfWatcher({ credential, sessionId }: tables.Watcher): string {
  return `${sessionId} ${credential}`;
}

/** Null is the latest expiry. */
function laterOf(known: { readonly expiresAt: number | null } | undefined, at: number | null) {
  if (known === undefined) return at;
  return known.expiresAt === null || at === null ? null : Math.max(known.expiresAt, at);
}

function compareWatchers(a: tables.Watcher, b: tables.Watcher): number {
  return compareText(a.credential, b.credential) || compareText(a.sessionId, b.sessionId);
}

/** Ids are ASCII, which SQLite orders alike. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
