/**
 * Checks a form: its schema when it is opened, and the values of a person when it is answered.
 *
 * 1. A form that passes can be filled in, has valid defaults, asks for no secret, and costs a bounded time to check.
 * 2. An unanswered field never counts as consent. Blank text, an empty choice and a missing value are the same: an
 *    error where the field is required, and absent from the result elsewhere; a required field that may be null is null.
 *    A default counts only when it is sent back.
 * 3. Values are never converted or trimmed. Answers and defaults pass the same check.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  choicesOf,
  type FormField,
  type FormSchema,
  type MultiChoiceField,
  type NumberField,
  type StringField,
} from '../../protocol/schema/kinds/form.ts';
import { countCharacters, formatProblem } from './formats.ts';
import { compilePattern } from './pattern/automaton.ts';

/** Undefined, or the first problem as a sentence that names the field. */
export function checkFormSchema(schema: FormSchema): string | undefined {
  const required = schema.required ?? [];
  if (new Set(required).size !== required.length) return 'A field is listed twice in required';
  const missing = required.find((name) => !Object.hasOwn(schema.properties, name));
  if (missing !== undefined) return `The required field "${missing}" does not exist`;

  let states = 0;
  const budget = patternBudget();
  for (const [name, field] of Object.entries(schema.properties)) {
    if (isSecret(name, field))
      return `Field "${name}": forms do not ask for secrets such as passwords, keys or card numbers`;
    const problem = rangeProblem(field) ?? defaultProblem(field, budget);
    if (problem !== undefined) return `Field "${name}": ${problem}`;
    if (field.type !== 'string' || field.pattern === undefined) continue;
    const pattern = compilePattern(field.pattern);
    if (!pattern.ok) return `Field "${name}": ${pattern.problem}`;
    states += pattern.size;
  }
  // One bound for the whole form: thirty fields of the largest pattern are thirty times the time.
  return states > LIMITS.patternStates
    ? 'The patterns of this form are too large together'
    : undefined;
}

/** Only a field for typed text can ask for a secret: a yes or no, or a choice, reveals none. */
function isSecret(name: string, field: FormField): boolean {
  if (field.type === 'boolean' || choicesOf(field) !== undefined) return false;
  return asksForSecret(name) || (field.title !== undefined && asksForSecret(field.title));
}

function rangeProblem(field: FormField): string | undefined {
  switch (field.type) {
    case 'string': {
      const { minLength = 0, maxLength = LIMITS.formTextChars } = field;
      if (minLength > LIMITS.formTextChars) return `minLength is at most ${LIMITS.formTextChars}`;
      return minLength > maxLength ? 'minLength is larger than maxLength' : undefined;
    }
    case 'number':
    case 'integer': {
      const { minimum = -Infinity, maximum = Infinity } = field;
      const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = field;
      if (minimum > maximum) return 'minimum is larger than maximum';
      if (above >= below || above >= maximum || minimum >= below)
        return 'there is no number between the bounds';
      const [least, most] = [
        Math.max(Math.ceil(minimum), Math.floor(above) + 1),
        Math.min(Math.floor(maximum), Math.ceil(below) - 1),
      ];
      return field.type === 'integer' && least > most
        ? 'there is no whole number between minimum and maximum'
        : undefined;
    }
    case 'array': {
      const choices = choicesOf(field)?.length ?? 0;
      const { minItems = 0, maxItems = choices } = field;
      if (minItems > maxItems) return 'minItems is larger than maxItems';
      if (maxItems === 0) return 'maxItems is at least 1';
      return minItems > choices ? 'minItems is larger than the number of choices' : undefined;
    }
    case 'boolean':
      return undefined;
  }
}

function defaultProblem(field: FormField, budget: PatternBudget): string | undefined {
  const value = field.default;
  // An empty default fills nothing in.
  if (value === undefined || value === '') return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  const problem = fieldProblem(field, value, budget);
  return problem === undefined ? undefined : `the default is not valid. ${problem}`;
}

export type FormValues =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly fieldErrors: Record<string, string> };

/** Errors for fields that do not exist repeat the sender's own keys; a few say enough. */
const MAX_UNKNOWN = 20;

export function checkFormValues(schema: FormSchema, values: JsonObject): FormValues {
  const errors: [string, string][] = [];
  const kept: [string, Json][] = [];
  const required = new Set(schema.required);
  const budget = patternBudget();

  for (const [name, field] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isNullable = field.nullable === true;
    if (value === undefined || isUnanswered(value) || (value === null && isNullable)) {
      if (!required.has(name)) continue;
      if (isNullable) kept.push([name, null]);
      else errors.push([name, 'This field is required.']);
      continue;
    }
    const problem = fieldProblem(field, value, budget);
    if (problem === undefined) kept.push([name, value]);
    else errors.push([name, problem]);
  }

  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name));
  for (const name of unknown.slice(0, MAX_UNKNOWN))
    errors.push([name, 'This form has no such field.']);

  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  if (errors.length > 0) return { ok: false, fieldErrors: Object.fromEntries(errors) };
  return { ok: true, values: Object.fromEntries(kept) };
}

/** Returns the name of the only field of a form if chat text can fill it in. */
export function soleTextField(schema: FormSchema): string | undefined {
  const [first, ...others] = Object.entries(schema.properties);
  if (first === undefined || others.length > 0) return undefined;
  const [name, field] = first;
  return field.type === 'string' && choicesOf(field) === undefined ? name : undefined;
}

function isUnanswered(value: Json): boolean {
  return typeof value === 'string'
    ? value.trim() === ''
    : Array.isArray(value) && value.length === 0;
}

/** The steps that are left for the patterns of one form; every match subtracts its own. */
interface PatternBudget {
  steps: number;
}

function patternBudget(): PatternBudget {
  return { steps: LIMITS.patternSteps };
}

function fieldProblem(field: FormField, value: Json, budget: PatternBudget): string | undefined {
  switch (field.type) {
    case 'string':
      return textFieldProblem(field, value, budget);
    case 'number':
    case 'integer':
      return numberFieldProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Choose yes or no.';
    case 'array':
      return choiceListProblem(field, value);
  }
}

function textFieldProblem(
  field: StringField,
  value: Json,
  budget: PatternBudget,
): string | undefined {
  if (typeof value !== 'string') return 'Write text.';
  const choices = choicesOf(field);
  if (choices !== undefined)
    return choices.some((choice) => choice.value === value)
      ? undefined
      : 'Choose one of the options.';
  const length = countCharacters(value);
  const max = Math.min(field.maxLength ?? LIMITS.formTextChars, LIMITS.formTextChars);
  if (length > max) return `Write at most ${pluralize(max, 'character')}.`;
  if (field.minLength !== undefined && length < field.minLength)
    return `Write at least ${pluralize(field.minLength, 'character')}.`;
  const problem = field.format === undefined ? undefined : formatProblem(value, field.format);
  if (problem !== undefined) return problem;
  if (field.pattern === undefined) return undefined;
  const pattern = compilePattern(field.pattern);
  // A pattern that does not compile was refused when the form was opened; if not, nothing matches it.
  if (!pattern.ok) return formatWords(field, () => false);
  const match = (text: string) => {
    const { matched, steps } = pattern.match(text, budget.steps);
    const isCutOff = steps > budget.steps;
    budget.steps = Math.max(0, budget.steps - steps);
    return isCutOff ? undefined : matched;
  };
  const isMatch = match(value);
  if (isMatch === undefined) return 'This is too long to check against the pattern of the field.';
  return isMatch ? undefined : formatWords(field, (text) => match(text) === true);
}

/** Few enough for a sentence; more of them are in the hint of the field. */
const EXAMPLES_SHOWN = 2;
const EXAMPLE_CHARS = 60;
const HINT_CHARS = 200;

/** What to write: as the examples that fit, else as the field describes it, else the pattern itself. */
function formatWords(field: StringField, isMatch: (text: string) => boolean): string {
  const { examples = [], default: preset, description = '', pattern = '' } = field;
  const shown = [...examples, preset]
    .filter((one): one is string => typeof one === 'string' && one !== '')
    .filter(({ length }) => length <= EXAMPLE_CHARS)
    .slice(0, EXAMPLES_SHOWN)
    .filter((one) => isMatch(one));
  if (shown.length > 0) return `Use the format ${shown.join(' or ')}.`;
  const hint = description.trim().replaceAll(/\s+/g, ' ');
  return hint !== '' && hint.length <= HINT_CHARS
    ? `Use this format: ${hint}`
    : `Use the format of this pattern: ${pattern}`;
}

function numberFieldProblem(field: NumberField, value: Json): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Write a number.';
  if (field.type === 'integer' && !Number.isSafeInteger(value)) return 'Write a whole number.';
  if (field.minimum !== undefined && value < field.minimum)
    return `Write a number of at least ${field.minimum}.`;
  if (field.exclusiveMinimum !== undefined && value <= field.exclusiveMinimum)
    return `Write a number greater than ${field.exclusiveMinimum}.`;
  if (field.maximum !== undefined && value > field.maximum)
    return `Write a number of at most ${field.maximum}.`;
  if (field.exclusiveMaximum !== undefined && value >= field.exclusiveMaximum)
    return `Write a number less than ${field.exclusiveMaximum}.`;
  return undefined;
}

function choiceListProblem(field: MultiChoiceField, value: Json): string | undefined {
  if (!Array.isArray(value)) return 'Choose from the options.';
  const offered = new Set(choicesOf(field)?.map((choice) => choice.value));
  if (!value.every((item) => typeof item === 'string' && offered.has(item)))
    return 'Choose only from the options.';
  if (new Set(value).size !== value.length) return 'Choose each option once.';
  if (field.minItems !== undefined && value.length < field.minItems)
    return `Choose at least ${pluralize(field.minItems, 'option')}.`;
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return `Choose at most ${pluralize(field.maxItems, 'option')}.`;
  return undefined;
}

function pluralize(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

const SECRET_WORDS = [
  'pass ?(?:words?|phrases?|codes?)',
  'passwd|pwd',
  'secrets?',
  '(?:api|access|secret|private|signing|encryption) ?keys?',
  'token',
  '(?:access|api|auth|bearer|refresh|session) ?tokens',
  '(?:seed|recovery) ?phrases?',
  '(?:credit|debit) ?cards?',
  '(?:card|cc) ?(?:numbers?|no)',
  'cvv|cvc|cvv2|card security code',
  'otp|one time codes?',
].join('|');
const ENDS_THE_PHRASE =
  'for|of|to|from|on|in|with|and|or|here|again|please|value|number|confirmation';
const ASKS_FOR_SECRET = new RegExp(
  `\\b(?:${SECRET_WORDS})(?: ?\\d+)?(?: (?:${ENDS_THE_PHRASE})\\b|$)`,
);

/**
 * Whether a label plainly asks for a secret.
 *
 * A form is logged, shown on every device and sent to webhooks, so a person must not type a secret into a form (MCP has
 * the same rule for its form mode). Only the name and the title are judged, in English: the label must ask for the
 * secret itself, as `apiKey` and "Password for the router" do; `passwordLength` and `maxTokens` do not. The check stops
 * an honest mistake; it cannot stop an agent that words the label differently.
 */
function asksForSecret(label: string): boolean {
  return ASKS_FOR_SECRET.test(inWords(label));
}

/** `githubAPIKey`, `github_api_key` and "GitHub API key:" as the same lower-case words. */
function inWords(label: string): string {
  return label
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}
