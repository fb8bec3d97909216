/** The rows of `token`. */
import type { StoredToken, TokenTable } from '../../../workspace/ports.ts';
import type { TableRows } from '../database.ts';

const TOKEN_COLUMNS = 'id, maker, expires_at, chain, entry';

interface TokenRow {
  id: string;
  maker: string;
  expires_at: number;
  chain: string;
  entry: string;
}

export class SqliteTokenTable implements TokenTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add({ id, maker, expiresAt, chain, entry }: StoredToken): void {
    this.#rows.run(
      'INSERT INTO token (id, maker, expires_at, chain, entry) VALUES (?, ?, ?, ?, ?)',
      id,
      maker,
      expiresAt,
      JSON.stringify(chain),
      entry,
    );
  }

  find(id: string): StoredToken | undefined {
    return this.#rows
      .all<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM token WHERE id = ?`, id)
      .map(storedToken)[0];
  }

  list(limit: number, now: number, before?: string): StoredToken[] {
    // An id begins with its time of creation.
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

function storedToken({ expires_at: expiresAt, chain, ...row }: TokenRow): StoredToken {
  return { ...row, expiresAt, chain: JSON.parse(chain) as string[] };
}
