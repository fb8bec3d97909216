/**
 * Judges a value by a schema and by the schemas inside it.
 *
 * Invariants: every visited schema costs a step, so the check ends. The verdict is `unfit` only when it is certain. A
 * verdict that depends on an unchecked keyword is `unknown`, also under `not` and `oneOf`, where ignoring the keyword
 * would turn `fits` into `unfit`.
 *
 * The file has over 300 lines because the judges call each other: each keyword with inner schemas judges them through
 * `judgeSchema`.
 */
import type { Json } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';
import { judgeValue, VALUE_KEYWORDS, requireNames } from './judge-value.ts';
import type { Keywords, SchemaPart } from './keywords.ts';
import {
  combineVerdicts,
  judgeEach,
  isDecided,
  type KeywordJudge,
  cachedMembers,
  type InputPosition,
  withoutErrors,
  type SchemaCheck,
  type EvaluatedMembers,
  spendSteps,
  type Subject,
  reportUnfit,
  type Verdict,
} from './schema-check.ts';

export function judgeSchema(
  check: SchemaCheck,
  part: SchemaPart,
  value: Json,
  at?: InputPosition,
  outer?: EvaluatedMembers,
): Verdict {
  if (!spendSteps(check, 1)) return 'unknown';
  if (part === true) return 'fits';
  if (part === false) return reportUnfit(check, at, 'This is not allowed here.');
  check.depth += 1;
  const asksForOthers =
    part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined;
  const seen = asksForOthers ? createEvaluated() : outer;
  const subject = { value, at, seen };
  const verdict = judgeEach(check, planFor(check, part), (one) => one(check, part, subject));
  if (asksForOthers && outer !== undefined && seen !== undefined) addEvaluated(check, outer, seen);
  check.depth -= 1;
  return verdict;
}

interface JudgeStep {
  readonly judge: KeywordJudge;
  readonly reads: readonly (keyof Keywords)[];
}

/** The order counts: the last two steps read which members the earlier steps evaluated. */
const JUDGE_STEPS: readonly JudgeStep[] = [
  { judge: judgeTargets, reads: ['$ref', '$dynamicRef', '$recursiveRef'] },
  {
    judge: (check, part, { value, at }) => judgeValue(check, part, value, at),
    reads: VALUE_KEYWORDS,
  },
  { judge: judgeAll, reads: ['allOf'] },
  { judge: judgeAny, reads: ['anyOf'] },
  { judge: judgeOne, reads: ['oneOf'] },
  { judge: judgeNot, reads: ['not'] },
  { judge: judgeIf, reads: ['if'] },
  { judge: judgeDependent, reads: ['dependentSchemas', 'dependencies'] },
  {
    judge: judgeMembers,
    reads: ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  },
  { judge: judgeItems, reads: ['items', 'prefixItems'] },
  { judge: judgeContains, reads: ['contains'] },
  { judge: judgeUnevaluatedMembers, reads: ['unevaluatedProperties'] },
  { judge: judgeUnevaluatedItems, reads: ['unevaluatedItems'] },
];

/** Caches the steps that a schema needs: most have few keywords, and an item's schema runs thousands of times. */
function planFor({ schema, plans }: SchemaCheck, part: Keywords): readonly KeywordJudge[] {
  const known = plans.get(part);
  if (known !== undefined) return known;
  const isRefAlone = schema.refStandsAlone && part.$ref !== undefined;
  const plan = JUDGE_STEPS.slice(0, isRefAlone ? 1 : undefined)
    .filter(({ reads }) => reads.some((keyword) => part[keyword] !== undefined))
    .map((step) => step.judge);
  plans.set(part, plan);
  return plan;
}

function judgeTargets(check: SchemaCheck, part: Keywords, subject: Subject): Verdict {
  const targets = check.schema.targets.get(part) ?? [];
  const verdict = judgeEach(check, targets, (target) => judgeInPlace(check, target, subject));
  if (!check.schema.unfollowed.has(part)) return verdict;
  if (subject.seen !== undefined) subject.seen.all = true;
  return combineVerdicts(verdict, 'unknown');
}

/** Judges the same value by another schema; only a schema that fits contributes its evaluated members. */
function judgeInPlace(check: SchemaCheck, part: SchemaPart, { value, at, seen }: Subject): Verdict {
  if (seen === undefined) return judgeSchema(check, part, value, at);
  const found = createEvaluated();
  const verdict = judgeSchema(check, part, value, at, found);
  if (verdict !== 'unfit') addEvaluated(check, seen, found);
  return verdict;
}

function judgeAll(check: SchemaCheck, { allOf = [] }: Keywords, subject: Subject): Verdict {
  return judgeEach(check, allOf, (part) => judgeInPlace(check, part, subject));
}

function judgeAny(check: SchemaCheck, { anyOf }: Keywords, subject: Subject): Verdict {
  if (anyOf === undefined) return 'fits';
  let verdict: Verdict = 'unfit';
  for (const part of anyOf) {
    const one = withoutErrors(check, () => judgeInPlace(check, part, subject));
    if (one === 'fits' || (one === 'unknown' && verdict === 'unfit')) verdict = one;
    if (check.isOver) return 'unknown';
    if (verdict === 'fits' && subject.seen === undefined) return verdict;
  }
  return verdict === 'unfit' ? reportUnfit(check, subject.at, fitsNone(anyOf)) : verdict;
}

function judgeOne(check: SchemaCheck, { oneOf }: Keywords, subject: Subject): Verdict {
  if (oneOf === undefined) return 'fits';
  let fitting = 0;
  let unknown = 0;
  for (const part of oneOf) {
    const one = withoutErrors(check, () => judgeInPlace(check, part, subject));
    if (one === 'fits') fitting += 1;
    if (one === 'unknown') unknown += 1;
    if (check.isOver) return 'unknown';
    if (fitting > 1)
      return reportUnfit(check, subject.at, 'This fits more than one of the allowed forms.');
  }
  if (unknown > 0) return 'unknown';
  return fitting === 1 ? 'fits' : reportUnfit(check, subject.at, fitsNone(oneOf));
}

function fitsNone(parts: readonly SchemaPart[]): string {
  return `This fits none of the ${parts.length} allowed forms.`;
}

function judgeNot(check: SchemaCheck, { not }: Keywords, { value, at }: Subject): Verdict {
  if (not === undefined) return 'fits';
  const verdict = withoutErrors(check, () => judgeSchema(check, not, value));
  if (verdict === 'fits') return reportUnfit(check, at, 'This form is not allowed here.');
  return verdict === 'unfit' ? 'fits' : verdict;
}

function judgeIf(check: SchemaCheck, part: Keywords, subject: Subject): Verdict {
  if (part.if === undefined) return 'fits';
  const condition = part.if;
  const verdict = withoutErrors(check, () => judgeInPlace(check, condition, subject));
  if (verdict === 'unknown') {
    if (subject.seen !== undefined) subject.seen.all = true;
    return verdict;
  }
  const branch = verdict === 'fits' ? part.then : part.else;
  return branch === undefined ? 'fits' : judgeInPlace(check, branch, subject);
}

function judgeDependent(check: SchemaCheck, part: Keywords, subject: Subject): Verdict {
  const { value, at } = subject;
  if (!isObject(value)) return 'fits';
  const { dependentSchemas = {}, dependencies = {} } = part;
  const judgeByName = ([name, then]: readonly [
    string,
    SchemaPart | readonly string[],
  ]): Verdict => {
    if (!spendSteps(check, 1)) return 'unknown';
    if (!Object.hasOwn(value, name)) return 'fits';
    return isNameList(then)
      ? requireNames(check, then, value, at)
      : judgeInPlace(check, then, subject);
  };
  const verdict = judgeEach(check, cachedMembers<SchemaPart>(check, dependentSchemas), judgeByName);
  if (isDecided(check, verdict)) return verdict;
  return combineVerdicts(
    verdict,
    judgeEach(check, cachedMembers(check, dependencies), judgeByName),
  );
}

function judgeMembers(check: SchemaCheck, part: Keywords, { value, at, seen }: Subject): Verdict {
  if (!isObject(value)) return 'fits';
  const { properties = {}, patternProperties, additionalProperties, propertyNames } = part;
  const declared = judgeEach(
    check,
    cachedMembers<SchemaPart>(check, properties),
    ([name, member]) => {
      if (!spendSteps(check, 1)) return 'unknown';
      if (!Object.hasOwn(value, name)) return 'fits';
      seen?.names.add(name);
      return judgeSchema(check, member, value[name] as Json, { above: at, step: name });
    },
  );
  if (isDecided(check, declared)) return declared;
  const isUnmatched = patternProperties !== undefined;
  // Only the tool knows which other members the expressions match, so all members count as evaluated.
  if (isUnmatched && seen !== undefined) seen.all = true;
  const verdict = isUnmatched ? combineVerdicts(declared, 'unknown') : declared;
  const others = isUnmatched ? undefined : additionalProperties;
  if (others === undefined && propertyNames === undefined) return verdict;
  const names = Object.keys(value);
  if (!spendSteps(check, names.length)) return 'unknown';
  const rest = judgeEach(check, names, (name) => {
    const position = { above: at, step: name };
    const named =
      propertyNames === undefined ? 'fits' : judgeSchema(check, propertyNames, name, position);
    if (others === undefined || Object.hasOwn(properties, name)) return named;
    seen?.names.add(name);
    return combineVerdicts(named, judgeOther(check, others, value[name] as Json, position));
  });
  return combineVerdicts(verdict, rest);
}

function judgeOther(check: SchemaCheck, part: SchemaPart, value: Json, at: InputPosition): Verdict {
  return part === false
    ? reportUnfit(check, at, 'This field is not known here; leave it out.')
    : judgeSchema(check, part, value, at);
}

function judgeItems(check: SchemaCheck, part: Keywords, { value, at, seen }: Subject): Verdict {
  if (!Array.isArray(value)) return 'fits';
  const { items, prefixItems, additionalItems } = part;
  const isOldForm = isParts(items);
  const first = isOldForm ? items : (prefixItems ?? []);
  const others = isOldForm ? additionalItems : items;
  if (others === undefined && first.length === 0) return 'fits';
  const end = others === undefined ? Math.min(first.length, value.length) : value.length;
  let verdict: Verdict = 'fits';
  for (let index = 0; index < end && !isDecided(check, verdict); index += 1) {
    seen?.items.add(index);
    const schema = first[index] ?? others;
    if (schema === undefined || isParts(schema)) continue;
    const position = { above: at, step: index };
    verdict = combineVerdicts(verdict, judgeSchema(check, schema, value[index] as Json, position));
  }
  return verdict;
}

function judgeContains(check: SchemaCheck, part: Keywords, { value, at, seen }: Subject): Verdict {
  const { contains, minContains = 1, maxContains = Infinity } = part;
  if (contains === undefined || !Array.isArray(value)) return 'fits';
  let fitting = 0;
  let unknown = 0;
  for (const [index, item] of value.entries()) {
    const verdict = withoutErrors(check, () => judgeSchema(check, contains, item));
    if (check.isOver) return 'unknown';
    if (verdict === 'unfit') continue;
    seen?.items.add(index);
    if (verdict === 'fits') fitting += 1;
    else unknown += 1;
  }
  if (fitting + unknown < minContains) {
    return reportUnfit(
      check,
      at,
      `At least ${minContains} of the items must be of a certain form.`,
    );
  }
  if (fitting > maxContains) {
    return reportUnfit(check, at, `At most ${maxContains} of the items may be of a certain form.`);
  }
  return fitting >= minContains && fitting + unknown <= maxContains ? 'fits' : 'unknown';
}

function judgeUnevaluatedMembers(
  check: SchemaCheck,
  part: Keywords,
  { value, at, seen }: Subject,
): Verdict {
  const { unevaluatedProperties: others } = part;
  if (others === undefined || seen === undefined || !isObject(value) || seen.all) return 'fits';
  const all = Object.keys(value);
  if (!spendSteps(check, all.length)) return 'unknown';
  const names = all.filter((name) => !seen.names.has(name));
  seen.all = true;
  return judgeEach(check, names, (name) =>
    judgeOther(check, others, value[name] as Json, { above: at, step: name }),
  );
}

function judgeUnevaluatedItems(
  check: SchemaCheck,
  part: Keywords,
  { value, at, seen }: Subject,
): Verdict {
  const { unevaluatedItems: others } = part;
  if (others === undefined || seen === undefined || !Array.isArray(value) || seen.all) {
    return 'fits';
  }
  if (!spendSteps(check, value.length)) return 'unknown';
  const rest = [...value.entries()].filter(([index]) => !seen.items.has(index));
  seen.all = true;
  return judgeEach(check, rest, ([index, item]) =>
    judgeSchema(check, others, item, { above: at, step: index }),
  );
}

function createEvaluated(): EvaluatedMembers {
  return { names: new Set(), items: new Set(), all: false };
}

function addEvaluated(check: SchemaCheck, to: EvaluatedMembers, from: EvaluatedMembers): void {
  if (from.all) to.all = true;
  spendSteps(check, from.names.size + from.items.size);
  for (const name of from.names) to.names.add(name);
  for (const index of from.items) to.items.add(index);
}

function isParts(
  items: SchemaPart | readonly SchemaPart[] | undefined,
): items is readonly SchemaPart[] {
  return Array.isArray(items);
}

function isNameList(value: SchemaPart | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}
