/**
 * One check of an input against a schema: the steps that are left and the errors so far.
 *
 * Schema and input are each bounded, but their product is not: 1,900 required names in each of 4,900 items are ten
 * million steps. So the check counts its steps and ends when none is left, or when it has as many errors as a person
 * reads.
 *
 * All steps must cost about the same time. Work that grows with a text, a list or an object is therefore charged by
 * length, cached for the next visit, or done only when its result is needed.
 */
import type { Json } from '../../../protocol/json.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import type { Keywords } from './keywords.ts';
import type { ToolSchema } from './read-schema.ts';

/** `unknown`: the verdict depends on a keyword that the tool checks, such as `pattern`. */
export type Verdict = 'fits' | 'unfit' | 'unknown';

/** A path in the input as a linked list; undefined is the whole input. */
export interface InputPosition {
  readonly above: InputPosition | undefined;
  readonly step: string | number;
}

/** The members that a schema has judged; recorded only where `unevaluated…` judges the remaining ones. */
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
  /** The judges that each visited schema needs. */
  readonly plans: Map<Keywords, readonly KeywordJudge[]>;
  /** The members of each visited object, of the schema and of the input. */
  readonly members: Map<object, readonly (readonly [string, unknown])[]>;
  steps: number;
  /** How many schemas enclose the present one. */
  depth: number;
  /** Above 0 only the verdict counts and errors are not recorded. */
  quiet: number;
  isOver: boolean;
  readonly errors: Map<string, string>;
}

/** Ends the check before the engine's stack overflows. An input has 32 levels, each a few schemas deep. */
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

/** Returns false when the check is over; the caller then stops. */
export function spendSteps(check: SchemaCheck, steps: number): boolean {
  check.steps -= steps;
  if (check.steps < 0 || check.depth > MAX_SCHEMA_DEPTH) check.isOver = true;
  return !check.isOver;
}

/** The cost of reading a whole text. */
export function textSteps(text: string): number {
  return text.length >>> 4;
}

/** A message that quotes the schema can be long, so the caller passes a function that builds it on demand. */
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

/** The verdict of two conditions that must both hold. */
export function combineVerdicts(a: Verdict, b: Verdict): Verdict {
  if (a === 'unfit' || b === 'unfit') return 'unfit';
  return a === 'unknown' ? a : b;
}

/** Whether further work can neither change the verdict nor add a wanted error. */
export function isDecided(check: SchemaCheck, verdict: Verdict): boolean {
  return check.isOver || (verdict === 'unfit' && check.quiet > 0);
}

/** Judges items that must all fit; stops once the verdict is decided. */
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

/** For one of several alternatives: its verdict counts, its errors would mislead. */
export function withoutErrors(check: SchemaCheck, judge: () => Verdict): Verdict {
  check.quiet += 1;
  const verdict = judge();
  check.quiet -= 1;
  return verdict;
}

/** Caches the entries: listing them on each visit would cost as much as visiting every member. */
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

/** Compares two JSON values; the order of members does not count. */
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
