/** One workspace in SQLite. Reading one that was never written to makes no tables. */
import type { KeyView } from '../../protocol/schema/workspace.ts';
import type {
  AuditKey,
  AuditRow,
  InboxKey,
  InboxRow,
  InboxStanding,
  NumberedSession,
  SessionRow,
  StoredKey,
  StoredToken,
  Watcher,
  WorkspaceStore,
} from '../../workspace/ports.ts';
import type { Database, SqlValue } from './database.ts';
import { type Applied, appliedTo, type Migrations, migrate } from './migrate.ts';

const SESSION =
  'number, id, title, created_at, deleted_at, head, reported_at, open_due, incarnation';
const KEY = 'id, name, scopes, created_at, created_by, expires_at';
const TOKEN = 'id, maker, expires_at, chain, entry';
const INBOX_ORDER = 'beyond_share, due_at, session_id, interaction_id';
const INBOX_KEY =
  'beyond_share, due_at AS dueAt, session_id AS sessionId, interaction_id AS interactionId';
/** Null is the latest expiry of all; an earlier one is not written. */
const IF_LATER = `DO UPDATE SET expires_at = excluded.expires_at
  WHERE expires_at IS NOT NULL
    AND (excluded.expires_at IS NULL OR excluded.expires_at > expires_at)`;

interface StoredSession {
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

interface StoredApiKey {
  id: string;
  name: string;
  scopes: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
}

interface TokenRow {
  id: string;
  maker: string;
  expires_at: number;
  chain: string;
  entry: string;
}

export class SqliteWorkspaceStore implements WorkspaceStore {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #name: string | undefined;
  #applied: Applied;

  /** The name is kept from the first write on, for when the platform wakes the object without it. */
  constructor(database: Database, migrations: Migrations, name?: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#name = name;
    this.#applied = appliedTo(database, migrations);
    const { count } = this.#applied;
    if (count > 0 && count < migrations.length) this.write(() => undefined);
  }

  write<Result>(work: () => Result): Result {
    const applied = this.#applied;
    try {
      return this.#database.transaction(() => {
        if (!applied.isNoted || applied.count < this.#migrations.length) this.#migrate();
        return work();
      });
    } catch (cause) {
      this.#applied = applied;
      throw cause;
    }
  }

  #migrate(): void {
    const isNew = this.#applied.count === 0;
    this.#applied = migrate(this.#database, this.#migrations, this.#applied);
    if (isNew && this.#name !== undefined) this.#saveMeta('name', this.#name);
  }

  name(): string | undefined {
    return this.#name ?? this.#meta('name');
  }

  session(id: string): NumberedSession | undefined {
    return this.#read<StoredSession>(`SELECT ${SESSION} FROM session WHERE id = ?`, id).map(
      sessionOf,
    )[0];
  }

  addSession(row: SessionRow): void {
    this.#database.run(
      `INSERT INTO session (id, title, created_at, deleted_at, head, reported_at, open_due, incarnation)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.title,
      row.createdAt,
      row.deletedAt,
      row.head,
      row.reportedAt,
      openDue(row),
      row.incarnation,
    );
  }

  updateSession(number: number, row: SessionRow): void {
    this.#database.run(
      `UPDATE session
       SET title = ?, deleted_at = ?, head = ?, reported_at = ?, open_due = ?, incarnation = ?
       WHERE number = ?`,
      row.title,
      row.deletedAt,
      row.head,
      row.reportedAt,
      openDue(row),
      row.incarnation,
      number,
    );
  }

  sessions(limit: number, before?: number): NumberedSession[] {
    return this.#read<StoredSession>(
      `SELECT ${SESSION} FROM session WHERE number < ? AND deleted_at IS NULL
       ORDER BY number DESC LIMIT ?`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).map(sessionOf);
  }

  putOpen(key: InboxKey, root: string, entry: string): void {
    this.#database.run(
      `INSERT INTO open_interaction (${INBOX_ORDER}, root, entry) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET entry = excluded.entry WHERE entry <> excluded.entry`,
      ...inboxPlace(key),
      root,
      entry,
    );
  }

  removeOpen(key: InboxKey): string | undefined {
    const at = `WHERE (${INBOX_ORDER}) = (?, ?, ?, ?)`;
    const place = inboxPlace(key);
    const [row] = this.#read<{ root: string }>(`SELECT root FROM open_interaction ${at}`, ...place);
    if (row !== undefined) this.#database.run(`DELETE FROM open_interaction ${at}`, ...place);
    return row?.root;
  }

  inbox(limit: number, after?: InboxKey): InboxRow[] {
    // A left join: an entry is shown even if its session were missing.
    return this.#read<Standing<InboxRow>>(
      `SELECT ${INBOX_KEY}, entry, session.title AS sessionTitle
       FROM open_interaction LEFT JOIN session ON session.id = session_id
       WHERE (${INBOX_ORDER}) > (?, ?, ?, ?) ORDER BY ${INBOX_ORDER} LIMIT ?`,
      ...inboxPlace(after),
      limit,
    ).map(standingOf);
  }

  sharesTaken(): Map<string, number> {
    const rows = this.#read<{ root: string; taken: number }>(
      'SELECT root, count(*) AS taken FROM open_interaction WHERE beyond_share = 0 GROUP BY root',
    );
    return new Map(rows.map(({ root, taken }) => [root, taken]));
  }

  openCount(): number {
    const [row] = this.#read<{ count: number }>('SELECT count(*) AS count FROM open_interaction');
    return row?.count ?? 0;
  }

  earliestDue(): number | null {
    const times = HALVES.flatMap((half) =>
      this.#read<{ due_at: number }>(
        'SELECT due_at FROM open_interaction WHERE beyond_share = ? ORDER BY due_at LIMIT 1',
        half,
      ),
    ).map((row) => row.due_at);
    return times.length === 0 ? null : Math.min(...times);
  }

  overdue(dueBy: number, limit: number, after?: InboxKey): InboxKey[] {
    // One half after the other: only within one does the key end where the deadlines are later.
    return HALVES.flatMap((half) =>
      this.#read<Standing<InboxKey>>(
        `SELECT ${INBOX_KEY} FROM open_interaction
         WHERE beyond_share = ? AND due_at <= ? AND (${INBOX_ORDER}) > (?, ?, ?, ?)
         ORDER BY ${INBOX_ORDER} LIMIT ?`,
        half,
        dueBy,
        ...inboxPlace(after),
        limit,
      ),
    )
      .slice(0, limit)
      .map(standingOf);
  }

  sweptTo(): InboxKey | undefined {
    const text = this.#meta('swept_to');
    // From before there were shares it says nothing of them.
    if (text === undefined) return undefined;
    return { beyondShare: false, ...(JSON.parse(text) as Omit<InboxKey, 'beyondShare'>) };
  }

  saveSweptTo(key: InboxKey | undefined): void {
    if (key === undefined) this.#database.run("DELETE FROM meta WHERE key = 'swept_to'");
    else this.#saveMeta('swept_to', JSON.stringify(key));
  }

  addAudit(row: AuditRow): void {
    this.#database.run(
      'INSERT OR IGNORE INTO audit (at, source, seq, entry) VALUES (?, ?, ?, ?)',
      row.at,
      row.source,
      row.seq,
      row.entry,
    );
  }

  freeAuditSeq(at: number, source: string): number {
    const [row] = this.#read<{ last: number | null }>(
      'SELECT max(seq) AS last FROM audit WHERE at = ? AND source = ?',
      at,
      source,
    );
    return (row?.last ?? 0) + 1;
  }

  audit(limit: number, before?: AuditKey): AuditRow[] {
    return this.#read<AuditRow>(
      `SELECT at, source, seq, entry FROM audit WHERE (at, source, seq) < (?, ?, ?)
       ORDER BY at DESC, source DESC, seq DESC LIMIT ?`,
      before?.at ?? Number.MAX_SAFE_INTEGER,
      before?.source ?? '',
      before?.seq ?? 0,
      limit,
    );
  }

  addKey(key: KeyView): void {
    this.#database.run(
      `INSERT INTO api_key (${KEY}) VALUES (?, ?, ?, ?, ?, ?)`,
      key.id,
      key.name,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.createdBy,
      key.expiresAt,
    );
  }

  removeKey(id: string): void {
    this.#database.run('DELETE FROM api_key WHERE id = ?', id);
  }

  key(id: string): StoredKey | undefined {
    return this.#read<StoredApiKey>(`SELECT ${KEY} FROM api_key WHERE id = ?`, id).map(keyOf)[0];
  }

  keys(): StoredKey[] {
    // The id begins with the time of creation.
    return this.#read<StoredApiKey>(`SELECT ${KEY} FROM api_key ORDER BY id DESC`).map(keyOf);
  }

  addToken({ id, maker, expiresAt, chain, entry }: StoredToken): void {
    this.#database.run(
      'INSERT INTO token (id, maker, expires_at, chain, entry) VALUES (?, ?, ?, ?, ?)',
      id,
      maker,
      expiresAt,
      JSON.stringify(chain),
      entry,
    );
  }

  token(id: string): StoredToken | undefined {
    return this.#read<TokenRow>(`SELECT ${TOKEN} FROM token WHERE id = ?`, id).map(tokenOf)[0];
  }

  tokens(limit: number, now: number, before?: string): StoredToken[] {
    // The id begins with the time of creation.
    const from = before === undefined ? '' : 'AND id < ?';
    return this.#read<TokenRow>(
      `SELECT ${TOKEN} FROM token WHERE expires_at > ? ${from} ORDER BY id DESC LIMIT ?`,
      now,
      ...(before === undefined ? [] : [before]),
      limit,
    ).map(tokenOf);
  }

  hasTokens(maker: string, count: number, now: number): boolean {
    const found = this.#read(
      'SELECT 1 FROM token WHERE maker = ? AND expires_at > ? LIMIT 1 OFFSET ?',
      maker,
      now,
      count - 1,
    );
    return found.length > 0;
  }

  earliestTokenExpiry(): number | null {
    const [row] = this.#read<{ at: number }>(
      'SELECT expires_at AS at FROM token ORDER BY expires_at LIMIT 1',
    );
    return row?.at ?? null;
  }

  pruneTokens(now: number, limit: number): number {
    const expired = this.#read<{ id: string }>(
      'SELECT id FROM token WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ?',
      now,
      limit,
    );
    for (const { id } of expired) this.#database.run('DELETE FROM token WHERE id = ?', id);
    return expired.length;
  }

  addRevoked(credential: string, at: number, expiresAt: number | null): void {
    this.#database.run(
      `INSERT INTO revoked (credential, at, expires_at) VALUES (?, ?, ?) ON CONFLICT ${IF_LATER}`,
      credential,
      at,
      expiresAt,
    );
  }

  isRevoked(credential: string): boolean {
    return this.#read('SELECT 1 FROM revoked WHERE credential = ?', credential).length > 0;
  }

  firstRevokedAt(credentials: readonly string[]): number | null {
    const marks = credentials.map(() => '?').join(', ');
    const [row] = this.#read<{ at: number | null }>(
      `SELECT min(at) AS at FROM revoked WHERE credential IN (${marks})`,
      ...credentials,
    );
    return row?.at ?? null;
  }

  revoked(now: number): string[] {
    return this.#read<{ credential: string }>(
      `SELECT credential FROM revoked WHERE expires_at IS NULL OR expires_at > ?
       ORDER BY credential`,
      now,
    ).map((row) => row.credential);
  }

  addWatcher(watcher: Watcher, expiresAt: number | null): void {
    this.#database.run(
      `INSERT INTO watcher (credential, session_id, expires_at) VALUES (?, ?, ?)
       ON CONFLICT ${IF_LATER}`,
      watcher.credential,
      watcher.sessionId,
      expiresAt,
    );
  }

  removeWatcher(watcher: Watcher): void {
    this.#database.run(
      'DELETE FROM watcher WHERE credential = ? AND session_id = ?',
      watcher.credential,
      watcher.sessionId,
    );
  }

  untold(limit: number, after?: Watcher): Watcher[] {
    // A cross join keeps the order of the tables: few are revoked, many may watch.
    return this.#read<Watcher>(
      `SELECT credential, session_id AS sessionId
       FROM revoked CROSS JOIN watcher USING (credential)
       WHERE (credential, session_id) > (?, ?) ORDER BY credential, session_id LIMIT ?`,
      after?.credential ?? '',
      after?.sessionId ?? '',
      limit,
    );
  }

  prune(now: number): void {
    this.#database.run('DELETE FROM watcher WHERE expires_at <= ?', now);
    this.#database.run('DELETE FROM revoked WHERE expires_at <= ?', now);
  }

  settings(): string | undefined {
    return this.#meta('settings');
  }

  saveSettings(text: string): void {
    this.#saveMeta('settings', text);
  }

  #meta(key: string): string | undefined {
    return this.#read<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)[0]?.value;
  }

  #saveMeta(key: string, value: string): void {
    this.#database.run(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  #read<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#applied.count === 0 ? [] : this.#database.all<Row>(sql, ...values);
  }
}

/** Before the first of all when there is none. */
function inboxPlace(key: InboxKey | undefined): [number, number, string, string] {
  if (key === undefined) return [-1, -1, '', ''];
  return [key.beyondShare ? 1 : 0, key.dueAt, key.sessionId, key.interactionId];
}

/** Within the shares, and beyond them. */
const HALVES = [0, 1] as const;

type Standing<Row extends InboxKey> = Omit<Row, 'beyondShare'> & { readonly beyond_share: number };

function standingOf<Row extends InboxKey>({ beyond_share, ...row }: Standing<Row>) {
  return { beyondShare: beyond_share === 1, ...row };
}

/** The time alone is within a share, a time in brackets beyond it. */
type StoredStanding = number | readonly [number];

function standingIn(at: StoredStanding): InboxStanding {
  return typeof at === 'number'
    ? { beyondShare: false, dueAt: at }
    : { beyondShare: true, dueAt: at[0] };
}

function openDue(row: SessionRow): string {
  const places = [...row.open].map(([id, { beyondShare, dueAt }]): [string, StoredStanding] => [
    id,
    beyondShare ? [dueAt] : dueAt,
  ]);
  return JSON.stringify(Object.fromEntries(places));
}

function sessionOf(row: StoredSession): NumberedSession {
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
        standingIn(at),
      ]),
    ),
  };
}

function keyOf(row: StoredApiKey): StoredKey {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
  };
}

function tokenOf({ expires_at: expiresAt, chain, ...row }: TokenRow): StoredToken {
  return { ...row, expiresAt, chain: JSON.parse(chain) as string[] };
}
