/**
 * A value that a JSON schema describes. The schemas are those of the routes, so a new field of a body is tested without
 * a change here.
 *
 * Rules that a JSON schema cannot express, such as a `refine`, are left to chance: a refused value is as good a case as
 * an accepted value.
 */
import { sample, stringMatching } from 'fast-check';
import * as z from 'zod';
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import type { Random } from '../support/random.ts';
import { anyJson, oddText } from './odd-values.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

/** Existing values by field name: invented ids would never match. */
export type Hints = Readonly<Record<string, (random: Random) => Json>>;

const MAX_ITEMS = 4;
const HINTED = 0.8;

export function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
}

export function valueOf(root: Schema, random: Random, hints: Hints): Json {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.replace('#/$defs/', '');
    return name === undefined ? schema : resolve(root.$defs?.[name] as Schema);
  };

  const value = (unresolved: Schema, depth: number): Json => {
    const schema = resolve(unresolved);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return value(random.pick(branches) as Schema, depth);
    const [part] = schema.allOf ?? [];
    if (part !== undefined) return value(part, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(schema.enum as Json[]) ?? null;
    switch (schema.type) {
      case 'object':
        return object(schema, depth);
      case 'array':
        return list(schema, depth);
      case 'string':
        return text(schema);
      case 'integer':
        return Math.round(number(schema));
      case 'number':
        return number(schema);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return anyJson(random, depth);
    }
  };

  const object = (schema: Schema, depth: number): JsonObject => {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const made: JsonObject = {};
    for (const [name, child] of Object.entries(properties)) {
      if (!required.includes(name) && !random.chance(0.5)) continue;
      const hint = hints[name];
      made[name] =
        hint !== undefined && random.chance(HINTED)
          ? hint(random)
          : value(child as Schema, depth + 1);
    }
    const isOpen = additionalProperties !== false && Object.keys(properties).length === 0;
    if (!isOpen) return made;
    for (let more = random.int(0, 3); more > 0; more -= 1) {
      const name = typeof propertyNames === 'object' ? text(propertyNames) : 'key';
      const child = typeof additionalProperties === 'object' ? additionalProperties : {};
      made[name] = value(child, depth + 1);
    }
    return made;
  };

  const list = (schema: Schema, depth: number): Json[] => {
    const min = schema.minItems ?? 0;
    const length = random.int(
      min,
      Math.max(min, Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS)),
    );
    return Array.from({ length }, () => value((schema.items ?? {}) as Schema, depth + 1));
  };

  const text = ({ pattern, minLength = 0, maxLength = 40 }: Schema): string => {
    if (pattern !== undefined) return matching(pattern, random);
    const made = random.chance(0.2)
      ? oddText(random).slice(0, maxLength)
      : 'word '.repeat(random.int(1, 8)).trim().slice(0, maxLength);
    return made.padEnd(minLength, 'x');
  };

  const number = ({ minimum, maximum }: Schema): number => {
    const low = Math.max(minimum ?? 0, -1e6);
    const high = Math.min(maximum ?? 1e6, 1e6);
    return random.chance(0.2) ? random.pick([low, high]) : random.int(low, Math.max(low, high));
  };

  return value(root, 0);
}

/** The generator does not support lookaheads; without them a name may begin with a dot, and be refused. */
function matching(pattern: string, random: Random): string {
  const simple = pattern.replace(/\(\?[!=][^)]*\)/g, '');
  const [made = ''] = sample(stringMatching(new RegExp(simple)), {
    seed: random.int(0, 2 ** 31 - 1),
    numRuns: 1,
  });
  return made;
}
