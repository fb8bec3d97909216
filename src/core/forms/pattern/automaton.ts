/**
 * A pattern tree as an automaton: a list of instructions, the start first, that jump to one another.
 *
 * The size is computed before anything is built: `(a{1000}){1000}` is twelve characters and would be a
 * million instructions. A part that matches nothing counts as one, or `(){1000}` nested a few times
 * would cost no states and years to build.
 */
import { type CharSet, contains } from './char-set.ts';
import type { PatternNode } from './parse-pattern.ts';

type Instruction =
  | { readonly op: 'char'; readonly set: CharSet }
  | { readonly op: 'start' }
  | { readonly op: 'end' }
  | { readonly op: 'fork'; readonly to: readonly number[] }
  | { readonly op: 'match' };
export type Program = readonly Instruction[];

/** Undefined when it would need more than `maxSize` instructions. */
export function toProgram(node: PatternNode, maxSize: number): Program | undefined {
  if (sizeOf(node) + 1 > maxSize) return undefined;
  const program: Instruction[] = [];
  emitNode(node, program);
  program.push({ op: 'match' });
  return program;
}

/** Never less than what `emit` adds for the same node. */
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

/** Appends the instructions of `node`; it goes on with whatever is appended next. */
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
  // The last copy goes round again, so that `((a+)+)+` does not double at every level.
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

/** Each further copy can be left out, and with it all that follow: one fork a copy, no more. */
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

/**
 * Runs an automaton over a text: all states it can be in advance together, so no text is read twice.
 *
 * What must stay true: between two characters each instruction is visited at most once, however many
 * ways lead to it. So `steps` is at most program length × (characters + 1), and at most one more than
 * `maxSteps`, where it stops without a match.
 */
export interface PatternRun {
  readonly matched: boolean;
  /** Instructions visited; the tests bound this instead of a time. */
  readonly steps: number;
}

export function runProgram(program: Program, text: string, maxSteps = Infinity): PatternRun {
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
