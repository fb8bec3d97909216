/**
 * Matches untrusted regular expressions in bounded time.
 *
 * A backtracking engine takes exponential time on a pattern such as `^(a+)+$`, and any agent may open a
 * form with one. Here a pattern becomes an automaton and all its states advance together, one
 * character at a time: at most `size` steps a character, whatever the pattern. What an automaton
 * cannot do (look-around, back-references) is refused when the form is opened, with a sentence that
 * says so. Otherwise a pattern means what it means in JavaScript with the flag `u`: it may match
 * anywhere in the text, and characters are code points.
 */
import { parsePattern } from './parse-pattern.ts';
import { type PatternRun, runProgram, toProgram } from './automaton.ts';
import { LIMITS } from '../../../protocol/limits.ts';

export type CompiledPattern =
  | {
      readonly ok: true;
      /** States of the automaton: the most steps that one character of the text can cost. */
      readonly size: number;
      matches(text: string): boolean;
      /** Stops once it has taken more than `maxSteps`, and has not matched then. */
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
