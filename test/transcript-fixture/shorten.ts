/**
 * A transcript as it is kept here: lines of the conversation as they were written, and in all others long texts and lists
 * cut, because they are the program's instructions to its model. Folders and the system of
 * this machine get other names.
 */
import { release } from 'node:os';
import { isObject } from '../../src/protocol/types.ts';

const KEPT_CHARS = 80;
const KEPT_ITEMS = 3;

export function shorten(
  text: string,
  isConversation: (line: Record<string, unknown>) => boolean,
  folder: string,
): string {
  const renamed = text
    .replaceAll(folder, '/home/mia')
    .replaceAll(folder.replaceAll('/', '-'), '-home-mia')
    .replaceAll(release(), '6.1.0');
  return renamed
    .split('\n')
    .map((written) => {
      if (written === '') return written;
      const line = JSON.parse(written) as Record<string, unknown>;
      return isConversation(line) ? written : JSON.stringify(cut(line));
    })
    .join('\n');
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > KEPT_CHARS ? `${value.slice(0, KEPT_CHARS)}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, KEPT_ITEMS).map(cut);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
}
