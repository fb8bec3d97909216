/** The rows of `api_key`. */
import type { KeyView } from '../../../protocol/schema/workspace.ts';
import type { KeyTable, StoredKey } from '../../../workspace/ports.ts';
import type { TableRows } from '../database.ts';

const KEY_COLUMNS = 'id, name, scopes, created_at, created_by, expires_at';

interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
}

export class SqliteKeyTable implements KeyTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add(key: KeyView): void {
    this.#rows.run(
      `INSERT INTO api_key (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,
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

  find(id: string): StoredKey | undefined {
    return this.#rows
      .all<ApiKeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE id = ?`, id)
      .map(storedKey)[0];
  }

  list(): StoredKey[] {
    // An id begins with its time of creation.
    return this.#rows
      .all<ApiKeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key ORDER BY id DESC`)
      .map(storedKey);
  }
}

function storedKey(row: ApiKeyRow): StoredKey {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
  };
}
