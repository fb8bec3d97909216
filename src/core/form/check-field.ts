/**
 * One value against one field: undefined, or a short sentence for the person who filled it in.
 *
 * Used for answers and for defaults alike, so a default cannot be something the person could not have
 * given. Whether an empty value is allowed is not decided here.
 */
import { choicesOf } from '../../protocol/schema/kinds/form-schema.ts';
import type {
  FormField,
  MultiChoiceField,
  NumberField,
  StringField,
} from '../../protocol/schema/kinds/form-schema.ts';
import type { Json } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { countCharacters } from '../count-characters.ts';
import { compilePattern } from '../pattern.ts';
import { formatProblem } from './formats.ts';

const MISFIT = 'This does not have the expected form.';

/** What the patterns of one form may still cost; every match takes its steps off. */
export interface PatternBudget {
  steps: number;
}

export function patternBudget(): PatternBudget {
  return { steps: LIMITS.patternSteps };
}

export function fieldProblem(
  field: FormField,
  value: Json,
  budget: PatternBudget,
): string | undefined {
  switch (field.type) {
    case 'string':
      return textProblem(field, value, budget);
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Choose yes or no.';
    case 'array':
      return choiceListProblem(field, value);
  }
}

function textProblem(field: StringField, value: Json, budget: PatternBudget): string | undefined {
  if (typeof value !== 'string') return 'Write text.';
  const choices = choicesOf(field);
  if (choices !== undefined)
    return choices.some((choice) => choice.value === value)
      ? undefined
      : 'Choose one of the options.';
  const length = countCharacters(value);
  const max = Math.min(field.maxLength ?? LIMITS.formTextChars, LIMITS.formTextChars);
  if (length > max) return `Write at most ${count(max, 'character')}.`;
  if (field.minLength !== undefined && length < field.minLength)
    return `Write at least ${count(field.minLength, 'character')}.`;
  const problem = field.format === undefined ? undefined : formatProblem(value, field.format);
  if (problem !== undefined) return problem;
  if (field.pattern === undefined) return undefined;
  const pattern = compilePattern(field.pattern);
  // A pattern that does not compile was refused when the form was opened; if not, nothing matches it.
  if (!pattern.ok) return MISFIT;
  const { matched, steps } = pattern.match(value, budget.steps);
  const isCutOff = steps > budget.steps;
  budget.steps = Math.max(0, budget.steps - steps);
  if (isCutOff) return 'This is too long to check against the pattern of the field.';
  return matched ? undefined : MISFIT;
}

function numberProblem(field: NumberField, value: Json): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Write a number.';
  if (field.type === 'integer' && !Number.isSafeInteger(value)) return 'Write a whole number.';
  if (field.minimum !== undefined && value < field.minimum)
    return `Write a number of at least ${field.minimum}.`;
  if (field.maximum !== undefined && value > field.maximum)
    return `Write a number of at most ${field.maximum}.`;
  return undefined;
}

function choiceListProblem(field: MultiChoiceField, value: Json): string | undefined {
  if (!Array.isArray(value)) return 'Choose from the options.';
  const offered = new Set(choicesOf(field)?.map((choice) => choice.value));
  if (!value.every((item) => typeof item === 'string' && offered.has(item)))
    return 'Choose only from the options.';
  if (new Set(value).size !== value.length) return 'Choose each option once.';
  if (field.minItems !== undefined && value.length < field.minItems)
    return `Choose at least ${count(field.minItems, 'option')}.`;
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return `Choose at most ${count(field.maxItems, 'option')}.`;
  return undefined;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
