/** The words beside a display, the same on a card, on the page of an answer link and in a terminal. */
import type { DiffHunk, FileDiff, FileEffect, FileText } from './display.ts';

export function effectWords(part: FileDiff | FileText): string {
  return (part.type === 'file' ? FILE_EFFECTS : DIFF_EFFECTS)[part.effect];
}

const FILE_EFFECTS: Readonly<Record<FileEffect, string>> = {
  unknown: 'Writes the whole file. Whether it exists is not known.',
  create: 'New file',
  overwrite: 'Overwrites the file',
  edit: 'Changes the file',
  delete: 'Deletes the file',
};

const DIFF_EFFECTS: Readonly<Record<FileEffect, string>> = {
  ...FILE_EFFECTS,
  edit: '',
  unknown: '',
};

/** What to know of a place beside its lines; empty for a place whose lines are those of the file. */
export function hunkWords({ isNumbered, replacesAll, heading }: DiffHunk): string {
  return [
    replacesAll === true && 'Everywhere in the file',
    !isNumbered && 'Lines counted from the start of this part',
    heading,
  ]
    .filter((words) => typeof words === 'string')
    .join(' · ');
}
