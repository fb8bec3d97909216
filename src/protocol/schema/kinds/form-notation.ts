/**
 * Reads the notations in which agents write the schema of a form into the one that the rest of the product knows.
 *
 * Agents send schemas that programs made: of zod, of pydantic, of ACP. One field has several notations there, so each is
 * read here, once, before the schema of forms checks it. What is stored, shown and digested has one notation, and reading
 * it again changes nothing.
 *
 * - What says nothing to a person is left out: `_meta`, `$comment`, `$id`, `deprecated`, and every keyword that is null.
 * - A type with null, alone or in an `anyOf`, becomes its other type with `nullable: true`.
 * - A list of `const` becomes the list of choices, each with a title.
 * - `examples` keeps the few that a person can read.
 *
 * Nothing is refused here: what has no plain notation stays as it is, and the schema of forms refuses it with its path.
 */
import { isObject } from '../../types.ts';
import { LIMITS } from '../../limits.ts';

type Raw = Readonly<Record<string, unknown>>;

const UNSHOWN: ReadonlySet<string> = new Set(['_meta', '$comment', '$id', 'deprecated']);
/** As many as fit into the line below a field. */
const MAX_EXAMPLES = 3;

export function plainFormSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { properties, ...rest } = withoutUnshown(schema);
  if (!isObject(properties)) return { ...rest, ...(properties !== undefined && { properties }) };
  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  const fields = Object.entries(properties).map(([name, field]) => [name, plainField(field)]);
  return { ...rest, properties: Object.fromEntries(fields) as Raw };
}

function plainField(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const field = withoutNull(withOneType(withoutUnshown(raw)));
  const { examples, items, oneOf, ...rest } = field;
  const shown = readableExamples(examples);
  return {
    ...rest,
    ...(shown.length > 0 && { examples: shown }),
    ...(oneOf !== undefined && { oneOf: plainChoices(oneOf) }),
    ...(items !== undefined && { items: plainItems(items) }),
  };
}

function withoutUnshown(raw: Raw): Raw {
  const kept = Object.entries(raw).filter(
    ([name, value]) =>
      value !== null && !UNSHOWN.has(name) && !(name === 'nullable' && value === false),
  );
  return Object.fromEntries(kept);
}

/** Replaces an `anyOf` that offers null beside one type, or that lists choices. */
function withOneType(field: Raw): Raw {
  const { anyOf, ...outer } = field;
  if (!Array.isArray(anyOf)) return field;
  const members = anyOf.filter((one) => !isNullType(one));
  const nullable = members.length < anyOf.length ? { nullable: true } : {};
  const [only, ...others] = members;
  if (members.length > 0 && members.every(isTitledChoice)) {
    return { type: 'string', ...outer, oneOf: members, ...nullable };
  }
  if (others.length > 0 || !isObject(only)) return field;
  const { title, description, ...inner } = withoutUnshown(only);
  // With two values for one keyword it would be a guess which one counts.
  if (Object.keys(inner).some((name) => Object.hasOwn(outer, name))) return field;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...inner,
    ...outer,
    ...nullable,
  };
}

function withoutNull(field: Raw): Raw {
  const { type, nullable, enum: plain, oneOf } = field;
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  const isOneType = types.length === 1;
  const isNullable = nullable === true || (isOneType && Array.isArray(type) && type.length > 1);
  const oneType = isOneType ? { ...field, type: types[0] } : field;
  if (!isNullable) return oneType;
  return {
    ...oneType,
    nullable: true,
    ...(Array.isArray(plain) && { enum: plain.filter((one) => one !== null) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.filter((one) => !isNullType(one)) }),
  };
}

function isNullType(value: unknown): boolean {
  return isObject(value) && (value.type === 'null' || value.const === null);
}

function isTitledChoice(value: unknown): boolean {
  return isObject(value) && typeof value.const === 'string';
}

function plainItems(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const { anyOf, oneOf, ...rest } = withoutUnshown(raw);
  if (anyOf !== undefined && oneOf !== undefined) return raw;
  const choices = anyOf ?? oneOf;
  return { ...rest, ...(choices !== undefined && { anyOf: plainChoices(choices) }) };
}

function plainChoices(choices: unknown): unknown {
  return Array.isArray(choices) ? choices.map(plainChoice) : choices;
}

function plainChoice(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const { type, ...choice } = withoutUnshown(raw);
  return {
    ...(type !== undefined && type !== 'string' && { type }),
    ...(choice.title === undefined && { title: choice.const }),
    ...choice,
  };
}

function readableExamples(examples: unknown): readonly (string | number)[] {
  if (!Array.isArray(examples)) return [];
  return examples
    .filter((one) => typeof one === 'number' || isShortText(one))
    .slice(0, MAX_EXAMPLES);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.formChoiceChars;
}
