/** The rows of `person` and of `sign_in`. */
import type * as tables from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

export class SqlitePersonTable implements tables.PersonTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  list(): string[] {
    return this.#rows
      .all<{ entry: string }>('SELECT entry FROM person ORDER BY subject')
      .map(({ entry }) => entry);
  }

  put(subject: string, entry: string): void {
    this.#rows.run(
      `INSERT INTO person (subject, entry) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET entry = excluded.entry`,
      subject,
      entry,
    );
  }

  remove(subject: string): void {
    this.#rows.run('DELETE FROM person WHERE subject = ?', subject);
  }
}

const SIGN_IN_COLUMNS = 'subject, id, expires_at AS expiresAt, entry';

export class SqliteSignInTable implements tables.SignInTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  list(): tables.StoredSignIn[] {
    return this.#rows.all<tables.StoredSignIn>(
      `SELECT ${SIGN_IN_COLUMNS} FROM sign_in ORDER BY id`,
    );
  }

  listOf(subject: string): tables.StoredSignIn[] {
    return this.#rows.all<tables.StoredSignIn>(
      `SELECT ${SIGN_IN_COLUMNS} FROM sign_in WHERE subject = ? ORDER BY id`,
      subject,
    );
  }

  put({ subject, id, expiresAt, entry }: tables.StoredSignIn): void {
    this.#rows.run(
      `INSERT INTO sign_in (subject, id, expires_at, entry) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET entry = excluded.entry`,
      subject,
      id,
      expiresAt,
      entry,
    );
  }

  remove(subject: string, id: string): void {
    this.#rows.run('DELETE FROM sign_in WHERE subject = ? AND id = ?', subject, id);
  }

  removeExpired(now: number): void {
    this.#rows.run('DELETE FROM sign_in WHERE expires_at <= ?', now);
  }
}
