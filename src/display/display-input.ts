/**
 * Chooses the display of an input by its fields, and by the name of the tool where the fields are not enough. It knows the
 * tools of Claude Code, Codex, Gemini, OpenCode and the common MCP servers, and the built-in agent's.
 */
import type { JsonObject } from '../protocol/types.ts';
import type { DisplayFact, DisplayPart, InputDisplay, WebAddress, CommandLine } from './display.ts';
import { readChangedFiles, readEdits } from './read-edits.ts';
import { InputFields } from './input-fields.ts';
import { isShell } from '../protocol/shell-tools.ts';

type ReadParts = (fields: InputFields, toolName: string) => readonly DisplayPart[] | undefined;

const READERS: readonly ReadParts[] = [readEdits, readChangedFiles, readCommand, readAddress];

export function displayInput(toolName: string, input: JsonObject): InputDisplay {
  for (const read of READERS) {
    const fields = new InputFields(input);
    const parts = read(fields, toolName);
    if (parts !== undefined && parts.length > 0)
      return { parts, facts: takeFacts(fields), rest: fields.rest() };
  }
  return { parts: [], facts: [], rest: input };
}

const FACT =
  /^command$|time_?out|background|escalated|dry_?run|replacements|recursive|encoding|mode$/i;
const FACT_CHARS = 60;

/** Flags and numbers, and short texts of some names. */
function takeFacts(fields: InputFields): DisplayFact[] {
  const facts: DisplayFact[] = [];
  for (const [name, value] of Object.entries(fields.rest())) {
    const isSmall =
      typeof value === 'boolean' ||
      typeof value === 'number' ||
      (typeof value === 'string' && value !== '' && value.length <= FACT_CHARS);
    if (!isSmall || !FACT.test(name) || /[\n\t]/.test(String(value))) continue;
    fields.take(name);
    facts.push({ name, text: factText(name, value) });
  }
  return facts;
}

function factText(name: string, value: unknown): string {
  const isMs = typeof value === 'number' && /time_?out(_?ms)?$/i.test(name) && value >= 1_000;
  if (!isMs) return String(value);
  const seconds = value / 1_000;
  return `${value} (${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`})`;
}

/** Inputs that request an address of the web. */
const ADDRESSES = ['url', 'uri', 'href', 'endpoint'];
/** Blanks, control characters and backslashes, which the URL standard drops or reads as something else. */
const MISREAD = /[\s\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** `URL` takes the square of the length of a host in another script. */
const WEB_AUTHORITY = /^https?:\/\/([^/?#]{1,300})(?=[/?#]|$)/i;

function readAddress(fields: InputFields): readonly WebAddress[] | undefined {
  const text = fields.peek(...ADDRESSES);
  if (typeof text !== 'string' || MISREAD.test(text) || !WEB_AUTHORITY.test(text)) return undefined;
  const url = parse(text);
  if (url === undefined) return undefined;
  fields.take(...ADDRESSES);
  const method = fields.takeText('method');
  const { host, hostname, pathname, hash, searchParams } = url;
  return [
    {
      type: 'address',
      url: text,
      host,
      isPunycode: hostname.split('.').some((label) => label.startsWith('xn--')),
      path: decode(pathname) + decode(hash),
      query: [...searchParams],
      ...(method !== undefined && { method }),
    },
  ];
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Inputs that run a command. */
const COMMAND_FIELDS = ['command', 'cmd'];
const FOLDERS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'directory', 'dir'];

function readCommand(fields: InputFields, toolName: string): readonly CommandLine[] | undefined {
  if (!isShell(toolName)) return undefined;
  const command = fields.peek(...COMMAND_FIELDS);
  const line = typeof command === 'string' ? { text: command } : readCommandWords(command);
  if (line === undefined || line.text === '') return undefined;
  fields.take(...COMMAND_FIELDS);
  const cwd = fields.takeText(...FOLDERS);
  return [{ type: 'command', ...line, ...(cwd !== undefined && { cwd }) }];
}

const SHELL_PATH = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|fi)?sh$/;

/** A command as its words, as Codex has it. */
function readCommandWords(words: unknown): Pick<CommandLine, 'text' | 'runner'> | undefined {
  if (!Array.isArray(words) || words.length === 0) return undefined;
  if (!words.every((word): word is string => typeof word === 'string')) return undefined;
  const [program = '', flag = '', script = ''] = words;
  if (words.length === 3 && SHELL_PATH.test(program) && /^-l?c$/.test(flag))
    return { text: script, runner: `${program} ${flag}` };
  return { text: words.map(quoteWord).join(' ') };
}

/** As a shell reads it back. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
