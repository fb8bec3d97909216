/** `List` lists the files of the session or of a folder. A folder exists as long as it holds a file. */
import * as z from 'zod';
import type { FileEntry, SessionFiles } from './ports.ts';
import { filePathInput } from './file-rules.ts';
import {
  describeFileTool,
  failWith,
  type FileLimits,
  type FileResult,
  succeedWith,
} from './file-tool.ts';
import { fitLines } from './fit-text.ts';

export const ListFilesInput = z.strictObject({
  path: filePathInput('A folder; everything if left out').optional(),
});

export const listFilesTool = describeFileTool(
  'List',
  'List the files of this session with their sizes.',
  ListFilesInput,
);

/** Room for the text above and below the lines. */
const FRAME_CHARS = 200;

export function listFiles(
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
