/** The rows of `audit`: the key is the number of an entry, in the order of arrival. */
import type * as tables from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

const AUDIT_COLUMNS = 'number, at, recorded_at, source, seq, entry, hash';
const LINKED = `audit.number AS number, audit.at AS at, audit.recorded_at AS recordedAt,
  audit.source AS source, audit.seq AS seq, audit.entry AS entry, audit.hash AS hash,
  earlier.hash AS previous
  FROM audit LEFT JOIN audit AS earlier ON earlier.number = audit.number - 1`;

export class SqliteAuditTable implements tables.AuditTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  append(row: tables.AuditRow): void {
    this.#rows.run(
      `INSERT INTO audit (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      row.number,
      row.at,
      row.recordedAt,
      row.source,
      row.seq,
      row.entry,
      row.hash,
    );
  }

  setHash(number: number, hash: string): void {
    this.#rows.run('UPDATE audit SET hash = ? WHERE number = ?', hash, number);
  }

  head(): tables.AuditEnd | undefined {
    return this.#rows.all<tables.AuditEnd>(
      'SELECT number, recorded_at AS recordedAt, hash FROM audit ORDER BY number DESC LIMIT 1',
    )[0];
  }

  keysOf(source: string): tables.AuditKey[] {
    return this.#rows.all('SELECT at, seq FROM audit WHERE source = ? ORDER BY number', source);
  }

  list(
    { before, downTo, from, to, parts }: tables.AuditWindow,
    limit: number,
  ): tables.LinkedAuditRow[] {
    const holds = parts.map(() => 'AND instr(audit.entry, ?) > 0').join(' ');
    return this.#rows.all(
      `SELECT ${LINKED} WHERE audit.number < ? AND audit.number >= ? AND audit.at >= ? AND audit.at < ?
       ${holds} ORDER BY audit.number DESC LIMIT ?`,
      before,
      downTo,
      from ?? Number.MIN_SAFE_INTEGER,
      to ?? Number.MAX_SAFE_INTEGER,
      ...parts,
      limit,
    );
  }

  readFrom(after: number, limit: number): tables.LinkedAuditRow[] {
    return this.#rows.all(
      `SELECT ${LINKED} WHERE audit.number > ? ORDER BY audit.number LIMIT ?`,
      after,
      limit,
    );
  }

  /** By halves: the times of arrival stand in the order of the numbers. */
  firstRecordedFrom(time: number): number {
    let low = 1;
    let high = (this.head()?.number ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = this.#rows.all<{ number: number; recordedAt: number }>(
        `SELECT number, recorded_at AS recordedAt FROM audit WHERE number >= ?
         ORDER BY number LIMIT 1`,
        middle,
      );
      if (row === undefined || row.recordedAt >= time) high = middle;
      else low = row.number + 1;
    }
    return low;
  }
}
