/**
 * The files that people attach, in rows of `meta`: a row about each, and its bytes as base64 in parts, because a row has at
 * most 2 MB. No table of their own: it would be a page of disk in every session, and few sessions have one.
 */
import type { AttachedFiles, StoredAttachedFile } from '../../session/ports.ts';
import type { Database } from './database.ts';
import { MetaRows } from './meta-rows.ts';
import { PART_DIGITS, splitText } from '../split-text.ts';

const FILE = 'attached';
const PART = 'attached-part';

export class AttachedFileRows implements AttachedFiles {
  readonly #database: Database;
  readonly #meta: MetaRows;

  constructor(database: Database, meta: MetaRows) {
    this.#database = database;
    this.#meta = meta;
  }

  list(): StoredAttachedFile[] {
    return this.#meta.family<StoredAttachedFile>(FILE).map(({ value }) => value);
  }

  find(attachmentId: string): StoredAttachedFile | undefined {
    return this.#meta.get<StoredAttachedFile>(rowOf(attachmentId));
  }

  part(attachmentId: string, part: number): string | undefined {
    const [row] = this.#database.all<{ value: string }>(
      'SELECT value FROM meta WHERE key = ?',
      filePartKey(attachmentId, part),
    );
    return row?.value;
  }

  add(file: StoredAttachedFile, base64: string): void {
    this.#database.transaction(() => {
      this.#meta.put(rowOf(file.attachmentId), file);
      for (const [part, content] of splitText(base64).entries()) {
        this.#database.run(
          'INSERT INTO meta (key, value) VALUES (?, ?)',
          filePartKey(file.attachmentId, part),
          content,
        );
      }
    });
  }

  touch(attachmentId: string, uploadedAt: number): void {
    this.#change(attachmentId, (file) => ({ ...file, uploadedAt }));
  }

  remove(attachmentIds: readonly string[]): void {
    this.#database.transaction(() => {
      for (const id of attachmentIds) {
        this.#meta.remove(rowOf(id));
        this.#meta.removeFamily(`${PART}/${id}`);
      }
    });
  }

  /** Within the transaction of the commit that names them. */
  markUsed(attachmentIds: readonly string[]): void {
    for (const id of attachmentIds) this.#change(id, (file) => ({ ...file, isUsed: true }));
  }

  #change(id: string, change: (file: StoredAttachedFile) => StoredAttachedFile): void {
    const file = this.find(id);
    if (file === undefined) throw new Error(`There is no attached file ${id}`);
    this.#meta.put(rowOf(id), change(file));
  }
}

function rowOf(attachmentId: string): string {
  return `${FILE}/${attachmentId}`;
}

function filePartKey(attachmentId: string, part: number): string {
  return `${PART}/${attachmentId}/${String(part).padStart(PART_DIGITS, '0')}`;
}
