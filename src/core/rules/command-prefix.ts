/**
 * Rules by the first words of a command: `npm test` covers `npm test -- x`, and not `npm testify`.
 *
 * Allowing and refusing read the same command differently. A command is allowed only if it is understood whole and every
 * simple command in it is covered. To deny or to ask, one is enough, also behind `sudo`, under another folder and in other
 * letters; what cannot be read for certain is unclear, and a person is asked.
 */
import { LIMITS } from '../../protocol/limits.ts';
import type { ParsedCommand, SimpleCommand } from './parse-command.ts';
import { parseCommand } from './parse-command.ts';
import type { Finding } from './match-rule.ts';

/** They run what follows them, or what they are given as a text. */
const RUNNERS: ReadonlySet<string> = new Set(
  `. bash builtin busybox chroot command dash doas env eval exec find fish ionice ksh nice nohup parallel pkexec script
  setsid sh source ssh stdbuf strace su sudo tcsh time timeout unshare watch xargs zsh`.split(
    /\s+/,
  ),
);
/** With nothing but options behind them they run any code that they are given. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  `awk bun deno gawk lua node npx perl php python python2 python3 ruby tclsh`.split(/\s+/),
);

export function readPrefix(text: string): readonly string[] {
  const [command = []] = parseCommand(text).commands;
  return command.map((word) => word.text);
}

/** Why no rule can have this prefix; undefined for a good one. */
export function prefixProblem(text: string, effect: 'allow' | 'ask' | 'deny'): string | undefined {
  const { commands, isUnderstood } = parseCommand(text);
  const [words = [], ...others] = commands;
  const isPlain = isUnderstood && others.length === 0 && words.every(({ isExact }) => isExact);
  if (!isPlain || words.length === 0 || text.includes('\n') || /[;|&]/.test(text)) {
    return 'Use the first words of one command, without operators, wildcards, variables or assignments';
  }
  if (words.length > LIMITS.ruleCommandWords) return `Use at most ${LIMITS.ruleCommandWords} words`;
  const isOpen = effect === 'allow' && words.every(({ text: word }) => runsAnything(word));
  return isOpen ? 'These words run any command that follows them; name more of it' : undefined;
}

function runsAnything(word: string): boolean {
  const name = programName(word);
  return RUNNERS.has(name) || INTERPRETERS.has(name) || word.startsWith('-') || word.includes('=');
}

export function coversCommand(prefix: readonly string[], command: SimpleCommand): boolean {
  return prefix.every((word, at) => {
    const given = command[at];
    return given?.isExact === true && given.text === word;
  });
}

/** Whether the prefix is anywhere in the command. */
export function findPrefix(prefix: readonly string[], parsed: ParsedCommand): Finding {
  const wanted = prefix.map((word, at) => (at === 0 ? programName(word) : word));
  let found: Finding = parsed.isUnderstood ? 'no' : 'unclear';
  for (const command of parsed.commands) {
    const isRunner = RUNNERS.has(programName(command[0]?.text ?? ''));
    const starts = isRunner ? command.keys() : [0];
    for (const start of starts) {
      const here = findAt(wanted, command, start);
      if (here === 'yes') return 'yes';
      if (here === 'unclear' || isRunner) found = 'unclear';
    }
  }
  return found;
}

function findAt(wanted: readonly string[], command: SimpleCommand, start: number): Finding {
  for (const [at, word] of wanted.entries()) {
    const given = command[start + at];
    if (given === undefined) return 'no';
    if (!given.isExact) return 'unclear';
    const text = at === 0 ? programName(given.text) : given.text;
    if (text !== word) return 'no';
  }
  return 'yes';
}

/** Without its folder, and in small letters: some file systems do not tell letters apart. */
function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}
