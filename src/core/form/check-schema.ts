/**
 * What a form schema says beyond its shape, judged once, when the form is opened.
 *
 * What must stay true: a form that passes can be filled in, cannot be answered by its defaults being
 * wrong, asks for no secret, and costs a bounded time to check however it is answered.
 */
import { choicesOf } from '../../protocol/schema/kinds/form-schema.ts';
import type { FormField, FormSchema } from '../../protocol/schema/kinds/form-schema.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { compilePattern } from '../pattern.ts';
import { fieldProblem, type PatternBudget, patternBudget } from './check-field.ts';
import { asksForSecret } from './secrets.ts';

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

/** Only where something can be typed: a yes or no, or a choice, gives no secret away. */
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
      if (minimum > maximum) return 'minimum is larger than maximum';
      return field.type === 'integer' && Math.ceil(minimum) > Math.floor(maximum)
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
