/**
 * The file tools of the built-in agent: Read, Write, Edit and List.
 *
 * Nothing is written here. The change of a file goes into the transaction of the result that reports it, so that the
 * model never learns of a file that does not exist. The input has passed the schema of its tool, but a person may have
 * changed it since; it is read as unchecked.
 */
import * as z from '../../protocol/schema/zod.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ModelTool } from '../model.ts';
import type { SessionFiles, FileEntry } from './ports.ts';
import {
  linesOf,
  filePathInput,
  FileTextInput,
  findSizeProblem,
  describeFileTool,
  failWith,
  type FileLimits,
  type FileResult,
  describeMissingFile,
  succeedWith,
  succeedAndStore,
} from './file-tool.ts';
import { fitLines } from './fit-text.ts';
import { countBytes } from '../../protocol/bytes.ts';

const ReadFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  offset: z.number().int().min(1).describe('The first line to read; 1 if left out.').optional(),
  limit: z.number().int().min(1).describe('How many lines to read at most.').optional(),
});

const readFileTool = describeFileTool(
  'Read',
  'Read a text file of this session. You get its lines with their numbers. Read a long file in parts.',
  ReadFileInput,
);

/** Room for the notes below the lines. */
const NOTE_CHARS = 200;

/** Gives the lines of a file with their numbers, and the line from which to read on. */
function readFile(
  { path, offset = 1, limit }: z.infer<typeof ReadFileInput>,
  files: SessionFiles,
  { toolOutputChars }: FileLimits,
): FileResult {
  const file = files.read(path);
  if (file === undefined) return failWith(describeMissingFile(path, files.list()));
  if (file.content === '') return succeedWith(`${path} is empty.`);
  const lines = linesOf(file.content);
  const start = offset - 1;
  const wanted = lines.slice(start, limit === undefined ? undefined : start + limit);
  if (wanted.length === 0) {
    return failWith(`${path} has ${lines.length} lines; there is no line ${offset}.`);
  }
  const numbered = wanted.map((line, index) => `${offset + index}\t${line}`);
  const { text, count, isTorn } = fitLines(numbered, toolOutputChars - NOTE_CHARS);
  const last = start + count;
  const notes: string[] = [];
  if (isTorn) notes.push(`Line ${offset} is too long to be shown whole.`);
  if (last < lines.length) {
    const which = count === 1 ? `Line ${last}` : `Lines ${offset} to ${last}`;
    notes.push(`${which} of ${lines.length}. Read on with offset ${last + 1}.`);
  }
  return succeedWith(notes.length === 0 ? text : `${text}\n\n[${notes.join(' ')}]`);
}

const WriteFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  content: FileTextInput.describe('The whole text of the file.'),
});

const writeFileTool = describeFileTool(
  'Write',
  'Write a text file of this session, whole. A file of that path is replaced: read it first if you want to keep anything of it. Use Edit for a small change.',
  WriteFileInput,
);

/** Stores a whole file and replaces an earlier one. */
function writeFile(
  { path, content }: z.infer<typeof WriteFileInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const bytes = countBytes(content);
  const problem = findSizeProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failWith(problem);
  const before = entries.find((entry) => entry.path === path);
  const words =
    before === undefined
      ? `Wrote ${path}, which has ${bytes} bytes.`
      : `Replaced ${path}, which had ${before.size} bytes and now has ${bytes}.`;
  return succeedAndStore(words, { path, content });
}

const EditFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  oldText: FileTextInput.min(1, 'is empty').describe(
    'What is there now, letter for letter, with enough around it to be found once.',
  ),
  newText: FileTextInput.describe('What is to be there instead.'),
  replaceAll: z.boolean().default(false).describe('Replace it wherever it is.'),
});

const editFileTool = describeFileTool(
  'Edit',
  'Replace a piece of text in a file of this session. It has to be in the file exactly as you give it, and once only unless you replace all. Read the file first.',
  EditFileInput,
);

/** Replaces a text in a file, if it is clear which occurrence is meant. */
function editFile(
  { path, oldText, newText, replaceAll }: z.infer<typeof EditFileInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const file = files.read(path);
  if (file === undefined) return failWith(describeMissingFile(path, entries));
  if (oldText === newText)
    return failWith('oldText and newText are the same: nothing would change.');
  const { content } = file;
  const first = content.indexOf(oldText);
  if (first === -1) return failWith(describeNotFound(path, content, oldText));
  const count = countMatches(content, oldText, first);
  if (!replaceAll) {
    const isOnlyOne = content.indexOf(oldText, first + 1) === -1;
    if (!isOnlyOne) return failWith(describeNotUnique(path, count));
  }
  // Computed before the text is built: a file of one repeated letter, each replaced by a page, would exceed memory.
  const bytes = countBytes(content) + count * (countBytes(newText) - countBytes(oldText));
  const problem = findSizeProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failWith(problem);
  const where = count === 1 ? 'one place' : `${count} places`;
  return succeedAndStore(
    `Replaced the text in ${where} of ${path}, which now has ${bytes} bytes.`,
    {
      path,
      // A function: in a string, patterns such as `$&` would have a meaning of their own.
      content: content.replaceAll(oldText, () => newText),
    },
  );
}

/** Counts as `replaceAll` does, without overlaps. */
function countMatches(content: string, piece: string, first: number): number {
  let count = 0;
  for (let at = first; at !== -1; at = content.indexOf(piece, at + piece.length)) count += 1;
  return count;
}

function describeNotFound(path: string, content: string, oldText: string): string {
  const why =
    content.includes('\r\n') && /(^|[^\r])\n/.test(oldText)
      ? 'The lines of this file end with \\r\\n, those of oldText with \\n.'
      : 'It has to match letter for letter, with all spaces and line breaks and without the numbers that Read puts before the lines.';
  return `oldText was not found in ${path}. ${why}`;
}

function describeNotUnique(path: string, count: number): string {
  const times = count === 1 ? 'more than once, overlapping itself' : `${count} times`;
  return `oldText is in ${path} ${times}. Give more of the text around it, or set replaceAll.`;
}

const ListFilesInput = z.strictObject({
  path: filePathInput('A folder; everything if left out').optional(),
});

const listFilesTool = describeFileTool(
  'List',
  'List the files of this session with their sizes.',
  ListFilesInput,
);

/** Room for the text above and below the lines. */
const FRAME_CHARS = 200;

/** Lists the files of the session or of a folder. A folder exists as long as it holds a file. */
function listFiles(
  { path: folder }: z.infer<typeof ListFilesInput>,
  files: SessionFiles,
  { toolOutputChars }: FileLimits,
): FileResult {
  const all = files.list();
  const entries = folder === undefined ? all : all.filter(({ path }) => isIn(folder, path));
  if (entries.length === 0) return describeNoFiles(folder, all);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const lines = entries.map(({ path, size }) => `${size}\t${path}`);
  const { text, count } = fitLines(lines, toolOutputChars - FRAME_CHARS);
  const howMany = entries.length === 1 ? '1 file' : `${entries.length} files`;
  const head = `${howMany}, ${total} bytes together. Bytes and path of each:`;
  const more = entries.length - count;
  const tail = more === 0 ? '' : `\n\n[${more} more. List a folder to see fewer.]`;
  return succeedWith(`${head}\n${text}${tail}`);
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function describeNoFiles(folder: string | undefined, all: readonly FileEntry[]): FileResult {
  if (folder === undefined) return succeedWith('This session has no files yet.');
  if (all.some(({ path }) => path === folder))
    return failWith(`${folder} is a file: Read reads it.`);
  return failWith(`There is no folder ${folder}. List without a path shows all files.`);
}

export const FILE_TOOLS: readonly ModelTool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
];

export interface FileToolCall {
  readonly name: string;
  readonly input: JsonObject;
}

export function runFileTool(
  { name, input }: FileToolCall,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  switch (name) {
    case 'Read':
      return withInput(ReadFileInput, input, (checked) => readFile(checked, files, limits));
    case 'Write':
      return withInput(WriteFileInput, input, (checked) => writeFile(checked, files, limits));
    case 'Edit':
      return withInput(EditFileInput, input, (checked) => editFile(checked, files, limits));
    case 'List':
      return withInput(ListFilesInput, input, (checked) => listFiles(checked, files, limits));
    default:
      return rejectUnknownTool(name);
  }
}

function withInput<Input>(
  schema: z.ZodType<Input>,
  input: JsonObject,
  run: (input: Input) => FileResult,
): FileResult {
  const parsed = schema.safeParse(input);
  if (parsed.success) return run(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  return failWith(`The input cannot be used: ${problems.join('; ')}.`);
}

/** A stored call may name a tool of another version. */
function rejectUnknownTool(name: string): FileResult {
  return failWith(`There is no tool ${name} for files.`);
}
