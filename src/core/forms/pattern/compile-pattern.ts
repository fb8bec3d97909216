/**
 * Matches untrusted regular expressions in bounded time.
 *
 * A backtracking engine takes exponential time on a pattern such as `^(a+)+$`, and any agent may open a form with such
 * a pattern. Here a pattern becomes an automaton whose states advance together, one character at a time: at most `size`
 * steps for each character, whatever the pattern. Look-around and back-references, which an automaton cannot match, are
 * refused with a sentence when the form opens. Otherwise a pattern has its JavaScript meaning with the flag `u`: it may
 * match anywhere in the text, and characters are code points.
 */
import { parsePattern } from './parse-pattern.ts';
import { type PatternRun, runProgram, toProgram } from './automaton.ts';
import { LIMITS } from '../../../protocol/limits.ts';

export type CompiledPattern =
  | {
      readonly ok: true;
      /** The number of states: the most steps that one character of the text can cost. */
      readonly size: number;
      matches(text: string): boolean;
      /** Stops without a match after more than `maxSteps` steps. */
      match(text: string, maxSteps: number): PatternRun;
    }
  | { readonly ok: false; readonly problem: string };

export function compilePattern(source: string): CompiledPattern {
  if (source.length > LIMITS.patternChars)
    return { ok: false, problem: `A pattern has at most ${LIMITS.patternChars} characters` };
  const parsed = parsePattern(source);
  if (!parsed.ok) return parsed;
  const program = toProgram(parsed.node, LIMITS.patternStates);
  if (program === undefined)
    return { ok: false, problem: 'The pattern is too large; use smaller repetition counts' };
  return {
    ok: true,
    size: program.length,
    matches: (text) => runProgram(program, text).matched,
    match: (text, maxSteps) => runProgram(program, text, maxSteps),
  };
}
