/** What the model is told of a file that is not there: paths are misremembered more often than files are lost. */
import type { FileEntry } from '../tool-ports.ts';

const NEAR = 5;

export function missingFile(path: string, entries: readonly FileEntry[]): string {
  if (entries.length === 0) return `There is no file ${path}. This session has no files yet.`;
  const near = nearPaths(path, entries);
  const nearby = near.length === 0 ? '' : ` Near it: ${near.join(', ')}.`;
  return `There is no file ${path}.${nearby} List shows all files.`;
}

/** Files of the same name first, then those of the same folder. */
function nearPaths(path: string, entries: readonly FileEntry[]): readonly string[] {
  const paths = entries.map((entry) => entry.path);
  const namesakes = paths.filter((other) => nameOf(other) === nameOf(path));
  const neighbors = paths.filter((other) => folderOf(other) === folderOf(path));
  return [...new Set([...namesakes, ...neighbors])].slice(0, NEAR);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1).toLowerCase();
}
