/** The rows of `target` and of `target_outbox`. */
import type * as tables from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

export class SqliteTargetTable implements tables.TargetTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  list(): tables.StoredTarget[] {
    return this.#rows
      .all<{ entry: string }>('SELECT entry FROM target ORDER BY id')
      .map(({ entry }) => readStoredTarget(entry));
  }

  put(target: tables.StoredTarget): void {
    this.#rows.run(
      'INSERT INTO target (id, entry) VALUES (?, ?) ON CONFLICT DO UPDATE SET entry = excluded.entry',
      target.id,
      JSON.stringify(target),
    );
  }

  remove(id: string): void {
    this.#rows.run('DELETE FROM target WHERE id = ?', id);
  }
}

/** Before there were surfaces, a target was a webhook and had its address itself. */
type OldTarget = Omit<tables.StoredTarget, 'surface'> & {
  readonly type: 'webhook';
  readonly url: string;
};

function readStoredTarget(entry: string): tables.StoredTarget {
  const target = JSON.parse(entry) as tables.StoredTarget | OldTarget;
  if ('surface' in target) return target;
  const { type, url, ...rest } = target;
  return { ...rest, surface: { type, url } };
}

export class SqliteTargetOutboxTable implements tables.TargetOutboxTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  list(): tables.StoredOutboxEntry[] {
    return this.#rows
      .all<{ target_id: string; slot: number; number: number; entry: string }>(
        'SELECT target_id, slot, number, entry FROM target_outbox ORDER BY number',
      )
      .map(({ target_id: targetId, slot, number, entry }) => ({
        targetId,
        slot,
        number,
        announcement: JSON.parse(entry) as tables.OutboxEntry['announcement'],
      }));
  }

  put({ targetId, slot, number, announcement }: tables.StoredOutboxEntry): void {
    this.#rows.run(
      'INSERT INTO target_outbox (target_id, slot, number, entry) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = excluded.number, entry = excluded.entry',
      targetId,
      slot,
      number,
      JSON.stringify(announcement),
    );
  }

  remove(targetId: string, slot: number): void {
    this.#rows.run('DELETE FROM target_outbox WHERE target_id = ? AND slot = ?', targetId, slot);
  }
}
