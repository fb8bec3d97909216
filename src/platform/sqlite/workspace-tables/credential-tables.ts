/**
 * The credentials of a workspace: the rows of `token`, `api_key`, `revoked` and `watcher`.
 *
 * The ids of keys and tokens begin with their time of creation, so the order of the ids is the order of creation.
 */
import type * as tables from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';
import type { KeyView } from '../../../protocol/schema/workspace.ts';

const TOKEN_COLUMNS = 'id, maker, expires_at, chain, entry';

interface TokenRow {
  id: string;
  maker: string;
  expires_at: number;
  chain: string;
  entry: string;
}

/** The rows of `token`. */
export class SqliteTokenTable implements tables.TokenTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add({ id, maker, expiresAt, chain, entry }: tables.StoredToken): void {
    this.#rows.run(
      'INSERT INTO token (id, maker, expires_at, chain, entry) VALUES (?, ?, ?, ?, ?)',
      id,
      maker,
      expiresAt,
      JSON.stringify(chain),
      entry,
    );
  }

  find(id: string): tables.StoredToken | undefined {
    return this.#rows
      .all<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM token WHERE id = ?`, id)
      .map(storedToken)[0];
  }

  list(limit: number, now: number, before?: string): tables.StoredToken[] {
    const from = before === undefined ? '' : 'AND id < ?';
    return this.#rows
      .all<TokenRow>(
        `SELECT ${TOKEN_COLUMNS} FROM token WHERE expires_at > ? ${from} ORDER BY id DESC LIMIT ?`,
        now,
        ...(before === undefined ? [] : [before]),
        limit,
      )
      .map(storedToken);
  }

  hasAtLeast(count: number, maker: string, now: number): boolean {
    const found = this.#rows.all(
      'SELECT 1 FROM token WHERE maker = ? AND expires_at > ? LIMIT 1 OFFSET ?',
      maker,
      now,
      count - 1,
    );
    return found.length > 0;
  }

  countByMaker(now: number): Map<string, number> {
    const rows = this.#rows.all<{ maker: string; count: number }>(
      'SELECT maker, count(*) AS count FROM token WHERE expires_at > ? GROUP BY maker',
      now,
    );
    return new Map(rows.map(({ maker, count }) => [maker, count]));
  }

  earliestExpiry(): number | null {
    const [row] = this.#rows.all<{ at: number }>(
      'SELECT expires_at AS at FROM token ORDER BY expires_at LIMIT 1',
    );
    return row?.at ?? null;
  }

  removeExpired(now: number, limit: number): number {
    const expired = this.#rows.all<{ id: string }>(
      'SELECT id FROM token WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ?',
      now,
      limit,
    );
    for (const { id } of expired) this.#rows.run('DELETE FROM token WHERE id = ?', id);
    return expired.length;
  }
}

function storedToken({ expires_at: expiresAt, chain, ...row }: TokenRow): tables.StoredToken {
  return { ...row, expiresAt, chain: JSON.parse(chain) as string[] };
}

const KEY_COLUMNS = 'id, name, scopes, created_at, created_by, expires_at, used_at';

interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  used_at: number | null;
}

/** The rows of `api_key`. */
export class SqliteKeyTable implements tables.KeyTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add(key: KeyView): void {
    this.#rows.run(
      `INSERT INTO api_key (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, NULL)`,
      key.id,
      key.name,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.createdBy,
      key.expiresAt,
    );
  }

  remove(id: string): void {
    this.#rows.run('DELETE FROM api_key WHERE id = ?', id);
  }

  find(id: string): tables.StoredKey | undefined {
    return this.#rows
      .all<ApiKeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE id = ?`, id)
      .map(storedKey)[0];
  }

  list(): tables.StoredKey[] {
    return this.#rows
      .all<ApiKeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key ORDER BY id DESC`)
      .map(storedKey);
  }

  setUsed(id: string, at: number): void {
    this.#rows.run('UPDATE api_key SET used_at = ? WHERE id = ?', at, id);
  }
}

function storedKey(row: ApiKeyRow): tables.StoredKey {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  };
}

/** Null is the latest expiry; an earlier expiry does not replace a later one. */
const IF_LATER = `DO UPDATE SET expires_at = excluded.expires_at
  WHERE expires_at IS NOT NULL
    AND (excluded.expires_at IS NULL OR excluded.expires_at > expires_at)`;

/** The rows of `revoked`, and those of `watcher`: the sessions that must learn of a revocation. */
export class SqliteRevocationTable implements tables.RevocationTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add(credential: string, at: number, expiresAt: number | null): void {
    this.#rows.run(
      `INSERT INTO revoked (credential, at, expires_at) VALUES (?, ?, ?) ON CONFLICT ${IF_LATER}`,
      credential,
      at,
      expiresAt,
    );
  }

  has(credential: string): boolean {
    return this.#rows.all('SELECT 1 FROM revoked WHERE credential = ?', credential).length > 0;
  }

  firstAt(credentials: readonly string[]): number | null {
    const marks = credentials.map(() => '?').join(', ');
    const [row] = this.#rows.all<{ at: number | null }>(
      `SELECT min(at) AS at FROM revoked WHERE credential IN (${marks})`,
      ...credentials,
    );
    return row?.at ?? null;
  }

  list(now: number): string[] {
    return this.#rows
      .all<{ credential: string }>(
        `SELECT credential FROM revoked WHERE expires_at IS NULL OR expires_at > ?
       ORDER BY credential`,
        now,
      )
      .map((row) => row.credential);
  }

  addWatcher(watcher: tables.Watcher, expiresAt: number | null): void {
    this.#rows.run(
      `INSERT INTO watcher (credential, session_id, expires_at) VALUES (?, ?, ?)
       ON CONFLICT ${IF_LATER}`,
      watcher.credential,
      watcher.sessionId,
      expiresAt,
    );
  }

  removeWatcher(watcher: tables.Watcher): void {
    this.#rows.run(
      'DELETE FROM watcher WHERE credential = ? AND session_id = ?',
      watcher.credential,
      watcher.sessionId,
    );
  }

  unconfirmed(limit: number, after?: tables.Watcher): tables.Watcher[] {
    // A cross join keeps the order of the tables: few rows in `revoked`, many in `watcher`.
    return this.#rows.all<tables.Watcher>(
      `SELECT credential, session_id AS sessionId
       FROM revoked CROSS JOIN watcher USING (credential)
       WHERE (credential, session_id) > (?, ?) ORDER BY credential, session_id LIMIT ?`,
      after?.credential ?? '',
      after?.sessionId ?? '',
      limit,
    );
  }

  removeExpired(now: number): void {
    this.#rows.run('DELETE FROM watcher WHERE expires_at <= ?', now);
    this.#rows.run('DELETE FROM revoked WHERE expires_at <= ?', now);
  }
}
