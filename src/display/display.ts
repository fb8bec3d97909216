/**
 * What a person reads of the input of a tool: an edit as a diff, a command as a command, a file as a file.
 *
 * A display is complete: each field of the input is in a part, in a fact or in `rest`, letter for letter. What is not
 * understood for certain stays in `rest`, so a wrong guess costs a plainer view and hides nothing.
 */
import type { JsonObject } from '../protocol/types.ts';
import type { DiffLine } from './diff-lines.ts';
import { t } from '../web/model/language.ts';

export interface InputDisplay {
  readonly parts: readonly DisplayPart[];
  /** Small fields that belong to the parts: a timeout, a flag. */
  readonly facts: readonly DisplayFact[];
  readonly rest: JsonObject;
}

export type DisplayPart = FileDiff | FileText | CommandLine | WebAddress;

export interface DisplayFact {
  readonly name: string;
  readonly text: string;
}

/** `unknown`: the input does not say whether the file exists. */
export type FileEffect = 'edit' | 'create' | 'overwrite' | 'delete' | 'unknown';

export interface FileDiff {
  readonly type: 'diff';
  readonly path: string | undefined;
  readonly movedTo?: string | undefined;
  readonly effect: FileEffect;
  readonly hunks: readonly DiffHunk[];
}

/** One place of a file. The lines between two places are not known. */
export interface DiffHunk {
  readonly lines: readonly DiffLine[];
  /** The numbers count from the beginning of the file; otherwise from the beginning of the hunk. */
  readonly isNumbered: boolean;
  /** Wherever the text stands, not in one place. */
  readonly replacesAll?: boolean;
  /** The two texts of an edit that replaces one by the other. */
  readonly replaced?: { readonly before: string; readonly after: string };
  /** All lines of the file: the unchanged ones are not in the input. */
  readonly isWholeFile?: boolean;
  /** Words of a patch about the place, such as the name of a function. */
  readonly heading?: string;
}

/** A whole file. */
export interface FileText {
  readonly type: 'file';
  readonly path: string | undefined;
  readonly effect: FileEffect;
  readonly text: string;
}

export interface CommandLine {
  readonly type: 'command';
  readonly text: string;
  /** The program that reads the text, where the input names one: `bash -lc`. */
  readonly runner?: string;
  readonly cwd?: string;
}

export interface WebAddress {
  readonly type: 'address';
  readonly url: string;
  readonly method?: string;
  readonly host: string;
  /** Part of the host is written in letters of another alphabet. */
  readonly isPunycode: boolean;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * The words beside a display, the same on a card, on the page of an answer link and in a terminal. Empty for a diff that
 * changes a file: its lines show that.
 */
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
