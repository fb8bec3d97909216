/** Inputs that run a command. */
import { isShell } from '../protocol/shell-tools.ts';
import type { CommandLine } from './display.ts';
import type { InputFields } from './input-fields.ts';

const COMMAND_FIELDS = ['command', 'cmd'];
const FOLDERS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'directory', 'dir'];

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
