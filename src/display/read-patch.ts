/**
 * A patch as the files that it changes: a unified one (`git diff`), or one of `apply_patch`.
 *
 * Every line of the text becomes a line of a diff or a note beside it. A text with a line that could be meant otherwise,
 * such as an added one outside its hunk, is no patch here and is shown as it is: a program that applies it may read it
 * differently.
 */
import type { DiffHunk, FileDiff, FileEffect } from './display.ts';
import type { DiffLine } from './diff-lines.ts';

/** Undefined for a text that is no patch, or not one for certain. */
export function readPatch(text: string): readonly FileDiff[] | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines[0] === BEGIN ? readApplyPatch(lines) : readUnified(lines);
}

interface FileDraft {
  path: string | undefined;
  movedTo?: string;
  effect: FileEffect;
  hunks: DiffHunk[];
}

interface HunkDraft extends DiffHunk {
  readonly lines: DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const SIGN_MARKS: Readonly<Record<string, 'same' | 'gone' | 'new'>> = {
  ' ': 'same',
  '-': 'gone',
  '+': 'new',
};

function readUnified(lines: readonly string[]): readonly FileDiff[] | undefined {
  const files: FileDraft[] = [];
  let notes: DiffLine[] = [];
  let file: FileDraft | undefined;
  let hunk:
    | (HunkDraft & { old: number; now: number; oldLeft: number; newLeft: number })
    | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (hunk !== undefined && hunk.oldLeft + hunk.newLeft > 0 && !line.startsWith('\\')) {
      const mark = SIGN_MARKS[line.charAt(0) || ' '];
      if (mark === undefined) return undefined;
      const text = line.slice(1);
      if (mark !== 'new') hunk.oldLeft -= 1;
      if (mark !== 'gone') hunk.newLeft -= 1;
      if (hunk.oldLeft < 0 || hunk.newLeft < 0) return undefined;
      hunk.lines.push({
        mark,
        text,
        ...(mark !== 'new' && { old: hunk.old }),
        ...(mark !== 'gone' && { now: hunk.now }),
      });
      if (mark !== 'new') hunk.old += 1;
      if (mark !== 'gone') hunk.now += 1;
      continue;
    }
    const [, old = '', oldCount = '1', now = '', newCount = '1', heading = ''] =
      HUNK.exec(line) ?? [];
    if (old !== '') {
      file ??= addFile(files, undefined, 'edit');
      hunk = {
        lines: notes,
        isNumbered: true,
        ...(heading.trim() !== '' && { heading: heading.trim() }),
        old: Number(old),
        now: Number(now),
        oldLeft: Number(oldCount),
        newLeft: Number(newCount),
      };
      notes = [];
      file.hunks.push(hunk);
      continue;
    }
    const after = lines[at + 1] ?? '';
    if (line.startsWith('--- ') && after.startsWith('+++ ')) {
      const [from, to] = [patchPath(line), patchPath(after)];
      const effect = from === undefined ? 'create' : to === undefined ? 'delete' : 'edit';
      file = addFile(files, from ?? to, effect);
      if (from !== undefined && to !== undefined && from !== to) file.movedTo = to;
      hunk = undefined;
      // What stands after the path, such as a time, is a note.
      for (const one of [line, after]) if (one.includes('\t')) notes.push(noteOf(one));
      at += 1;
      continue;
    }
    if (line.startsWith('\\') && hunk !== undefined) {
      hunk.lines.push(noteOf(line));
      continue;
    }
    if (/^[-+ ]/.test(line)) return undefined;
    notes.push(noteOf(line));
  }
  const isWhole = hunk === undefined || hunk.oldLeft + hunk.newLeft === 0;
  const found = files.some(({ hunks }) => hunks.length > 0);
  if (!isWhole || !found) return undefined;
  if (notes.length > 0) files.at(-1)?.hunks.push({ lines: notes, isNumbered: true });
  return files.map(closeFile);
}

const BEGIN = '*** Begin Patch';

function readApplyPatch(lines: readonly string[]): readonly FileDiff[] | undefined {
  if (lines.at(-1) !== '*** End Patch') return undefined;
  const files: FileDraft[] = [];
  let file: FileDraft | undefined;
  let hunk: HunkDraft | undefined;
  const begin = (heading = '') => {
    hunk = { lines: [], isNumbered: false, ...(heading !== '' && { heading }) };
    file?.hunks.push(hunk);
    return hunk;
  };
  for (const line of lines.slice(1, -1)) {
    const [, verb = '', path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    const [, movedTo] = /^\*\*\* Move to: (.+)$/.exec(line) ?? [];
    if (verb !== '') {
      hunk = undefined;
      file = addFile(
        files,
        path,
        verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'edit',
      );
    } else if (file === undefined || file.effect === 'delete') return undefined;
    else if (movedTo !== undefined && file.hunks.length === 0 && file.effect === 'edit') {
      file.movedTo = movedTo;
    } else if (file.effect === 'create') {
      if (!line.startsWith('+')) return undefined;
      const open: HunkDraft = hunk ?? begin();
      open.lines.push({ mark: 'new', text: line.slice(1), now: open.lines.length + 1 });
    } else if (line === '@@' || line.startsWith('@@ ')) begin(line.slice(3));
    else if (line === '*** End of File') (hunk ?? begin()).lines.push(noteOf(line));
    else {
      const mark = SIGN_MARKS[line.charAt(0) || ' '];
      if (mark === undefined) return undefined;
      (hunk ?? begin()).lines.push({ mark, text: line.slice(1) });
    }
  }
  return files.length === 0 ? undefined : files.map(closeFile);
}

function addFile(files: FileDraft[], path: string | undefined, effect: FileEffect): FileDraft {
  const file: FileDraft = { path, effect, hunks: [] };
  files.push(file);
  return file;
}

function closeFile({ path, movedTo, effect, hunks }: FileDraft): FileDiff {
  return {
    type: 'diff',
    path,
    effect,
    ...(movedTo !== undefined && { movedTo }),
    hunks: hunks.map(({ lines, isNumbered, heading }) => ({
      lines: isNumbered ? lines : numberPatchLines(lines),
      isNumbered,
      ...(heading !== undefined && { heading }),
    })),
  };
}

/** From the beginning of the hunk. */
function numberPatchLines(lines: readonly DiffLine[]): DiffLine[] {
  let [old, now] = [0, 0];
  return lines.map(({ mark, text }) => {
    if (mark === 'note') return { mark, text };
    if (mark !== 'new') old += 1;
    if (mark !== 'gone') now += 1;
    return { mark, text, ...(mark !== 'new' && { old }), ...(mark !== 'gone' && { now }) };
  });
}

/** Of a line that begins with `---` or `+++`; undefined for a file that does not exist. */
function patchPath(line: string): string | undefined {
  const path = line.slice(4).split('\t', 1)[0] ?? '';
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}

function noteOf(text: string): DiffLine {
  return { mark: 'note', text };
}
