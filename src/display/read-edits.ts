/** Inputs that change files: a text in the place of another, a patch, a whole file. */
import { isObject, type JsonObject } from '../protocol/types.ts';
import { diffLines } from './diff-lines.ts';
import type { DiffHunk, DisplayPart, FileDiff } from './display.ts';
import { CONTENTS, NEW, OLD, PATCHES } from './field-names.ts';
import { InputFields } from './input-fields.ts';
import { readPatch } from './read-patch.ts';

const PATH_FIELDS = ['file_path', 'path', 'filePath', 'notebook_path', 'filename', 'file'];
const ALL = ['replace_all', 'replaceAll'];
/** Tools that store what they are given as a file. */
const WRITES = /write|creat|save|add|put|overwrite|edit|file|notebook/i;

export function readEdits(
  fields: InputFields,
  toolName: string,
): readonly DisplayPart[] | undefined {
  if (fields.peek('command') === 'insert') return readInsertion(fields);
  return readReplacements(fields) ?? readPatchField(fields) ?? readWholeFile(fields, toolName);
}

function readReplacements(fields: InputFields): readonly FileDiff[] | undefined {
  const list = fields.peek('edits');
  const single = fields.has(...OLD) && fields.has(...NEW) ? readHunk(fields) : undefined;
  if (single === undefined && !Array.isArray(list)) return undefined;
  const hunks = single === undefined ? hunksOf(list) : [single];
  if (hunks === undefined) return undefined;
  if (single === undefined) fields.take('edits');
  const path = fields.takeText(...PATH_FIELDS);
  return [{ type: 'diff', path, effect: 'edit', hunks }];
}

/** Undefined unless each entry is a replacement and nothing else. */
function hunksOf(list: unknown): readonly DiffHunk[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const hunks: DiffHunk[] = [];
  for (const one of list) {
    if (!isObject(one)) return undefined;
    const fields = new InputFields(one);
    const hunk = readHunk(fields);
    if (hunk === undefined || !fields.isEmpty) return undefined;
    hunks.push(hunk);
  }
  return hunks;
}

function readHunk(fields: InputFields): DiffHunk | undefined {
  const [before, after] = [fields.peek(...OLD), fields.peek(...NEW)];
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const all = fields.peek(...ALL);
  if (all !== undefined && typeof all !== 'boolean') return undefined;
  for (const names of [OLD, NEW, ALL]) fields.take(...names);
  return {
    lines: diffLines(before, after),
    isNumbered: false,
    replaced: { before, after },
    ...(all === true && { replacesAll: true }),
  };
}

/** The line after which a text is added is known, its neighbors are not. */
function readInsertion(fields: InputFields): readonly FileDiff[] | undefined {
  const after = fields.peek('insert_line');
  const text = fields.peek('insert_text', 'new_str');
  const path = fields.takeText(...PATH_FIELDS);
  if (typeof text !== 'string' || !Number.isSafeInteger(after) || path === undefined)
    return undefined;
  fields.take('insert_line');
  fields.take('insert_text', 'new_str');
  const lines = diffLines('', text, Number(after) + 1);
  return [{ type: 'diff', path, effect: 'edit', hunks: [{ lines, isNumbered: true }] }];
}

function readPatchField(fields: InputFields): readonly FileDiff[] | undefined {
  const name = PATCHES.find((one) => fields.has(one)) ?? '';
  const text = fields.peek(name);
  const files = typeof text === 'string' ? readPatch(text) : undefined;
  if (files === undefined) return undefined;
  fields.take(name);
  return files;
}

function readWholeFile(fields: InputFields, toolName: string): readonly DisplayPart[] | undefined {
  const text = fields.peek(...CONTENTS);
  if (typeof text !== 'string' || !fields.has(...PATH_FIELDS) || !WRITES.test(toolName))
    return undefined;
  const path = fields.takeText(...PATH_FIELDS);
  if (path === undefined) return undefined;
  fields.take(...CONTENTS);
  return [{ type: 'file', path, effect: 'unknown', text }];
}

/** The changed files of Codex: a list with a path, a kind and a diff each. */
export function readChangedFiles(fields: InputFields): readonly DisplayPart[] | undefined {
  const changes = fields.peek('changes');
  if (!Array.isArray(changes) || changes.length === 0) return undefined;
  const parts: DisplayPart[] = [];
  for (const change of changes) {
    const found = isObject(change) ? readChangedFile(change) : undefined;
    if (found === undefined) return undefined;
    parts.push(...found);
  }
  fields.take('changes');
  return parts;
}

function readChangedFile(change: JsonObject): readonly DisplayPart[] | undefined {
  const { path, kind, diff, ...more } = change;
  if (typeof path !== 'string' || typeof diff !== 'string' || Object.keys(more).length > 0)
    return undefined;
  if (!isObject(kind)) return undefined;
  const { type, move_path: movedTo = null, ...other } = kind;
  if (Object.keys(other).length > 0) return undefined;
  switch (type) {
    case 'add':
      return movedTo === null ? [{ type: 'file', path, effect: 'create', text: diff }] : undefined;
    case 'delete': {
      const hunks = [{ lines: diffLines(diff, ''), isNumbered: true }];
      return movedTo === null ? [{ type: 'diff', path, effect: 'delete', hunks }] : undefined;
    }
    case 'update': {
      const files = readPatch(diff);
      const [file] = files ?? [];
      // A patch with a name of its own for the file is shown as it is.
      if (files?.length !== 1 || file === undefined || (file.path ?? path) !== path)
        return undefined;
      if (movedTo !== null && typeof movedTo !== 'string') return undefined;
      if (file.movedTo !== undefined && file.movedTo !== movedTo) return undefined;
      return [{ ...file, path, ...(movedTo !== null && { movedTo }) }];
    }
    default:
      return undefined;
  }
}
