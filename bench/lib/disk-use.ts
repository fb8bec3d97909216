import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

const BLOCK_BYTES = 512;

/** The space that the file system allocates for a folder. */
export function diskMb(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const blocks = entries.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    // The write-ahead log of an object disappears when the object leaves memory, which may be now.
    return entry.isFile() ? (lstatSync(file, { throwIfNoEntry: false })?.blocks ?? 0) : 0;
  });
  return (blocks.reduce((sum, count) => sum + count, 0) * BLOCK_BYTES) / 1_048_576;
}
