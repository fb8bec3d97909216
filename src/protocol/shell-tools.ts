/**
 * Tools that run any text, by their names, which are all that is known about them. A rule for every call of such a tool
 * allows everything, so a person confirms it in a separate step.
 *
 * A wrong entry costs one press; a missing one lets a shell through without the warning.
 */
import { deferPattern } from './defer-pattern.ts';

const SHELL_WORDS: ReadonlySet<string> = new Set([
  'bash',
  'cmd',
  'command',
  'commands',
  'console',
  'eval',
  'exec',
  'execute',
  'fish',
  'powershell',
  'process',
  'pwsh',
  'python',
  'repl',
  'script',
  'sh',
  'shell',
  'spawn',
  'ssh',
  'subprocess',
  'sudo',
  'terminal',
  'zsh',
]);

/** Also matches a word in a longer name: `mcp__host__run_command`, `BashTool`, `execute-shell`. */
export function isShell(toolName: string): boolean {
  const words = toolWords(toolName);
  return isRun(words) || words.some((word) => SHELL_WORDS.has(word) || word.endsWith('shell'));
}

/** As a whole name; in a longer one the word says nothing (`run_tests`). */
function isRun(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === 'run';
}

const INSIDE_CAMEL_CASE = deferPattern(String.raw`(\p{Ll})(\p{Lu})`, 'gu');
const BETWEEN_WORDS = deferPattern(String.raw`[^\p{L}]+`, 'u');

function toolWords(toolName: string): string[] {
  return toolName.replaceAll(INSIDE_CAMEL_CASE(), '$1 $2').toLowerCase().split(BETWEEN_WORDS());
}

/** Their command lines have the grammar that rules read, unless another word of the name says otherwise. */
const POSIX_WORDS: ReadonlySet<string> = new Set([
  'bash',
  'command',
  'exec',
  'execute',
  'fish',
  'sh',
  'shell',
  'terminal',
  'zsh',
]);
const OTHER_GRAMMARS: ReadonlySet<string> = new Set([
  'cmd',
  'console',
  'eval',
  'node',
  'power',
  'python',
  'repl',
  'script',
  'sql',
  'ssh',
  'windows',
]);

/** Whether `command` of this tool is the line of a POSIX shell. */
export function readsPosix(toolName: string): boolean {
  const words = toolWords(toolName);
  const isOther = (word: string) => /.sh(ell)?$/.test(word) && !POSIX_WORDS.has(word);
  return (
    (isRun(words) || words.some((word) => POSIX_WORDS.has(word))) &&
    !words.some((word) => OTHER_GRAMMARS.has(word) || isOther(word))
  );
}
