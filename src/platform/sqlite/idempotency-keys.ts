/**
 * Finds the result of a command by its idempotency key, for 24 hours.
 *
 * Openings and settlements keep their key in the interaction's own row, so that they cost no row
 * more; there is no index on it for the same reason. The recent keys are read once, when the first
 * command with a key arrives after waking, and kept up to date from then on.
 */
import type { Reply } from '../../core/decision.ts';
import { interactionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Commit, Remembered } from '../../session/ports.ts';
import type { Database } from './database.ts';

type Known = Remembered & { readonly at: number };
type Named = NonNullable<Commit['remember']>;

interface KeyRow {
  readonly tool_call_id: string;
  readonly step: number;
  readonly key: string;
  readonly hash: string;
  readonly at: number;
}

export class IdempotencyKeys {
  readonly #database: Database;
  #recent: Map<string, Known> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  recall(key: string, now: number): Remembered | undefined {
    this.#recent ??= this.#read(now - LIMITS.idempotencyMs);
    const known = this.#recent.get(key);
    return known !== undefined && known.at > now - LIMITS.idempotencyMs ? known : undefined;
  }

  /** A key that was stored with its interaction. */
  note({ key, bodyHash, reply }: Named, at: number): void {
    this.#recent?.set(key, { bodyHash, reply, at });
  }

  /** A key whose command has no row of its own. Old ones leave as new ones come. */
  add(named: Named, at: number): void {
    this.#database.run('DELETE FROM idempotency WHERE at <= ?', at - LIMITS.idempotencyMs);
    this.#database.run(
      `INSERT INTO idempotency (key, body_hash, reply, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET
         body_hash = excluded.body_hash, reply = excluded.reply, at = excluded.at`,
      named.key,
      named.bodyHash,
      JSON.stringify(named.reply),
      at,
    );
    this.note(named, at);
  }

  forget(): void {
    this.#recent = undefined;
  }

  #read(since: number): Map<string, Known> {
    const recent = new Map<string, Known>();
    const rows = this.#database.all<{ key: string; body_hash: string; reply: string; at: number }>(
      'SELECT key, body_hash, reply, at FROM idempotency WHERE at > ?',
      since,
    );
    for (const { key, body_hash, reply, at } of rows) {
      recent.set(key, { bodyHash: body_hash, reply: JSON.parse(reply) as Reply, at });
    }
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
    for (const row of opened) recent.set(row.key, knownFrom(row, true));
    for (const row of settled) recent.set(row.key, knownFrom(row, false));
    return recent;
  }
}

function knownFrom(row: KeyRow, created: boolean): Known {
  const id = interactionId(row.tool_call_id, row.step);
  const reply: Reply = { type: 'interaction', interactionId: id, ...(created && { created }) };
  return { bodyHash: row.hash, reply, at: row.at };
}
