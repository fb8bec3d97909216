/** One target in SQLite: its settings, its deliveries, and the ids of messages that it accepted. */
import type * as ports from '../../delivery/ports.ts';
import type { Database } from './database.ts';
import { MetaRows } from './meta-rows.ts';
import { type Applied, appliedTo, type Migrations, migrate } from './migrate.ts';

interface DeliveryRow {
  readonly number: number;
  readonly session_id: string;
  readonly source: string;
  readonly at: number;
  readonly wait: ports.DeliveryWait;
  readonly next_at: number | null;
  readonly attempts: number;
  readonly message: string;
  readonly result: string;
}

/** Before there were surfaces, a target was a webhook and had its address itself. */
interface OldSettings {
  readonly url?: string;
}

interface ShownRow {
  readonly number: number | null;
  readonly reference: string;
  readonly is_retired: number;
  readonly at: number;
}

type DeliveryResultRow = Pick<ports.StoredDelivery, 'last' | 'isDelivered' | 'heldFor'>;
/** `heldFor` is left out where it is null. */
type StoredText = Omit<DeliveryResultRow, 'heldFor'> & Partial<Pick<DeliveryResultRow, 'heldFor'>>;

const DELIVERY_COLUMNS = 'number, session_id, source, at, wait, next_at, attempts, message, result';

export class SqliteTargetStore implements ports.TargetStore {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #meta: MetaRows;
  #applied: Applied;

  constructor(database: Database, migrations: Migrations) {
    this.#database = database;
    this.#migrations = migrations;
    this.#meta = new MetaRows(database);
    this.#applied = appliedTo(database, migrations);
    const { count } = this.#applied;
    if (count > 0 && count < migrations.length) this.write(() => undefined);
  }

  config(): ports.TargetConfig | undefined {
    const config = this.#read<ports.TargetConfig & OldSettings>('config');
    if (config?.url === undefined) return config;
    const { url, ...rest } = config;
    return { ...rest, surface: { type: 'webhook', url } };
  }

  saveConfig(config: ports.TargetConfig): void {
    this.#meta.put('config', config);
  }

  failingSince(): number | null {
    return this.#read<number>('failing-since') ?? null;
  }

  saveFailingSince(at: number | null): void {
    if (at === null) this.#meta.remove('failing-since');
    else this.#meta.put('failing-since', at);
  }

  disabled(): ports.DisabledState | undefined {
    return this.#read<ports.DisabledState>('disabled');
  }

  saveDisabled(state: ports.DisabledState | undefined): void {
    if (state === undefined) this.#meta.remove('disabled');
    else this.#meta.put('disabled', state);
  }

  add(delivery: Omit<ports.StoredDelivery, 'number'>): number | undefined {
    const { sessionId, source, at, wait, nextAt, attempts, announcement } = delivery;
    const [row] = this.#database.all<{ number: number }>(
      'INSERT INTO delivery (session_id, source, at, wait, next_at, attempts, message, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number',
      sessionId,
      source,
      at,
      wait,
      nextAt,
      attempts,
      JSON.stringify(announcement),
      resultColumn(delivery),
    );
    return row?.number;
  }

  find(number: number): ports.StoredDelivery | undefined {
    return this.#list('WHERE number = ?', number)[0];
  }

  update(delivery: ports.StoredDelivery): void {
    const { number, wait, nextAt, attempts } = delivery;
    this.#database.run(
      'UPDATE delivery SET wait = ?, next_at = ?, attempts = ?, result = ? WHERE number = ?',
      wait,
      nextAt,
      attempts,
      resultColumn(delivery),
      number,
    );
  }

  due(now: number, limit: number): ports.StoredDelivery[] {
    const due = "WHERE wait = 'due' AND next_at <= ? ORDER BY next_at, number LIMIT ?";
    return this.#list(due, now, limit);
  }

  earliestDue(): number | null {
    const [row] = this.#all<{ at: number | null }>(
      "SELECT min(next_at) AS at FROM delivery WHERE wait = 'due'",
    );
    return row?.at ?? null;
  }

  hasDue(sessionId: string, attemptsBelow: number): boolean {
    const rows = this.#all(
      "SELECT 1 FROM delivery WHERE session_id = ? AND wait = 'due' AND attempts < ? AND json_extract(result, '$.heldFor') IS NULL LIMIT 1",
      sessionId,
      attemptsBelow,
    );
    return rows.length > 0;
  }

  firstBehind(sessionId: string): number | undefined {
    const [row] = this.#all<{ number: number }>(
      "SELECT number FROM delivery WHERE session_id = ? AND wait = 'behind' ORDER BY number LIMIT 1",
      sessionId,
    );
    return row?.number;
  }

  held(sessionId: string, interactionId: string): ports.StoredDelivery[] {
    return this.#list(
      "WHERE session_id = ? AND wait = 'due' AND json_extract(result, '$.heldFor') = ?",
      sessionId,
      interactionId,
    );
  }

  shortenHeld(at: number): void {
    this.#database.run(
      "UPDATE delivery SET next_at = ? WHERE wait = 'due' AND next_at > ? AND attempts = 0 AND json_extract(result, '$.heldFor') IS NOT NULL",
      at,
      at,
    );
  }

  list(limit: number, before: number = Number.MAX_SAFE_INTEGER): ports.StoredDelivery[] {
    return this.#list('WHERE number < ? ORDER BY number DESC LIMIT ?', before, limit);
  }

  listEnded(since: number, limit: number, after: number): ports.StoredDelivery[] {
    const ended = 'WHERE number > ? AND wait IS NULL AND at >= ? ORDER BY number LIMIT ?';
    return this.#list(ended, after, since, limit);
  }

  /** Never the newest: its number, which is part of ids, must not be given again. */
  removeEnded(before: number, limit: number): void {
    this.#database.run(
      'DELETE FROM delivery WHERE number IN (SELECT number FROM (SELECT number, at, wait FROM delivery WHERE number < (SELECT max(number) FROM delivery) AND number NOT IN (SELECT number FROM shown WHERE is_retired = 0 AND number IS NOT NULL) ORDER BY number LIMIT ?) WHERE at < ? AND wait IS NULL)',
      limit,
      before,
    );
  }

  hasReceived(messageId: string): boolean {
    return this.#all('SELECT 1 FROM received WHERE id = ?', messageId).length > 0;
  }

  addReceived(messageId: string, at: number): void {
    this.#database.run('INSERT INTO received (id, at) VALUES (?, ?)', messageId, at);
  }

  removeReceived(messageId: string): void {
    this.#database.run('DELETE FROM received WHERE id = ?', messageId);
  }

  removeReceivedBefore(at: number): void {
    this.#database.run('DELETE FROM received WHERE at < ?', at);
  }

  shown(sessionId: string, interactionId: string): ports.StoredShown | undefined {
    const [row] = this.#all<ShownRow>(
      'SELECT number, reference, is_retired, at FROM shown WHERE session_id = ? AND interaction_id = ?',
      sessionId,
      interactionId,
    );
    if (row === undefined) return undefined;
    const { number, reference, is_retired: isRetired, at } = row;
    return { sessionId, interactionId, number, reference, isRetired: isRetired === 1, at };
  }

  saveShown({
    sessionId,
    interactionId,
    number,
    reference,
    isRetired,
    at,
  }: ports.StoredShown): void {
    this.#database.run(
      'INSERT OR REPLACE INTO shown (session_id, interaction_id, number, reference, is_retired, at) VALUES (?, ?, ?, ?, ?, ?)',
      sessionId,
      interactionId,
      number,
      reference,
      isRetired ? 1 : 0,
      at,
    );
  }

  removeShownBefore(at: number, limit: number): void {
    this.#database.run(
      'DELETE FROM shown WHERE (session_id, interaction_id) IN (SELECT session_id, interaction_id FROM shown WHERE is_retired = 1 AND at < ? LIMIT ?)',
      at,
      limit,
    );
  }

  removeAll(): void {
    for (const name of ['config', 'failing-since', 'disabled']) this.#meta.remove(name);
    this.#database.run('DELETE FROM delivery');
    this.#database.run('DELETE FROM received');
    this.#database.run('DELETE FROM shown');
  }

  write<Result>(work: () => Result): Result {
    const applied = this.#applied;
    try {
      return this.#database.transaction(() => {
        if (!applied.isNoted || applied.count < this.#migrations.length) {
          this.#applied = migrate(this.#database, this.#migrations, applied);
        }
        return work();
      });
    } catch (cause) {
      this.#applied = applied;
      throw cause;
    }
  }

  /** A target that was never configured has no tables. */
  #all<Row>(...statement: Parameters<Database['all']>): Row[] {
    return this.#applied.count === 0 ? [] : this.#database.all<Row>(...statement);
  }

  #read<Value>(key: string): Value | undefined {
    return this.#applied.count === 0 ? undefined : this.#meta.get<Value>(key);
  }

  #list(rest: string, ...values: (number | string)[]): ports.StoredDelivery[] {
    return this.#all<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM delivery ${rest}`,
      ...values,
    ).map(readRow);
  }
}

function readRow(row: DeliveryRow): ports.StoredDelivery {
  const { number, session_id: sessionId, source, at, wait, next_at: nextAt, attempts } = row;
  const announcement = JSON.parse(row.message) as ports.StoredDelivery['announcement'];
  const { heldFor = null, ...result } = JSON.parse(row.result) as StoredText;
  return {
    number,
    sessionId,
    source,
    at,
    wait,
    nextAt,
    attempts,
    announcement,
    heldFor,
    ...result,
  };
}

function resultColumn({ last, isDelivered, heldFor }: DeliveryResultRow): string {
  return JSON.stringify({ last, isDelivered, ...(heldFor !== null && { heldFor }) });
}
