/** The files that people attach, in memory. */
import type { AttachedFiles, StoredAttachedFile } from '../../session/ports.ts';
import { splitText } from '../split-text.ts';

export class MemoryAttachedFiles implements AttachedFiles {
  readonly #files = new Map<string, StoredAttachedFile>();
  readonly #parts = new Map<string, readonly string[]>();

  list(): StoredAttachedFile[] {
    return [...this.#files.values()].sort((a, b) => (a.attachmentId < b.attachmentId ? -1 : 1));
  }

  find(attachmentId: string): StoredAttachedFile | undefined {
    return this.#files.get(attachmentId);
  }

  part(attachmentId: string, part: number): string | undefined {
    return this.#parts.get(attachmentId)?.[part];
  }

  add(file: StoredAttachedFile, base64: string): void {
    this.#files.set(file.attachmentId, file);
    this.#parts.set(file.attachmentId, splitText(base64));
  }

  touch(attachmentId: string, uploadedAt: number): void {
    this.#change(attachmentId, { uploadedAt });
  }

  remove(attachmentIds: readonly string[]): void {
    for (const id of attachmentIds) {
      this.#files.delete(id);
      this.#parts.delete(id);
    }
  }

  markUsed(attachmentIds: readonly string[]): void {
    for (const id of attachmentIds) this.#change(id, { isUsed: true });
  }

  clear(): void {
    this.#files.clear();
    this.#parts.clear();
  }

  #change(id: string, changes: Partial<StoredAttachedFile>): void {
    const file = this.#files.get(id);
    if (file === undefined) throw new Error(`There is no attached file ${id}`);
    this.#files.set(id, { ...file, ...changes });
  }
}
