/**
 * Finds the result of a command by its idempotency key, for 24 hours.
 *
 * Opening and settling store their key in the row of the interaction, and the key has no index, so that they cost no
 * further row. Recent keys are read once, for the first command with a key after a wake, and kept up to date in memory.
 */
import type { CommandReply } from '../../core/decision.ts';
import { interactionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeyedResult, StoredResult } from '../../session/ports.ts';
import type { Database } from './database.ts';
import type { MetaRows } from './meta-rows.ts';

type StoredKeyResult = StoredResult & { readonly at: number };

interface KeyRow {
  readonly tool_call_id: string;
  readonly step: number;
  readonly key: string;
  readonly hash: string;
  readonly at: number;
}

export class IdempotencyKeys {
  readonly #database: Database;
  readonly #meta: MetaRows;
  /** Oldest first. */
  #recent: Map<string, StoredKeyResult> | undefined;
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

  /** Notes a key that is stored in the row of its interaction. */
  note({ key, bodyHash, reply }: KeyedResult, at: number): void {
    this.#recent?.delete(key);
    this.#recent?.set(key, { bodyHash, reply, at });
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
    this.note(named, at);
  }

  forget(): void {
    this.#recent = undefined;
  }

  #read(since: number): Map<string, StoredKeyResult> {
    const stored = this.#meta.family<StoredKeyResult>('key');
    this.#outdated = stored.filter(({ value }) => value.at <= since).map(({ name }) => name);
    const opened = this.#database.all<KeyRow>(
      `SELECT tool_call_id, step, open_key AS key, open_hash AS hash, opened_at AS at
       FROM interaction WHERE open_key IS NOT NULL AND opened_at > ?`,
      since,
    );
    const settled = this.#database.all<KeyRow>(
      `SELECT tool_call_id, step, settle_key AS key, settle_hash AS hash, settled_at AS at
       FROM interaction WHERE settle_key IS NOT NULL AND settled_at > ?`,
      since,
    );
    const all: [string, StoredKeyResult][] = [
      ...stored.map(({ name, value }): [string, StoredKeyResult] => [name, value]),
      ...opened.map((row): [string, StoredKeyResult] => [row.key, resultFromRow(row, true)]),
      ...settled.map((row): [string, StoredKeyResult] => [row.key, resultFromRow(row, false)]),
    ];
    const recent = all.filter(([, known]) => known.at > since);
    return new Map(recent.sort(([, a], [, b]) => a.at - b.at));
  }
}

function resultFromRow(row: KeyRow, created: boolean): StoredKeyResult {
  const id = interactionId(row.tool_call_id, row.step);
  const reply: CommandReply = {
    type: 'interaction',
    interactionId: id,
    ...(created && { created }),
  };
  return { bodyHash: row.hash, reply, at: row.at };
}
