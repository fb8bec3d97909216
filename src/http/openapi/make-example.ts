/**
 * A small valid body, made from its schema: the required fields and nothing else.
 *
 * Known field names have an example of their own. A test checks every example against its schema.
 */
import type { Json } from '../../protocol/json.ts';
import type { Schema } from './document.ts';

const EXAMPLES: Readonly<Record<string, Json>> = {
  answers: { '0': 'Staging' },
  answer: { decision: 'approve' },
  id: 'ses_example',
  input: { command: 'npm publish' },
  interactionId: 'call_1~1',
  name: 'deploy-bot',
  scopes: ['read', 'answer'],
  text: 'Use the staging cluster.',
  timeouts: { approval: 600 },
  title: 'Release 2.4',
  toolCallId: 'call_1',
  toolName: 'Bash',
  reason: 'No longer needed',
};

export type Lookup = (reference: string) => Schema;

export function makeExample(schema: Schema, lookup: Lookup): Json {
  if (schema.$ref !== undefined) return makeExample(lookup(schema.$ref), lookup);
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant !== undefined) return makeExample(variant, lookup);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') return exampleObject(schema, lookup);
  if (type === 'array') {
    return isSchema(schema.items) ? [makeExample(schema.items, lookup)] : [];
  }
  if (type === 'boolean') return true;
  if (type === 'string') return 'text';
  if (type === 'null') return null;
  return schema.minimum ?? 1;
}

/** Where no field is required, the example has the first field. */
function exampleObject(schema: Schema, lookup: Lookup): Json {
  const properties = schema.properties ?? {};
  const first = Object.keys(properties).slice(0, 1);
  const names = schema.required === undefined ? first : schema.required;
  return Object.fromEntries(
    names.map((name) => {
      const property = properties[name];
      const fixed = isSchema(property) && property.const !== undefined;
      const example = fixed ? undefined : EXAMPLES[name];
      return [name, example ?? (isSchema(property) ? makeExample(property, lookup) : {})];
    }),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
