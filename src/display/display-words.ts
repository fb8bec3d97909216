/** The words beside a display, the same on a card, on the page of an answer link and in a terminal. */
import { t } from '../web/model/language.ts';
import type { DiffHunk, FileDiff, FileText } from './display.ts';

/** Empty for a diff that changes a file: its lines show that. */
export function effectWords({ type, effect }: FileDiff | FileText): string {
  switch (effect) {
    case 'create':
      return t('New file');
    case 'overwrite':
      return t('Overwrites the file');
    case 'delete':
      return t('Deletes the file');
    case 'edit':
      return type === 'file' ? t('Changes the file') : '';
    case 'unknown':
      return type === 'file' ? t('Writes the whole file. Whether it exists is not known.') : '';
  }
}

/** The note on a place beside its lines; empty for a place whose lines are the lines of the file. */
export function hunkWords({ isNumbered, replacesAll, heading }: DiffHunk): string {
  return [
    replacesAll === true && t('Everywhere in the file'),
    !isNumbered && t('Lines counted from the start of this part'),
    heading,
  ]
    .filter((words) => typeof words === 'string')
    .join(' · ');
}
