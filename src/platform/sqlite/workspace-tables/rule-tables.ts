/** The rows of `rule` and of `gated_request`. */
import type * as tables from '../../../workspace/store.ts';
import { GATED_SLOTS } from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

interface RuleRow {
  readonly session_id: string;
  readonly id: string;
  readonly entry: string;
}

export class SqliteRuleTable implements tables.RuleTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  of(sessionId: string): tables.StoredRule[] {
    return this.#rows
      .all<RuleRow>('SELECT * FROM rule WHERE session_id = ? ORDER BY id', sessionId)
      .map(readRule);
  }

  put({ sessionId, id, entry }: tables.StoredRule): void {
    this.#rows.run(
      'INSERT INTO rule (session_id, id, entry) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET entry = excluded.entry',
      sessionId,
      id,
      entry,
    );
  }

  remove({ sessionId, id }: tables.RuleKey): void {
    this.#rows.run('DELETE FROM rule WHERE session_id = ? AND id = ?', sessionId, id);
  }

  removeOf(sessionId: string): void {
    this.#rows.run('DELETE FROM rule WHERE session_id = ?', sessionId);
  }

  list(limit: number, after?: tables.RuleKey): tables.StoredRule[] {
    return this.#rows
      .all<RuleRow>(
        'SELECT * FROM rule WHERE (session_id, id) > (?, ?) ORDER BY session_id, id LIMIT ?',
        after?.sessionId ?? '',
        after?.id ?? '',
        limit,
      )
      .map(readRule);
  }
}

function readRule({ session_id: sessionId, id, entry }: RuleRow): tables.StoredRule {
  return { sessionId, id, entry };
}

export class SqliteGatedRequestTable implements tables.GatedRequestTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  put({ number, sessionId, entry }: tables.StoredGatedRequests): void {
    this.#rows.run(
      `INSERT INTO gated_request (slot, number, session_id, entry) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET number = excluded.number, session_id = excluded.session_id, entry = excluded.entry`,
      number % GATED_SLOTS,
      number,
      sessionId,
      entry,
    );
  }

  lastNumber(): number {
    const [row] = this.#rows.all<{ last: number | null }>(
      'SELECT max(number) AS last FROM gated_request',
    );
    return row?.last ?? 0;
  }

  list(): tables.StoredGatedRequests[] {
    return this.#rows
      .all<{ number: number; session_id: string; entry: string }>(
        'SELECT number, session_id, entry FROM gated_request ORDER BY number DESC',
      )
      .map(({ number, session_id: sessionId, entry }) => ({ number, sessionId, entry }));
  }

  removeOf(sessionId: string): void {
    this.#rows.run('DELETE FROM gated_request WHERE session_id = ?', sessionId);
  }
}
