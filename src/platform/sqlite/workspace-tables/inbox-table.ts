/** The rows of `open_interaction`, in the order of the inbox, and how far the sweep got. */
import { NO_DEADLINE } from '../../../workspace/inbox.ts';
import type {
  InboxKey,
  OpenInteractionRow,
  InboxTable,
  RemovedInteraction,
} from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';
import type { MetaTexts } from '../meta-rows.ts';

const INBOX_ORDER = 'beyond_share, due_at, session_id, interaction_id';
const INBOX_KEY =
  'beyond_share, due_at AS dueAt, session_id AS sessionId, interaction_id AS interactionId';

/** Null for an entry that is no JSON. */
const OPENED_AT = "CASE WHEN json_valid(entry) THEN entry ->> '$.openedAt' END";
/** Interactions with a deadline whose opening times are compared. */
const MAX_COMPARED = 1_000;

/** Values of `beyond_share`: within the shares, and beyond them. */
const HALVES = [0, 1] as const;

export class SqliteInboxTable implements InboxTable {
  readonly #rows: TableRows;
  readonly #meta: MetaTexts;

  constructor(rows: TableRows, meta: MetaTexts) {
    this.#rows = rows;
    this.#meta = meta;
  }

  put(key: InboxKey, root: string, entry: string): void {
    this.#rows.run(
      `INSERT INTO open_interaction (${INBOX_ORDER}, root, entry) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET entry = excluded.entry WHERE entry <> excluded.entry`,
      ...keyValues(key),
      root,
      entry,
    );
  }

  remove(key: InboxKey): RemovedInteraction | undefined {
    const [row] = this.#rows.all<RemovedInteraction>(
      `DELETE FROM open_interaction WHERE (${INBOX_ORDER}) = (?, ?, ?, ?)
       RETURNING root, ${OPENED_AT} AS openedAt`,
      ...keyValues(key),
    );
    return row && { ...row };
  }

  list(limit: number, after?: InboxKey): OpenInteractionRow[] {
    // A left join: an entry without its session row is shown all the same.
    return this.#rows
      .all<SqlRow<OpenInteractionRow>>(
        `SELECT ${INBOX_KEY}, entry, session.title AS sessionTitle
       FROM open_interaction LEFT JOIN session ON session.id = session_id
       WHERE (${INBOX_ORDER}) > (?, ?, ?, ?) ORDER BY ${INBOX_ORDER} LIMIT ?`,
        ...keyValues(after),
        limit,
      )
      .map(fromSqlRow);
  }

  oldestOpenedAt(): number | null {
    const times = HALVES.flatMap((half) => {
      const [undated] = this.#rows.all<{ at: number }>(
        `SELECT due_at - ? AS at FROM open_interaction WHERE beyond_share = ? AND due_at >= ?
         ORDER BY due_at LIMIT 1`,
        NO_DEADLINE,
        half,
        NO_DEADLINE,
      );
      const [dated] = this.#rows.all<{ at: number | null }>(
        `SELECT min(opened) AS at FROM (SELECT ${OPENED_AT} AS opened FROM open_interaction
         WHERE beyond_share = ? AND due_at < ? ORDER BY due_at LIMIT ?)`,
        half,
        NO_DEADLINE,
        MAX_COMPARED,
      );
      return [undated?.at ?? null, dated?.at ?? null].filter((at) => at !== null);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  countWithinShares(): Map<string, number> {
    const rows = this.#rows.all<{ root: string; count: number }>(
      'SELECT root, count(*) AS count FROM open_interaction WHERE beyond_share = 0 GROUP BY root',
    );
    return new Map(rows.map(({ root, count }) => [root, count]));
  }

  count(): number {
    const [row] = this.#rows.all<{ count: number }>(
      'SELECT count(*) AS count FROM open_interaction',
    );
    return row?.count ?? 0;
  }

  earliestDue(): number | null {
    const times = HALVES.flatMap((half) =>
      this.#rows.all<{ due_at: number }>(
        'SELECT due_at FROM open_interaction WHERE beyond_share = ? ORDER BY due_at LIMIT 1',
        half,
      ),
    ).map((row) => row.due_at);
    return times.length === 0 ? null : Math.min(...times);
  }

  overdue(dueBy: number, limit: number, after?: InboxKey): InboxKey[] {
    // Half by half: only within one half is the key in the order of the deadlines.
    return HALVES.flatMap((half) =>
      this.#rows.all<SqlRow<InboxKey>>(
        `SELECT ${INBOX_KEY} FROM open_interaction
         WHERE beyond_share = ? AND due_at <= ? AND (${INBOX_ORDER}) > (?, ?, ?, ?)
         ORDER BY ${INBOX_ORDER} LIMIT ?`,
        half,
        dueBy,
        ...keyValues(after),
        limit,
      ),
    )
      .slice(0, limit)
      .map(fromSqlRow);
  }

  sweptTo(): InboxKey | undefined {
    const text = this.#meta.read('swept_to');
    if (text === undefined) return undefined;
    // A key from before there were shares has no `beyondShare`.
    return { beyondShare: false, ...(JSON.parse(text) as Omit<InboxKey, 'beyondShare'>) };
  }

  saveSweptTo(key: InboxKey | undefined): void {
    if (key === undefined) this.#meta.remove('swept_to');
    else this.#meta.save('swept_to', JSON.stringify(key));
  }
}

/** Without a key, values that sort before every row. */
function keyValues(key: InboxKey | undefined): [number, number, string, string] {
  if (key === undefined) return [-1, -1, '', ''];
  return [key.beyondShare ? 1 : 0, key.dueAt, key.sessionId, key.interactionId];
}

type SqlRow<Row extends InboxKey> = Omit<Row, 'beyondShare'> & { readonly beyond_share: number };

function fromSqlRow<Row extends InboxKey>({ beyond_share, ...row }: SqlRow<Row>) {
  return { beyondShare: beyond_share === 1, ...row };
}
