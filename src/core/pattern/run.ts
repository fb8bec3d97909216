/**
 * Runs an automaton over a text: all states it can be in advance together, so no text is read twice.
 *
 * What must stay true: between two characters each instruction is visited at most once, however many
 * ways lead to it. So `steps` is at most program length × (characters + 1), and at most one more than
 * `maxSteps`, where it stops without a match.
 */
import { contains } from './char-set.ts';
import type { Program } from './program.ts';

export interface PatternRun {
  readonly matched: boolean;
  /** Instructions visited; the tests bound this instead of a time. */
  readonly steps: number;
}

export function run(program: Program, text: string, maxSteps = Infinity): PatternRun {
  const visitedAt = new Int32Array(program.length).fill(-1);
  const todo: number[] = [];
  let waiting: number[] = [];
  let steps = 0;
  let at = 0;
  let position = 0;

  for (;;) {
    // Unanchored: a match may begin at every position.
    todo.push(0);
    const isEnd = at >= text.length;
    for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
      if (visitedAt[state] === position) continue;
      visitedAt[state] = position;
      steps += 1;
      if (steps > maxSteps) return { matched: false, steps };
      const instruction = program[state];
      if (instruction === undefined) continue;
      if (instruction.op === 'match') return { matched: true, steps };
      if (instruction.op === 'char') waiting.push(state);
      else if (instruction.op === 'fork') todo.push(...instruction.to);
      else if (instruction.op === 'start' ? at === 0 : isEnd) todo.push(state + 1);
    }
    if (isEnd) return { matched: false, steps };

    const codePoint = text.codePointAt(at) ?? 0;
    at += codePoint > 0xffff ? 2 : 1;
    position += 1;
    for (const state of waiting) {
      const instruction = program[state];
      if (instruction?.op === 'char' && contains(instruction.set, codePoint)) todo.push(state + 1);
    }
    waiting = [];
  }
}
