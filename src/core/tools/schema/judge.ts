/**
 * Judges a value by a schema and by the schemas inside of it.
 *
 * What must stay true: every schema that is visited costs a step, so the run ends; and `unfit` is said
 * only for certain. Where the verdict hangs on something that is not checked it is `unknown`, also
 * under `not` and `oneOf`, where leaving a keyword out would turn a yes into a no.
 */
import { isObject } from '../../../protocol/guards.ts';
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { judgeValue, OF_VALUE, requireNames } from './judge-value.ts';
import type { Keywords, Part } from './keywords.ts';
import {
  both,
  every,
  isDecided,
  type Judge,
  membersOf,
  type Place,
  quietly,
  type Run,
  type Seen,
  spend,
  type Subject,
  unfit,
  type Verdict,
} from './schema-check.ts';

export function judge(run: Run, part: Part, value: Json, at?: Place, outer?: Seen): Verdict {
  if (!spend(run, 1)) return 'unknown';
  if (part === true) return 'fits';
  if (part === false) return unfit(run, at, 'This is not allowed here.');
  run.depth += 1;
  const asksForOthers =
    part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined;
  const seen = asksForOthers ? newSeen() : outer;
  const subject = { value, at, seen };
  const verdict = every(run, planFor(run, part), (one) => one(run, part, subject));
  if (asksForOthers && outer !== undefined && seen !== undefined) addSeen(run, outer, seen);
  run.depth -= 1;
  return verdict;
}

interface Step {
  readonly judge: Judge;
  readonly reads: readonly (keyof Keywords)[];
}

/** In order: the last two ask what the ones before them have seen. */
const STEPS: readonly Step[] = [
  { judge: judgeTargets, reads: ['$ref', '$dynamicRef', '$recursiveRef'] },
  { judge: (run, part, { value, at }) => judgeValue(run, part, value, at), reads: OF_VALUE },
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

/** Most schemas say little, and that of an item is asked thousands of times. */
function planFor({ schema, plans }: Run, part: Keywords): readonly Judge[] {
  const known = plans.get(part);
  if (known !== undefined) return known;
  const isRefAlone = schema.refStandsAlone && part.$ref !== undefined;
  const plan = STEPS.slice(0, isRefAlone ? 1 : undefined)
    .filter(({ reads }) => reads.some((keyword) => part[keyword] !== undefined))
    .map((step) => step.judge);
  plans.set(part, plan);
  return plan;
}

function judgeTargets(run: Run, part: Keywords, subject: Subject): Verdict {
  const targets = run.schema.targets.get(part) ?? [];
  const verdict = every(run, targets, (target) => judgeInPlace(run, target, subject));
  if (!run.schema.unfollowed.has(part)) return verdict;
  if (subject.seen !== undefined) subject.seen.all = true;
  return both(verdict, 'unknown');
}

/** What a schema that does not fit has seen does not count. */
function judgeInPlace(run: Run, part: Part, { value, at, seen }: Subject): Verdict {
  if (seen === undefined) return judge(run, part, value, at);
  const found = newSeen();
  const verdict = judge(run, part, value, at, found);
  if (verdict !== 'unfit') addSeen(run, seen, found);
  return verdict;
}

function judgeAll(run: Run, { allOf = [] }: Keywords, subject: Subject): Verdict {
  return every(run, allOf, (part) => judgeInPlace(run, part, subject));
}

function judgeAny(run: Run, { anyOf }: Keywords, subject: Subject): Verdict {
  if (anyOf === undefined) return 'fits';
  let verdict: Verdict = 'unfit';
  for (const part of anyOf) {
    const one = quietly(run, () => judgeInPlace(run, part, subject));
    if (one === 'fits' || (one === 'unknown' && verdict === 'unfit')) verdict = one;
    if (run.isOver) return 'unknown';
    if (verdict === 'fits' && subject.seen === undefined) return verdict;
  }
  return verdict === 'unfit' ? unfit(run, subject.at, fitsNone(anyOf)) : verdict;
}

function judgeOne(run: Run, { oneOf }: Keywords, subject: Subject): Verdict {
  if (oneOf === undefined) return 'fits';
  let fitting = 0;
  let unknown = 0;
  for (const part of oneOf) {
    const one = quietly(run, () => judgeInPlace(run, part, subject));
    if (one === 'fits') fitting += 1;
    if (one === 'unknown') unknown += 1;
    if (run.isOver) return 'unknown';
    if (fitting > 1) return unfit(run, subject.at, 'This fits more than one of the allowed forms.');
  }
  if (unknown > 0) return 'unknown';
  return fitting === 1 ? 'fits' : unfit(run, subject.at, fitsNone(oneOf));
}

function fitsNone(parts: readonly Part[]): string {
  return `This fits none of the ${parts.length} allowed forms.`;
}

function judgeNot(run: Run, { not }: Keywords, { value, at }: Subject): Verdict {
  if (not === undefined) return 'fits';
  const verdict = quietly(run, () => judge(run, not, value));
  if (verdict === 'fits') return unfit(run, at, 'This form is not allowed here.');
  return verdict === 'unfit' ? 'fits' : verdict;
}

function judgeIf(run: Run, part: Keywords, subject: Subject): Verdict {
  if (part.if === undefined) return 'fits';
  const condition = part.if;
  const verdict = quietly(run, () => judgeInPlace(run, condition, subject));
  if (verdict === 'unknown') {
    if (subject.seen !== undefined) subject.seen.all = true;
    return verdict;
  }
  const branch = verdict === 'fits' ? part.then : part.else;
  return branch === undefined ? 'fits' : judgeInPlace(run, branch, subject);
}

function judgeDependent(run: Run, part: Keywords, subject: Subject): Verdict {
  const { value, at } = subject;
  if (!isObject(value)) return 'fits';
  const { dependentSchemas = {}, dependencies = {} } = part;
  const judgeByName = ([name, then]: readonly [string, Part | readonly string[]]): Verdict => {
    if (!spend(run, 1)) return 'unknown';
    if (!Object.hasOwn(value, name)) return 'fits';
    return isNames(then) ? requireNames(run, then, value, at) : judgeInPlace(run, then, subject);
  };
  const verdict = every(run, membersOf<Part>(run, dependentSchemas), judgeByName);
  if (isDecided(run, verdict)) return verdict;
  return both(verdict, every(run, membersOf(run, dependencies), judgeByName));
}

function judgeMembers(run: Run, part: Keywords, { value, at, seen }: Subject): Verdict {
  if (!isObject(value)) return 'fits';
  const { properties = {}, patternProperties, additionalProperties, propertyNames } = part;
  const declared = every(run, membersOf<Part>(run, properties), ([name, member]) => {
    if (!spend(run, 1)) return 'unknown';
    if (!Object.hasOwn(value, name)) return 'fits';
    seen?.names.add(name);
    return judge(run, member, value[name] as Json, { above: at, step: name });
  });
  if (isDecided(run, declared)) return declared;
  const isUnmatched = patternProperties !== undefined;
  // Which of the others its expressions name is for the tool to say.
  if (isUnmatched && seen !== undefined) seen.all = true;
  const verdict = isUnmatched ? both(declared, 'unknown') : declared;
  const others = isUnmatched ? undefined : additionalProperties;
  if (others === undefined && propertyNames === undefined) return verdict;
  const names = Object.keys(value);
  if (!spend(run, names.length)) return 'unknown';
  const rest = every(run, names, (name) => {
    const place = { above: at, step: name };
    const named = propertyNames === undefined ? 'fits' : judge(run, propertyNames, name, place);
    if (others === undefined || Object.hasOwn(properties, name)) return named;
    seen?.names.add(name);
    return both(named, judgeOther(run, others, value[name] as Json, place));
  });
  return both(verdict, rest);
}

function judgeOther(run: Run, part: Part, value: Json, at: Place): Verdict {
  return part === false
    ? unfit(run, at, 'This field is not known here; leave it out.')
    : judge(run, part, value, at);
}

function judgeItems(run: Run, part: Keywords, { value, at, seen }: Subject): Verdict {
  if (!Array.isArray(value)) return 'fits';
  const { items, prefixItems, additionalItems } = part;
  const isOldForm = isParts(items);
  const first = isOldForm ? items : (prefixItems ?? []);
  const others = isOldForm ? additionalItems : items;
  if (others === undefined && first.length === 0) return 'fits';
  const end = others === undefined ? Math.min(first.length, value.length) : value.length;
  let verdict: Verdict = 'fits';
  for (let index = 0; index < end && !isDecided(run, verdict); index += 1) {
    seen?.items.add(index);
    const schema = first[index] ?? others;
    if (schema === undefined || isParts(schema)) continue;
    const place = { above: at, step: index };
    verdict = both(verdict, judge(run, schema, value[index] as Json, place));
  }
  return verdict;
}

function judgeContains(run: Run, part: Keywords, { value, at, seen }: Subject): Verdict {
  const { contains, minContains = 1, maxContains = Infinity } = part;
  if (contains === undefined || !Array.isArray(value)) return 'fits';
  let fitting = 0;
  let unknown = 0;
  for (const [index, item] of value.entries()) {
    const verdict = quietly(run, () => judge(run, contains, item));
    if (run.isOver) return 'unknown';
    if (verdict === 'unfit') continue;
    seen?.items.add(index);
    if (verdict === 'fits') fitting += 1;
    else unknown += 1;
  }
  if (fitting + unknown < minContains) {
    return unfit(run, at, `At least ${minContains} of the items must be of a certain form.`);
  }
  if (fitting > maxContains) {
    return unfit(run, at, `At most ${maxContains} of the items may be of a certain form.`);
  }
  return fitting >= minContains && fitting + unknown <= maxContains ? 'fits' : 'unknown';
}

function judgeUnevaluatedMembers(run: Run, part: Keywords, { value, at, seen }: Subject): Verdict {
  const { unevaluatedProperties: others } = part;
  if (others === undefined || seen === undefined || !isObject(value) || seen.all) return 'fits';
  const all = Object.keys(value);
  if (!spend(run, all.length)) return 'unknown';
  const names = all.filter((name) => !seen.names.has(name));
  seen.all = true;
  return every(run, names, (name) =>
    judgeOther(run, others, value[name] as Json, { above: at, step: name }),
  );
}

function judgeUnevaluatedItems(run: Run, part: Keywords, { value, at, seen }: Subject): Verdict {
  const { unevaluatedItems: others } = part;
  if (others === undefined || seen === undefined || !Array.isArray(value) || seen.all) {
    return 'fits';
  }
  if (!spend(run, value.length)) return 'unknown';
  const rest = [...value.entries()].filter(([index]) => !seen.items.has(index));
  seen.all = true;
  return every(run, rest, ([index, item]) => judge(run, others, item, { above: at, step: index }));
}

function newSeen(): Seen {
  return { names: new Set(), items: new Set(), all: false };
}

function addSeen(run: Run, to: Seen, from: Seen): void {
  if (from.all) to.all = true;
  spend(run, from.names.size + from.items.size);
  for (const name of from.names) to.names.add(name);
  for (const index of from.items) to.items.add(index);
}

function isParts(items: Part | readonly Part[] | undefined): items is readonly Part[] {
  return Array.isArray(items);
}

function isNames(value: Part | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}
