/**
 * Rules by the first words of a command: `npm test` covers `npm test -- x`, and not `npm testify`.
 *
 * Allowing and refusing read the same command differently. A command is allowed only if it is understood whole and every
 * simple command in it is covered. To deny or to ask, one is enough, also behind `sudo`, under another folder and in other
 * letters; what cannot be read for certain is unclear, and a person is asked.
 */
import {
  forwardedWords,
  isGivenCode,
  isInterpreter,
  mayRunAnything,
  nameWhatRuns,
  programName,
  runsWhatFollows,
} from '../../protocol/command-runners.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { ParsedCommand, SimpleCommand } from './parse-command.ts';
import { parseCommand } from './parse-command.ts';
import type { Finding } from './match-rule.ts';

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
  const isOpen = effect === 'allow' && !nameWhatRuns(words.map(({ text: word }) => word));
  return isOpen ? 'These words run any command that follows them; name more of it' : undefined;
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
    const words = command.map(({ text }) => text);
    const forwarded = forwardedWords(words);
    const isRunner = runsWhatFollows(words[0] ?? '');
    const isOpen = isRunner || isGivenAnything(words, forwarded);
    const starts = isRunner || forwarded !== undefined ? command.keys() : [0];
    for (const start of starts) {
      const here = findAt(wanted, command, start);
      if (here === 'yes') return 'yes';
      if (here === 'unclear' || isOpen) found = 'unclear';
    }
  }
  return found;
}

function isGivenAnything(
  words: readonly string[],
  forwarded: readonly string[] | undefined,
): boolean {
  if (forwarded !== undefined) return mayRunAnything(forwarded);
  return isInterpreter(words[0] ?? '') && isGivenCode(words);
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
