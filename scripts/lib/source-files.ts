import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Every .ts and .tsx file below a folder, as paths with forward slashes relative to root. */
export function sourceFiles(root: string, folder: string): string[] {
  const start = path.join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.includes('node_modules/'))
    .toSorted();
}
