/** The rows of `session`: the workspace's knowledge of each session. */
import type * as tables from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

const SESSION_COLUMNS =
  'number, id, title, created_at, deleted_at, head, reported_at, open_due, incarnation, active_at, archived, about, gated';

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
  active_at: number;
  archived: number;
  about: string;
  gated: string;
}

/** A row may have 8 KB of requests. */
const MAX_IN_MEMORY = 256;

export class SqliteSessionTable implements tables.SessionTable {
  readonly #rows: TableRows;
  /** Rows as they are stored, by id, the latest read last: each report needs the row that the one before has written. */
  readonly #known = new Map<string, tables.NumberedSession>();

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  find(id: string): tables.NumberedSession | undefined {
    const known = this.#known.get(id) ?? this.#read(id);
    if (known === undefined) return undefined;
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_IN_MEMORY && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #read(id: string): tables.NumberedSession | undefined {
    return this.#rows
      .all<StoredSessionRow>(`SELECT ${SESSION_COLUMNS} FROM session WHERE id = ?`, id)
      .map(numberedSession)[0];
  }

  /** A transaction failed: memory may have what was not written. */
  forget(): void {
    this.#known.clear();
  }

  add(row: tables.SessionIndexRow): void {
    this.#rows.run(
      `INSERT INTO session (id, title, created_at, deleted_at, head, reported_at, open_due, incarnation,
         active_at, archived, about, gated)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.title,
      row.createdAt,
      row.deletedAt,
      row.head,
      row.reportedAt,
      openDueText(row),
      row.incarnation,
      row.activeAt,
      Number(row.isArchived),
      JSON.stringify(row.about),
      row.gated,
    );
  }

  /** A statement that names a column of the index writes the index, even with the same value. */
  update(
    number: number,
    row: tables.SessionIndexRow,
    { isListedElsewhere }: { readonly isListedElsewhere: boolean },
  ): void {
    this.#rows.run(
      `UPDATE session
       SET title = ?, head = ?, reported_at = ?, open_due = ?, incarnation = ?, about = ?, gated = ?
       WHERE number = ?`,
      row.title,
      row.head,
      row.reportedAt,
      openDueText(row),
      row.incarnation,
      JSON.stringify(row.about),
      row.gated,
      number,
    );
    const known = this.#known.get(row.id);
    // The creation of a session is never written again.
    if (known !== undefined)
      this.#known.set(row.id, { ...row, number, createdAt: known.createdAt });
    if (!isListedElsewhere) return;
    this.#rows.run(
      'UPDATE session SET deleted_at = ?, active_at = ?, archived = ? WHERE number = ?',
      row.deletedAt,
      row.activeAt,
      Number(row.isArchived),
      number,
    );
  }

  list(limit: number, before?: number): tables.NumberedSession[] {
    return this.#rows
      .all<StoredSessionRow>(
        `SELECT ${SESSION_COLUMNS} FROM session WHERE number < ? AND deleted_at IS NULL
       ORDER BY number DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(numberedSession);
  }

  listIdle(before: number, limit: number, after?: tables.ActivityKey): tables.NumberedSession[] {
    const halves = [0, 1].flatMap((archived) =>
      this.#rows.all<StoredSessionRow>(
        `SELECT ${SESSION_COLUMNS} FROM session
         WHERE deleted_at IS NULL AND archived = ? AND (active_at, number) > (?, ?)
           AND active_at < ?
         ORDER BY active_at, number LIMIT ?`,
        archived,
        after?.activeAt ?? -1,
        after?.number ?? 0,
        before,
        limit,
      ),
    );
    return halves
      .map(numberedSession)
      .sort((a, b) => a.activeAt - b.activeAt || a.number - b.number)
      .slice(0, limit);
  }

  listByActivity(
    isArchived: boolean,
    limit: number,
    before?: tables.ActivityKey,
  ): tables.NumberedSession[] {
    return this.#rows
      .all<StoredSessionRow>(
        `SELECT ${SESSION_COLUMNS} FROM session
         WHERE deleted_at IS NULL AND archived = ? AND (active_at, number) < (?, ?)
         ORDER BY active_at DESC, number DESC LIMIT ?`,
        Number(isArchived),
        before?.activeAt ?? Number.MAX_SAFE_INTEGER,
        before?.number ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(numberedSession);
  }
}

/** A bare time is within a share, a time in brackets beyond it. */
type StoredStanding = number | readonly [number];

function readStanding(at: StoredStanding): tables.InboxStanding {
  return typeof at === 'number'
    ? { beyondShare: false, dueAt: at }
    : { beyondShare: true, dueAt: at[0] };
}

function openDueText(row: tables.SessionIndexRow): string {
  const standings = [...row.open].map(([id, { beyondShare, dueAt }]): [string, StoredStanding] => [
    id,
    beyondShare ? [dueAt] : dueAt,
  ]);
  return JSON.stringify(Object.fromEntries(standings));
}

function numberedSession(row: StoredSessionRow): tables.NumberedSession {
  return {
    number: row.number,
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    head: row.head,
    reportedAt: row.reported_at,
    incarnation: row.incarnation,
    activeAt: row.active_at,
    isArchived: row.archived === 1,
    about: JSON.parse(row.about) as tables.NumberedSession['about'],
    gated: row.gated,
    open: new Map(
      Object.entries(JSON.parse(row.open_due) as Record<string, StoredStanding>).map(([id, at]) => [
        id,
        readStanding(at),
      ]),
    ),
  };
}
