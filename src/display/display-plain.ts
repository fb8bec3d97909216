/**
 * The display of a command, and of an input that is only fields: what most requests are, and what a page shows before it
 * has the readers of diffs.
 */
import type { JsonObject } from '../protocol/types.ts';
import { isShell } from '../protocol/shell-tools.ts';
import type { CommandLine, DisplayFact, InputDisplay } from './display.ts';
import { READ_LATER } from './field-names.ts';
import { InputFields } from './input-fields.ts';

/** The display that `displayInput` chooses; undefined where a field may be of an edit or an address. */
export function displayPlain(toolName: string, input: JsonObject): InputDisplay | undefined {
  const fields = new InputFields(input);
  if (fields.has(...READ_LATER)) return undefined;
  const parts = readCommand(fields, toolName);
  if (parts === undefined) return { parts: [], facts: [], rest: input };
  return { parts, facts: takeFacts(fields), rest: fields.rest() };
}

const FACT =
  /^command$|time_?out|background|escalated|dry_?run|replacements|recursive|encoding|mode$/i;
const FACT_CHARS = 60;

/** Flags and numbers, and short texts of some names. */
export function takeFacts(fields: InputFields): DisplayFact[] {
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

const COMMAND_FIELDS = ['command', 'cmd'];
const FOLDERS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'directory', 'dir'];

/** Inputs that run a command. */
export function readCommand(
  fields: InputFields,
  toolName: string,
): readonly CommandLine[] | undefined {
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
