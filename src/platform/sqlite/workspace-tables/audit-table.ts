/** The rows of `audit`. */
import type { AuditKey, AuditRow, AuditTable } from '../../../workspace/ports.ts';
import type { TableRows } from '../database.ts';

export class SqliteAuditTable implements AuditTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  add(row: AuditRow): void {
    this.#rows.run(
      'INSERT OR IGNORE INTO audit (at, source, seq, entry) VALUES (?, ?, ?, ?)',
      row.at,
      row.source,
      row.seq,
      row.entry,
    );
  }

  freeSeq(at: number, source: string): number {
    const [row] = this.#rows.all<{ last: number | null }>(
      'SELECT max(seq) AS last FROM audit WHERE at = ? AND source = ?',
      at,
      source,
    );
    return (row?.last ?? 0) + 1;
  }

  list(limit: number, before?: AuditKey): AuditRow[] {
    return this.#rows.all<AuditRow>(
      `SELECT at, source, seq, entry FROM audit WHERE (at, source, seq) < (?, ?, ?)
       ORDER BY at DESC, source DESC, seq DESC LIMIT ?`,
      before?.at ?? Number.MAX_SAFE_INTEGER,
      before?.source ?? '',
      before?.seq ?? 0,
      limit,
    );
  }
}
