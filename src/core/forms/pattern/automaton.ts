/**
 * Matches untrusted regular expressions in bounded time.
 *
 * A backtracking engine takes exponential time on a pattern such as `^(a+)+$`, and any agent may open a form with such
 * a pattern. Here a pattern becomes an automaton whose states advance together, one character at a time: at most
 * `size` steps for each character, whatever the pattern. Look-around and back-references, which an automaton cannot
 * match, are refused with a sentence when the form opens. Otherwise a pattern has its JavaScript meaning with the flag
 * `u`: it may match anywhere in the text, and characters are code points.
 *
 * The automaton is a list of instructions that jump to one another, the start first. Its size is computed before anything is
 * built: `(a{1000}){1000}` has fifteen characters and would need a million instructions. An empty part counts as one
 * instruction; otherwise a few nested `(){1000}` would have size zero and take years to build.
 */
import { LIMITS } from '../../../protocol/limits.ts';
import { type CharSet, contains, type PatternNode, parsePattern } from './parse-pattern.ts';

type Instruction =
  | { readonly op: 'char'; readonly set: CharSet }
  | { readonly op: 'start' }
  | { readonly op: 'end' }
  | { readonly op: 'fork'; readonly to: readonly number[] }
  | { readonly op: 'match' };
export type Program = readonly Instruction[];

/** Returns undefined when the program would need more than `maxSize` instructions. */
export function toProgram(node: PatternNode, maxSize: number): Program | undefined {
  if (sizeOf(node) + 1 > maxSize) return undefined;
  const program: Instruction[] = [];
  emitNode(node, program);
  program.push({ op: 'match' });
  return program;
}

/** At least the number of instructions that `emitNode` adds for the same node. */
function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
      return Math.max(1, addUp(node.parts.map(sizeOf)));
    case 'choice':
      return 1 + addUp(node.options.map((option) => sizeOf(option) + 1));
    case 'repeat': {
      const size = sizeOf(node.node);
      if (node.max === Infinity) return node.min === 0 ? size + 2 : node.min * size + 1;
      return Math.max(1, node.min * size + (node.max - node.min) * (size + 1));
    }
    default:
      return 1;
  }
}

/** Appends the instructions of `node`; they continue at the next appended instruction. */
function emitNode(node: PatternNode, program: Instruction[]): void {
  switch (node.kind) {
    case 'set':
      program.push({ op: 'char', set: node.set });
      return;
    case 'start':
    case 'end':
      program.push({ op: node.kind });
      return;
    case 'sequence':
      for (const part of node.parts) emitNode(part, program);
      return;
    case 'choice':
      emitChoice(node.options, program);
      return;
    case 'repeat':
      emitRepeat(node, program);
  }
}

function emitChoice(options: readonly PatternNode[], program: Instruction[]): void {
  const fork: number[] = [];
  program.push({ op: 'fork', to: fork });
  const exits: number[][] = [];
  for (const option of options) {
    fork.push(program.length);
    emitNode(option, program);
    const exit: number[] = [];
    exits.push(exit);
    program.push({ op: 'fork', to: exit });
  }
  for (const exit of exits) exit.push(program.length);
}

function emitRepeat(repeat: PatternNode & { kind: 'repeat' }, program: Instruction[]): void {
  const { node, min, max } = repeat;
  let entry = program.length;
  for (let count = 0; count < min; count += 1) {
    entry = program.length;
    emitNode(node, program);
  }
  if (max !== Infinity) emitOptional(node, max - min, program);
  else if (min === 0) emitLoop(node, program);
  // The last copy loops to itself; an extra copy per level would double the size of `((a+)+)+` at each.
  else program.push({ op: 'fork', to: [entry, program.length + 1] });
}

function emitLoop(node: PatternNode, program: Instruction[]): void {
  const entry = program.length;
  const fork: number[] = [entry + 1];
  program.push({ op: 'fork', to: fork });
  emitNode(node, program);
  program.push({ op: 'fork', to: [entry] });
  fork.push(program.length);
}

/** A copy can be skipped only together with all later copies, so one fork for each copy is enough. */
function emitOptional(node: PatternNode, count: number, program: Instruction[]): void {
  const forks: number[][] = [];
  for (let copy = 0; copy < count; copy += 1) {
    const fork = [program.length + 1];
    forks.push(fork);
    program.push({ op: 'fork', to: fork });
    emitNode(node, program);
  }
  for (const fork of forks) fork.push(program.length);
}

function addUp(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

interface PatternRun {
  readonly matched: boolean;
  /** The number of visited instructions; the tests bound this number instead of a time. */
  readonly steps: number;
}

/**
 * Runs an automaton over a text. All its possible states advance together, so each character is read once.
 *
 * Invariant: between two characters each instruction is visited at most once, however many paths lead to it. So `steps`
 * is at most program length × (characters + 1). At `maxSteps` + 1 the run stops without a match.
 */
export function runProgram(program: Program, text: string, maxSteps = Infinity): PatternRun {
  const visitedAt = new Int32Array(program.length).fill(-1);
  const todo: number[] = [];
  let waiting: number[] = [];
  let steps = 0;
  let at = 0;
  let position = 0;

  for (;;) {
    // Unanchored: a match may start at every position.
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
