/**
 * A settings file of another program, read and replaced whole.
 *
 * 1. A reader never finds half of it: the new text is written beside it and moved into place, with the mode of the old one.
 * 2. A link stays a link, as people who keep their settings in a repository have them; its file is replaced. In a project,
 *    which others may have written, a link must not lead out of the project.
 * 3. What is not the JSON of an object is not changed.
 */
import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isObject, type JsonObject } from '../protocol/types.ts';
import { CliError, describeCause } from './exit-code.ts';

export interface SettingsFile {
  /** As it is named. */
  readonly file: string;
  /** Where it really is. */
  readonly target: string;
  /** Undefined: there is none yet. */
  readonly text: string | undefined;
  readonly mode: number;
  readonly settings: JsonObject;
}

const FRESH_MODE = 0o600;

/** `within`: the folder that a link may not leave. */
export async function readSettings(file: string, within?: string): Promise<SettingsFile> {
  const target = await resolveTarget(file);
  if (within !== undefined) await checkInside(file, target, within);
  const fresh = { file, target, text: undefined, mode: FRESH_MODE, settings: {} };
  let text: string;
  let mode: number;
  try {
    text = await readFile(target, 'utf8');
    mode = (await stat(target)).mode & 0o7777;
  } catch (cause) {
    if (isMissing(cause)) return fresh;
    throw new CliError(`${file} cannot be read (${describeCause(cause)}); nothing was changed.`);
  }
  return { file, target, text, mode, settings: parseSettings(file, text) };
}

function parseSettings(file: string, text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The message of the parser quotes the file, which may hold secrets.
    throw new CliError(`${file} is not JSON; mend it first. Nothing was changed.`);
  }
  if (isObject(value)) return value;
  throw new CliError(`${file} is not the JSON of an object; nothing was changed.`);
}

/** In the form of the old text: its indentation, and whether it ends with a line. */
export function formatSettings({ text }: Pick<SettingsFile, 'text'>, settings: JsonObject): string {
  const indent = /^[ \t]+(?=")/m.exec(text ?? '')?.[0] ?? '  ';
  const end = text === undefined || text === '' || text.endsWith('\n') ? '\n' : '';
  return JSON.stringify(settings, null, indent) + end;
}

/** Undefined removes the file. */
export async function replaceSettings(
  { file, target, mode, text: before }: SettingsFile,
  text: string | undefined,
): Promise<void> {
  const now = await readFile(target, 'utf8').catch((cause: unknown) => {
    if (isMissing(cause)) return undefined;
    throw cause;
  });
  if (now !== before) {
    throw new CliError(`${file} was changed in the meantime; run the command again.`);
  }
  if (text === undefined) return rm(target, { force: true });
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = path.join(folder, `.${path.basename(target)}.${process.pid}`);
  try {
    await access(folder, constants.W_OK);
    await rm(fresh, { force: true });
    await writeFile(fresh, text, { mode, flag: 'wx' });
    await rename(fresh, target);
  } catch (cause) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw new CliError(`${file} cannot be written (${describeCause(cause)}).`);
  }
}

async function resolveTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (cause) {
    if (isMissing(cause)) return file;
    throw new CliError(`${file} cannot be read (${describeCause(cause)}); nothing was changed.`);
  }
}

async function checkInside(file: string, target: string, within: string): Promise<void> {
  const root = await realpath(within);
  const folder = await realpath(path.dirname(target)).catch(() => root);
  const relative = path.relative(root, path.join(folder, path.basename(target)));
  if (!relative.startsWith('..') && !path.isAbsolute(relative)) return;
  throw new CliError(`${file} is a link that leads out of this folder; nothing was changed.`);
}

function isMissing(cause: unknown): boolean {
  const { code } = cause as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}
