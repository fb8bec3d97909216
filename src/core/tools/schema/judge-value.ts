/** Judges a value by the keywords that need no schema of its members: type, length, bounds, names. */
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';
import { canonicalize } from '../../../protocol/canonical-json.ts';
import { countCharacters, formatProblem, isFormat } from '../../forms/formats.ts';
import type { Keywords } from './keywords.ts';
import {
  combineVerdicts,
  judgeEach,
  equalJson,
  cachedMembers,
  type InputPosition,
  type SchemaCheck,
  spendSteps,
  textSteps,
  reportUnfit,
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

/** The keywords that `judgeValue` reads. */
export const VALUE_KEYWORDS: readonly (keyof Keywords)[] = [
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

export function judgeValue(
  check: SchemaCheck,
  part: Keywords,
  value: Json,
  at?: InputPosition,
): Verdict {
  const verdict = combineVerdicts(
    judgeType(check, part, value, at),
    judgeChoice(check, part, value, at),
  );
  if (verdict === 'unfit') return verdict;
  if (typeof value === 'string') return combineVerdicts(verdict, judgeText(check, part, value, at));
  if (typeof value === 'number')
    return combineVerdicts(verdict, judgeNumber(check, part, value, at));
  if (Array.isArray(value))
    return combineVerdicts(verdict, judgeSizeOfList(check, part, value, at));
  if (value === null || typeof value !== 'object') return verdict;
  return combineVerdicts(verdict, judgeNames(check, part, value, at));
}

function judgeType(
  check: SchemaCheck,
  { type }: Keywords,
  value: Json,
  at?: InputPosition,
): Verdict {
  if (type === undefined) return 'fits';
  const names = typeof type === 'string' ? [type] : type;
  if (!spendSteps(check, names.length >>> 2)) return 'unknown';
  if (names.some((name) => isOfType(name, value))) return 'fits';
  return reportUnfit(check, at, () => `Use ${names.map((name) => TYPE_WORDS[name]).join(' or ')}.`);
}

function isOfType(name: string, value: Json): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'object') {
    return isObject(value);
  }
  return name === 'integer' ? Number.isInteger(value) : typeof value === name;
}

function judgeChoice(check: SchemaCheck, part: Keywords, value: Json, at?: InputPosition): Verdict {
  const isConst = part.const === undefined || equalJson(check, part.const, value);
  if (!isConst) return reportUnfit(check, at, () => `Use ${JSON.stringify(part.const)}.`);
  const isChoice = part.enum === undefined || part.enum.some((one) => equalJson(check, one, value));
  if (isChoice) return 'fits';
  return reportUnfit(check, at, () => listChoices(part.enum ?? []));
}

function listChoices(choices: readonly Json[]): string {
  const some = choices.slice(0, 20).map((one) => JSON.stringify(one));
  return `Use one of ${some.join(', ')}${choices.length > 20 ? ', …' : ''}.`;
}

function judgeText(check: SchemaCheck, part: Keywords, text: string, at?: InputPosition): Verdict {
  const { minLength = 0, maxLength = Infinity, format, pattern } = part;
  // A character is a code point of one or two UTF-16 units, so the text length alone settles most bounds.
  const isSurelyLong = text.length >= minLength * 2;
  const isSurelyShort = text.length <= maxLength;
  if (!isSurelyLong || !isSurelyShort) {
    if (!spendSteps(check, textSteps(text))) return 'unknown';
    const length = countCharacters(text);
    if (length < minLength)
      return reportUnfit(check, at, `Write at least ${minLength} characters.`);
    if (length > maxLength) return reportUnfit(check, at, `Write at most ${maxLength} characters.`);
  }
  // The tool checks patterns (see `keywords.ts`) and the formats that `forms/formats.ts` does not know.
  const rest: Verdict = pattern === undefined ? 'fits' : 'unknown';
  if (format === undefined) return rest;
  if (!isFormat(format) || !spendSteps(check, textSteps(text))) return 'unknown';
  const problem = formatProblem(text, format);
  return problem === undefined ? rest : reportUnfit(check, at, problem);
}

function judgeNumber(
  check: SchemaCheck,
  part: Keywords,
  value: number,
  at?: InputPosition,
): Verdict {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = part;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (typeof above === 'number' && value <= above) {
    return reportUnfit(check, at, `Use a number above ${above}.`);
  }
  if (typeof below === 'number' && value >= below) {
    return reportUnfit(check, at, `Use a number below ${below}.`);
  }
  if (minimum !== undefined && value < minimum) {
    return reportUnfit(check, at, `Use a number of at least ${minimum}.`);
  }
  if (maximum !== undefined && value > maximum) {
    return reportUnfit(check, at, `Use a number of at most ${maximum}.`);
  }
  return multipleOf === undefined || isMultiple(value, multipleOf)
    ? 'fits'
    : reportUnfit(check, at, `Use a multiple of ${multipleOf}.`);
}

/** Rounds the quotient: 0.3 is a multiple of 0.1, although 0.3 / 0.1 as doubles is not whole. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  const distance = Math.abs(quotient - Math.round(quotient));
  return distance <= Math.abs(quotient) * 4 * Number.EPSILON;
}

function judgeSizeOfList(
  check: SchemaCheck,
  part: Keywords,
  list: readonly Json[],
  at?: InputPosition,
): Verdict {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = part;
  if (list.length < minItems) return reportUnfit(check, at, `Give at least ${minItems} items.`);
  if (list.length > maxItems) return reportUnfit(check, at, `Give at most ${maxItems} items.`);
  return uniqueItems ? judgeUnique(check, list, at) : 'fits';
}

function judgeUnique(check: SchemaCheck, list: readonly Json[], at?: InputPosition): Verdict {
  const seen = new Set<string>();
  return judgeEach(check, list.entries(), ([index, item]) => {
    const text = canonicalize(item);
    if (!spendSteps(check, 2 + textSteps(text))) return 'unknown';
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated
      ? reportUnfit(check, { above: at, step: index }, 'This item is there twice.')
      : 'fits';
  });
}

function judgeNames(
  check: SchemaCheck,
  part: Keywords,
  value: JsonObject,
  at?: InputPosition,
): Verdict {
  const { required = [], minProperties, maxProperties, dependentRequired = {} } = part;
  let verdict = requireNames(check, required, value, at);
  for (const [name, names] of cachedMembers(check, dependentRequired)) {
    if (!spendSteps(check, 1)) return 'unknown';
    if (Object.hasOwn(value, name))
      verdict = combineVerdicts(verdict, requireNames(check, names, value, at));
  }
  if (minProperties === undefined && maxProperties === undefined) return verdict;
  const { length } = Object.keys(value);
  if (!spendSteps(check, length)) return 'unknown';
  if (minProperties !== undefined && length < minProperties) {
    return reportUnfit(check, at, `Give at least ${minProperties} fields.`);
  }
  return maxProperties !== undefined && length > maxProperties
    ? reportUnfit(check, at, `Give at most ${maxProperties} fields.`)
    : verdict;
}

/** Accepts only own properties: every object inherits `toString`. */
export function requireNames(
  check: SchemaCheck,
  names: readonly string[],
  value: JsonObject,
  at?: InputPosition,
): Verdict {
  if (!spendSteps(check, names.length >>> 2)) return 'unknown';
  return judgeEach(check, names, (name) =>
    Object.hasOwn(value, name)
      ? 'fits'
      : reportUnfit(check, { above: at, step: name }, 'This field is required.'),
  );
}
