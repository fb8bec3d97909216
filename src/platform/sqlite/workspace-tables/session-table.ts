/** The rows of `session`: the workspace's knowledge of each session. */
import type {
  InboxStanding,
  NumberedSession,
  SessionIndexRow,
  SessionTable,
} from '../../../workspace/ports.ts';
import type { TableRows } from '../database.ts';

const SESSION_COLUMNS =
  'number, id, title, created_at, deleted_at, head, reported_at, open_due, incarnation';

interface StoredSessionRow {
  number: number;
  id: string;
  title: string | null;
  created_at: number;
  deleted_at: number | null;
  head: number;
  reported_at: number;
  open_due: string;
  incarnation: string;
}

export class SqliteSessionTable implements SessionTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  find(id: string): NumberedSession | undefined {
    return this.#rows
      .all<StoredSessionRow>(`SELECT ${SESSION_COLUMNS} FROM session WHERE id = ?`, id)
      .map(numberedSession)[0];
  }

  add(row: SessionIndexRow): void {
    this.#rows.run(
      `INSERT INTO session (id, title, created_at, deleted_at, head, reported_at, open_due, incarnation)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.title,
      row.createdAt,
      row.deletedAt,
      row.head,
      row.reportedAt,
      openDueText(row),
      row.incarnation,
    );
  }

  update(number: number, row: SessionIndexRow): void {
    this.#rows.run(
      `UPDATE session
       SET title = ?, deleted_at = ?, head = ?, reported_at = ?, open_due = ?, incarnation = ?
       WHERE number = ?`,
      row.title,
      row.deletedAt,
      row.head,
      row.reportedAt,
      openDueText(row),
      row.incarnation,
      number,
    );
  }

  list(limit: number, before?: number): NumberedSession[] {
    return this.#rows
      .all<StoredSessionRow>(
        `SELECT ${SESSION_COLUMNS} FROM session WHERE number < ? AND deleted_at IS NULL
       ORDER BY number DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(numberedSession);
  }
}

/** A bare time is within a share, a time in brackets beyond it. */
type StoredStanding = number | readonly [number];

function readStanding(at: StoredStanding): InboxStanding {
  return typeof at === 'number'
    ? { beyondShare: false, dueAt: at }
    : { beyondShare: true, dueAt: at[0] };
}

function openDueText(row: SessionIndexRow): string {
  const standings = [...row.open].map(([id, { beyondShare, dueAt }]): [string, StoredStanding] => [
    id,
    beyondShare ? [dueAt] : dueAt,
  ]);
  return JSON.stringify(Object.fromEntries(standings));
}

function numberedSession(row: StoredSessionRow): NumberedSession {
  return {
    number: row.number,
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    head: row.head,
    reportedAt: row.reported_at,
    incarnation: row.incarnation,
    open: new Map(
      Object.entries(JSON.parse(row.open_due) as Record<string, StoredStanding>).map(([id, at]) => [
        id,
        readStanding(at),
      ]),
    ),
  };
}
