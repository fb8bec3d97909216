/** The rows of `revoked`, and those of `watcher`: the sessions that must learn of a revocation. */
import type { RevocationTable, Watcher } from '../../../workspace/ports.ts';
import type { TableRows } from '../database.ts';

/** Null is the latest expiry; an earlier expiry does not replace a later one. */
const IF_LATER = `DO UPDATE SET expires_at = excluded.expires_at
  WHERE expires_at IS NOT NULL
    AND (excluded.expires_at IS NULL OR excluded.expires_at > expires_at)`;

export class SqliteRevocationTable implements RevocationTable {
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

  addWatcher(watcher: Watcher, expiresAt: number | null): void {
    this.#rows.run(
      `INSERT INTO watcher (credential, session_id, expires_at) VALUES (?, ?, ?)
       ON CONFLICT ${IF_LATER}`,
      watcher.credential,
      watcher.sessionId,
      expiresAt,
    );
  }

  removeWatcher(watcher: Watcher): void {
    this.#rows.run(
      'DELETE FROM watcher WHERE credential = ? AND session_id = ?',
      watcher.credential,
      watcher.sessionId,
    );
  }

  unconfirmed(limit: number, after?: Watcher): Watcher[] {
    // A cross join keeps the order of the tables: few rows in `revoked`, many in `watcher`.
    return this.#rows.all<Watcher>(
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
