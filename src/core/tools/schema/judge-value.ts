/** What a schema says about a value by itself, without looking into the schemas of its members. */
import { isObject } from '../../../protocol/guards.ts';
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { canonical } from '../../digest/canonical.ts';
import { countCharacters, formatProblem, isFormat } from '../../forms/formats.ts';
import type { Keywords } from './keywords.ts';
import {
  both,
  every,
  isSameJson,
  membersOf,
  type Place,
  type Run,
  spend,
  textSteps,
  unfit,
  type Verdict,
} from './schema-check.ts';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  string: 'text',
  array: 'a list',
  object: 'an object',
};

/** The keywords that are read here. */
export const OF_VALUE: readonly (keyof Keywords)[] = [
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'format',
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
];

export function judgeValue(run: Run, part: Keywords, value: Json, at?: Place): Verdict {
  const verdict = both(judgeType(run, part, value, at), judgeChoice(run, part, value, at));
  if (verdict === 'unfit') return verdict;
  if (typeof value === 'string') return both(verdict, judgeText(run, part, value, at));
  if (typeof value === 'number') return both(verdict, judgeNumber(run, part, value, at));
  if (Array.isArray(value)) return both(verdict, judgeSizeOfList(run, part, value, at));
  if (value === null || typeof value !== 'object') return verdict;
  return both(verdict, judgeNames(run, part, value, at));
}

function judgeType(run: Run, { type }: Keywords, value: Json, at?: Place): Verdict {
  if (type === undefined) return 'fits';
  const names = typeof type === 'string' ? [type] : type;
  if (!spend(run, names.length >>> 2)) return 'unknown';
  if (names.some((name) => isOfType(name, value))) return 'fits';
  return unfit(run, at, () => `Use ${names.map((name) => TYPE_WORDS[name]).join(' or ')}.`);
}

function isOfType(name: string, value: Json): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'object') return isObject(value);
  return name === 'integer' ? Number.isInteger(value) : typeof value === name;
}

function judgeChoice(run: Run, part: Keywords, value: Json, at?: Place): Verdict {
  const isConst = part.const === undefined || isSameJson(run, part.const, value);
  if (!isConst) return unfit(run, at, () => `Use ${JSON.stringify(part.const)}.`);
  const isChoice = part.enum === undefined || part.enum.some((one) => isSameJson(run, one, value));
  if (isChoice) return 'fits';
  return unfit(run, at, () => listChoices(part.enum ?? []));
}

function listChoices(choices: readonly Json[]): string {
  const some = choices.slice(0, 20).map((one) => JSON.stringify(one));
  return `Use one of ${some.join(', ')}${choices.length > 20 ? ', …' : ''}.`;
}

function judgeText(run: Run, part: Keywords, text: string, at?: Place): Verdict {
  const { minLength = 0, maxLength = Infinity, format, pattern } = part;
  // Characters are code points: one or two units of the text, so most lengths need no counting.
  const isSurelyLong = text.length >= minLength * 2;
  const isSurelyShort = text.length <= maxLength;
  if (!isSurelyLong || !isSurelyShort) {
    if (!spend(run, textSteps(text))) return 'unknown';
    const length = countCharacters(text);
    if (length < minLength) return unfit(run, at, `Write at least ${minLength} characters.`);
    if (length > maxLength) return unfit(run, at, `Write at most ${maxLength} characters.`);
  }
  // The tool is the judge of these: see `keywords.ts`, and `form/formats.ts` for those that are known.
  const rest: Verdict = pattern === undefined ? 'fits' : 'unknown';
  if (format === undefined) return rest;
  if (!isFormat(format) || !spend(run, textSteps(text))) return 'unknown';
  const problem = formatProblem(text, format);
  return problem === undefined ? rest : unfit(run, at, problem);
}

function judgeNumber(run: Run, part: Keywords, value: number, at?: Place): Verdict {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = part;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (typeof above === 'number' && value <= above) {
    return unfit(run, at, `Use a number above ${above}.`);
  }
  if (typeof below === 'number' && value >= below) {
    return unfit(run, at, `Use a number below ${below}.`);
  }
  if (minimum !== undefined && value < minimum) {
    return unfit(run, at, `Use a number of at least ${minimum}.`);
  }
  if (maximum !== undefined && value > maximum) {
    return unfit(run, at, `Use a number of at most ${maximum}.`);
  }
  return multipleOf === undefined || isMultiple(value, multipleOf)
    ? 'fits'
    : unfit(run, at, `Use a multiple of ${multipleOf}.`);
}

/** 0.3 is a multiple of 0.1, although their quotient as doubles is not whole. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  const distance = Math.abs(quotient - Math.round(quotient));
  return distance <= Math.abs(quotient) * 4 * Number.EPSILON;
}

function judgeSizeOfList(run: Run, part: Keywords, list: readonly Json[], at?: Place): Verdict {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = part;
  if (list.length < minItems) return unfit(run, at, `Give at least ${minItems} items.`);
  if (list.length > maxItems) return unfit(run, at, `Give at most ${maxItems} items.`);
  return uniqueItems ? judgeUnique(run, list, at) : 'fits';
}

function judgeUnique(run: Run, list: readonly Json[], at?: Place): Verdict {
  const seen = new Set<string>();
  return every(run, list.entries(), ([index, item]) => {
    const text = canonical(item);
    if (!spend(run, 2 + textSteps(text))) return 'unknown';
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated
      ? unfit(run, { above: at, step: index }, 'This item is there twice.')
      : 'fits';
  });
}

function judgeNames(run: Run, part: Keywords, value: JsonObject, at?: Place): Verdict {
  const { required = [], minProperties, maxProperties, dependentRequired = {} } = part;
  let verdict = requireNames(run, required, value, at);
  for (const [name, names] of membersOf(run, dependentRequired)) {
    if (!spend(run, 1)) return 'unknown';
    if (Object.hasOwn(value, name)) verdict = both(verdict, requireNames(run, names, value, at));
  }
  if (minProperties === undefined && maxProperties === undefined) return verdict;
  const { length } = Object.keys(value);
  if (!spend(run, length)) return 'unknown';
  if (minProperties !== undefined && length < minProperties) {
    return unfit(run, at, `Give at least ${minProperties} fields.`);
  }
  return maxProperties !== undefined && length > maxProperties
    ? unfit(run, at, `Give at most ${maxProperties} fields.`)
    : verdict;
}

/** Of its own: every object inherits `toString`. */
export function requireNames(
  run: Run,
  names: readonly string[],
  value: JsonObject,
  at?: Place,
): Verdict {
  if (!spend(run, names.length >>> 2)) return 'unknown';
  return every(run, names, (name) =>
    Object.hasOwn(value, name)
      ? 'fits'
      : unfit(run, { above: at, step: name }, 'This field is required.'),
  );
}
