/** The files of one session in memory. */
import type { FileChange, FileEntry, SessionFiles, StoredFile } from '../../agent/tools/ports.ts';
import { countBytes } from '../../protocol/bytes.ts';

export class MemoryFiles implements SessionFiles {
  readonly #files = new Map<string, StoredFile>();

  write({ path, content }: FileChange, updatedAt: number): void {
    const size = countBytes(content);
    this.#files.set(path, { path, content, size, updatedAt });
  }

  read(path: string): StoredFile | undefined {
    return this.#files.get(path);
  }

  list(): FileEntry[] {
    const all = [...this.#files.values()].map(({ path, size, updatedAt }) => ({
      path,
      size,
      updatedAt,
    }));
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  clear(): void {
    this.#files.clear();
  }
}
