/**
 * One check of an input against a schema: what it may still cost, and what it has found.
 *
 * Schema and input are each bounded, their product is not: 1,900 names to look for in 4,900 items are
 * ten million steps. So the check counts its steps and ends when they are used up. It ends as well
 * when it has as many errors as a person reads.
 *
 * A step must not cost more than a few of the cheapest: what grows with a text, a list or an object is
 * charged by its length, kept for the next visit, or made only where it is wanted.
 */
import type { Json } from '../../../protocol/json.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import type { Keywords } from './keywords.ts';
import type { ToolSchema } from './read-schema.ts';

/** `unknown`: this depends on something that is left to the tool, such as a `pattern`. */
export type Verdict = 'fits' | 'unfit' | 'unknown';

/** Where in the input; undefined is the whole of it. */
export interface InputPosition {
  readonly above: InputPosition | undefined;
  readonly step: string | number;
}

/** The members that some schema has judged; kept only where `unevaluated…` asks for the others. */
export interface EvaluatedMembers {
  readonly names: Set<string>;
  readonly items: Set<number>;
  all: boolean;
}

export interface Subject {
  readonly value: Json;
  readonly at: InputPosition | undefined;
  readonly seen: EvaluatedMembers | undefined;
}

export type KeywordJudge = (check: SchemaCheck, part: Keywords, subject: Subject) => Verdict;

export interface SchemaCheck {
  readonly schema: ToolSchema;
  /** What each schema that was met asks of a value. */
  readonly plans: Map<Keywords, readonly KeywordJudge[]>;
  /** The members of each object that was met, of the schema and of the input. */
  readonly members: Map<object, readonly (readonly [string, unknown])[]>;
  steps: number;
  /** Schemas inside one another, on this path. */
  depth: number;
  /** Above 0, a yes or no is all that matters: nothing is written down. */
  quiet: number;
  isOver: boolean;
  readonly errors: Map<string, string>;
}

/** Deeper, the stack of the engine would be the limit. JSON has 32 levels, each a few schemas deep. */
const MAX_SCHEMA_DEPTH = 400;

export function startCheck(schema: ToolSchema): SchemaCheck {
  return {
    schema,
    plans: new Map(),
    members: new Map(),
    steps: LIMITS.schemaSteps,
    depth: 0,
    quiet: 0,
    isOver: false,
    errors: new Map(),
  };
}

/** False when the check is over; then nothing more is worth looking at. */
export function spendSteps(check: SchemaCheck, steps: number): boolean {
  check.steps -= steps;
  if (check.steps < 0 || check.depth > MAX_SCHEMA_DEPTH) check.isOver = true;
  return !check.isOver;
}

/** The steps of looking at all of a text. */
export function textSteps(text: string): number {
  return text.length >>> 4;
}

/** A message that quotes the schema is as long as what it quotes, so it comes as a function. */
export function reportUnfit(
  check: SchemaCheck,
  at: InputPosition | undefined,
  message: string | (() => string),
): Verdict {
  if (check.isOver) return 'unknown';
  if (check.quiet > 0) return 'unfit';
  const pointer = pointerOf(at);
  spendSteps(check, textSteps(pointer));
  const path = truncateError(pointer);
  if (!check.errors.has(path)) {
    check.errors.set(path, truncateError(typeof message === 'string' ? message : message()));
  }
  if (check.errors.size >= LIMITS.schemaErrors) check.isOver = true;
  return 'unfit';
}

/** Of what has to hold together. */
export function combineVerdicts(a: Verdict, b: Verdict): Verdict {
  if (a === 'unfit' || b === 'unfit') return 'unfit';
  return a === 'unknown' ? a : b;
}

/** Nothing that is still to come changes the verdict, or is wanted as an error. */
export function isDecided(check: SchemaCheck, verdict: Verdict): boolean {
  return check.isOver || (verdict === 'unfit' && check.quiet > 0);
}

/** Whether all of them hold; each is looked at as long as it can matter. */
export function judgeEach<T>(
  check: SchemaCheck,
  items: Iterable<T>,
  judge: (item: T) => Verdict,
): Verdict {
  let verdict: Verdict = 'fits';
  for (const item of items) {
    verdict = combineVerdicts(verdict, judge(item));
    if (isDecided(check, verdict)) break;
  }
  return verdict;
}

/** The answer alone: errors inside of it are of one way among several. */
export function withoutErrors(check: SchemaCheck, judge: () => Verdict): Verdict {
  check.quiet += 1;
  const verdict = judge();
  check.quiet -= 1;
  return verdict;
}

/** To write them down on each visit would cost as much as visiting them all. */
export function cachedMembers<Value>(
  { members }: SchemaCheck,
  of: Readonly<Record<string, Value>> | readonly Value[],
): readonly (readonly [string, Value])[] {
  const known = members.get(of) as readonly (readonly [string, Value])[] | undefined;
  if (known !== undefined) return known;
  const found = Object.entries<Value>(of as Readonly<Record<string, Value>>);
  members.set(of, found);
  return found;
}

/** Whether two values are the same JSON: members in any order. */
export function equalJson(check: SchemaCheck, a: Json, b: Json): boolean {
  if (!spendSteps(check, 1)) return false;
  if (typeof a === 'string' && typeof b === 'string') {
    return a.length === b.length && spendSteps(check, textSteps(a)) && a === b;
  }
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const entries = cachedMembers<Json>(check, a);
  if (entries.length !== cachedMembers<Json>(check, b).length) return false;
  return entries.every(
    ([key, value]) =>
      Object.hasOwn(b, key) && equalJson(check, value, (b as Record<string, Json>)[key] as Json),
  );
}

function pointerOf(at: InputPosition | undefined): string {
  const steps: string[] = [];
  for (let position = at; position !== undefined; position = position.above) {
    steps.push(String(position.step).replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return steps.toReversed().join('/');
}

function truncateError(text: string): string {
  return text.length <= LIMITS.schemaErrorChars
    ? text
    : `${text.slice(0, LIMITS.schemaErrorChars - 1).toWellFormed()}…`;
}
