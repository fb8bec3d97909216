/**
 * The inputs that are too large for a record, in rows of `meta`: each in parts, because a row has at most 2 MB. No table of
 * their own: it would be a page of disk in every session, and few sessions have one.
 */
import type { HeldInputs } from '../../session/ports.ts';
import type { TableRows } from './database.ts';
import { PART_DIGITS, splitText } from '../split-text.ts';

const FAMILY = "key > 'input/' AND key < 'input0'";

export class HeldInputRows implements HeldInputs {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  write(interactionId: string, text: string): void {
    for (const [part, content] of splitText(text).entries()) {
      this.#rows.run(
        'INSERT INTO meta (key, value) VALUES (?, ?)',
        inputPartKey(interactionId, part),
        content,
      );
    }
  }

  part(interactionId: string, part: number): string | undefined {
    const [row] = this.#rows.all<{ value: string }>(
      'SELECT value FROM meta WHERE key = ?',
      inputPartKey(interactionId, part),
    );
    return row?.value;
  }

  bytes(): number {
    const [row] = this.#rows.all<{ bytes: number | null }>(
      `SELECT sum(octet_length(value)) AS bytes FROM meta WHERE ${FAMILY}`,
    );
    return row?.bytes ?? 0;
  }
}

function inputPartKey(interactionId: string, part: number): string {
  return `input/${interactionId}/${String(part).padStart(PART_DIGITS, '0')}`;
}
