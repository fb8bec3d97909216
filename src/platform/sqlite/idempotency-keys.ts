/**
 * Finds the result of a command by its idempotency key, for 24 hours.
 *
 * A command that writes to the log has its result in the row of its events, and each such row names the one before, so a
 * key costs no further row and needs no index. Recent keys are read once, for the first command with a key after a wake,
 * and kept up to date in memory.
 */
import { LIMITS } from '../../protocol/limits.ts';
import type { KeyedResult, StoredResult } from '../../session/ports.ts';
import type { Database } from './database.ts';
import type { MetaRows } from './meta-rows.ts';

type StoredKeyResult = StoredResult & { readonly at: number };

/** In the log row of its command. */
type LoggedResult = StoredKeyResult & { readonly key: string; readonly before?: number };

export class IdempotencyKeys {
  readonly #database: Database;
  readonly #meta: MetaRows;
  /** Oldest first. */
  #recent: Map<string, StoredKeyResult> | undefined;
  /** The log row with the latest key. */
  #lastRow: number | undefined;
  /** Expired keys, found when the recent ones were read; removed with the next write. */
  #outdated: string[] = [];

  constructor(database: Database, meta: MetaRows) {
    this.#database = database;
    this.#meta = meta;
  }

  findResult(key: string, now: number): StoredResult | undefined {
    this.#recent ??= this.#read(now - LIMITS.idempotencyMs);
    const known = this.#recent.get(key);
    return known !== undefined && known.at > now - LIMITS.idempotencyMs ? known : undefined;
  }

  get lastRow(): number | undefined {
    return this.#lastRow;
  }

  load(lastRow: number | undefined): void {
    this.#lastRow = lastRow;
  }

  /** What the log row of the command holds. */
  textFor({ key, bodyHash, reply }: KeyedResult, at: number): string {
    const before = this.#lastRow;
    return JSON.stringify({ key, bodyHash, reply, at, before });
  }

  /** The log row is written. */
  adopt(named: KeyedResult, at: number, row: number): void {
    this.#lastRow = row;
    this.#note(named, at);
  }

  /** Stores a key in a row of its own, and removes expired ones. */
  add(named: KeyedResult, at: number): void {
    const { key, bodyHash, reply } = named;
    this.#recent ??= this.#read(at - LIMITS.idempotencyMs);
    for (const [name, known] of this.#recent) {
      if (known.at > at - LIMITS.idempotencyMs) break;
      this.#recent.delete(name);
      this.#outdated.push(name);
    }
    for (const name of this.#outdated.splice(0)) this.#meta.remove(`key/${name}`);
    this.#meta.put(`key/${key}`, { bodyHash, reply, at });
    this.#note(named, at);
  }

  #note({ key, bodyHash, reply }: KeyedResult, at: number): void {
    this.#recent?.delete(key);
    this.#recent?.set(key, { bodyHash, reply, at });
  }

  forget(): void {
    this.#recent = undefined;
  }

  #read(since: number): Map<string, StoredKeyResult> {
    const stored = this.#meta.family<StoredKeyResult>('key');
    this.#outdated = stored.filter(({ value }) => value.at <= since).map(({ name }) => name);
    const logged = this.#readLogged(since);
    const all: [string, StoredKeyResult][] = [
      ...stored.map(({ name, value }): [string, StoredKeyResult] => [name, value]),
      ...logged.map(({ key, ...result }): [string, StoredKeyResult] => [key, result]),
    ];
    const recent = all.filter(([, known]) => known.at > since);
    return new Map(recent.sort(([, a], [, b]) => a.at - b.at));
  }

  #readLogged(since: number): LoggedResult[] {
    if (this.#lastRow === undefined) return [];
    const rows = this.#database.all<{ result: string }>(
      `WITH RECURSIVE keyed(result) AS (
         SELECT keyed_result FROM log WHERE last_seq = ?
         UNION ALL
         SELECT log.keyed_result FROM keyed JOIN log ON log.last_seq = keyed.result ->> '$.before'
         WHERE keyed.result ->> '$.at' > ?
       ) SELECT result FROM keyed`,
      this.#lastRow,
      since,
    );
    return rows.map(({ result }) => JSON.parse(result) as LoggedResult);
  }
}
