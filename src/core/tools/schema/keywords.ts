/**
 * The supported keywords of a tool's schema, and the shape that the value of each keyword must have.
 *
 * A keyword outside this table has no effect: `title`, `default`, `contentMediaType`, or a keyword of a later draft.
 * The table has `pattern` and `patternProperties` so that the check can leave them to the tool explicitly: their
 * expressions come from the agent, and a backtracking engine could run one for minutes.
 */
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';

export type SchemaPart = boolean | Keywords;
type PartMap = Readonly<Record<string, SchemaPart>>;

export interface Keywords {
  readonly $id?: string;
  readonly $anchor?: string;
  readonly $dynamicAnchor?: string;
  readonly $ref?: string;
  readonly $dynamicRef?: string;
  readonly $recursiveRef?: string;
  readonly $defs?: PartMap;
  readonly definitions?: PartMap;

  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** In draft 4 a flag beside `minimum`, in later drafts a separate bound. */
  readonly exclusiveMinimum?: number | boolean;
  readonly exclusiveMaximum?: number | boolean;

  readonly properties?: PartMap;
  readonly patternProperties?: PartMap;
  readonly additionalProperties?: SchemaPart;
  readonly propertyNames?: SchemaPart;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: PartMap;
  /** Combines `dependentRequired` and `dependentSchemas` in drafts before 2019-09. */
  readonly dependencies?: Readonly<Record<string, SchemaPart | readonly string[]>>;
  readonly unevaluatedProperties?: SchemaPart;

  /** In drafts before 2020-12 a list here has the meaning of `prefixItems`. */
  readonly items?: SchemaPart | readonly SchemaPart[];
  readonly prefixItems?: readonly SchemaPart[];
  readonly additionalItems?: SchemaPart;
  readonly contains?: SchemaPart;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly unevaluatedItems?: SchemaPart;

  readonly allOf?: readonly SchemaPart[];
  readonly anyOf?: readonly SchemaPart[];
  readonly oneOf?: readonly SchemaPart[];
  readonly not?: SchemaPart;
  readonly if?: SchemaPart;
  readonly then?: SchemaPart;
  readonly else?: SchemaPart;
}

export type KeywordShape =
  | 'text'
  | 'number'
  | 'positive number'
  | 'number or flag'
  | 'count'
  | 'flag'
  | 'type'
  | 'names'
  | 'map of names'
  | 'values'
  | 'anything'
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'map of schemas'
  | 'map of schemas or names';

/** Total by type: the shape of every supported keyword is checked before a judge reads its value. */
export const KEYWORD_SHAPES: Readonly<Record<keyof Keywords, KeywordShape>> = {
  $id: 'text',
  $anchor: 'text',
  $dynamicAnchor: 'text',
  $ref: 'text',
  $dynamicRef: 'text',
  $recursiveRef: 'text',
  $defs: 'map of schemas',
  definitions: 'map of schemas',
  type: 'type',
  enum: 'values',
  const: 'anything',
  format: 'text',
  pattern: 'text',
  minLength: 'count',
  maxLength: 'count',
  multipleOf: 'positive number',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number or flag',
  exclusiveMaximum: 'number or flag',
  properties: 'map of schemas',
  patternProperties: 'map of schemas',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  required: 'names',
  minProperties: 'count',
  maxProperties: 'count',
  dependentRequired: 'map of names',
  dependentSchemas: 'map of schemas',
  dependencies: 'map of schemas or names',
  unevaluatedProperties: 'schema',
  items: 'schema or schemas',
  prefixItems: 'schemas',
  additionalItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  unevaluatedItems: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword, never awaited
  then: 'schema',
  else: 'schema',
};

const TYPE_NAMES: ReadonlySet<string> = new Set([
  'null',
  'boolean',
  'number',
  'integer',
  'string',
  'array',
  'object',
]);

/** A schema inside the value of a keyword. */
export interface InnerPart {
  /** The path from the keyword, as a JSON pointer. */
  readonly at: string;
  readonly part: Json;
}

/** Returns the schemas in a keyword's value; for a value of another shape, a text that describes the right one. */
export function schemasIn(shape: KeywordShape, value: Json): readonly InnerPart[] | string {
  const none: readonly InnerPart[] = [];
  switch (shape) {
    case 'anything':
      return none;
    case 'text':
      return typeof value === 'string' ? none : 'text';
    case 'flag':
      return typeof value === 'boolean' ? none : 'true or false';
    case 'number':
      return typeof value === 'number' ? none : 'a number';
    case 'positive number':
      return typeof value === 'number' && value > 0 ? none : 'a number above 0';
    case 'number or flag':
      return typeof value === 'number' || typeof value === 'boolean' ? none : 'a number';
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0
        ? none
        : 'a whole number, 0 or more';
    case 'type':
      return isType(value) ? none : `one or more of ${[...TYPE_NAMES].join(', ')}`;
    case 'names':
      return isNames(value) ? none : 'a list of names';
    case 'values':
      return Array.isArray(value) ? none : 'a list';
    case 'map of names':
      return isObject(value) && Object.values(value).every(isNames) ? none : 'lists of names';
    case 'schema':
      return [{ at: '', part: value }];
    case 'schemas':
      return Array.isArray(value) ? partsInside(value) : 'a list of schemas';
    case 'schema or schemas':
      return Array.isArray(value) ? partsInside(value) : [{ at: '', part: value }];
    case 'map of schemas':
      return isObject(value) ? partsInside(value) : 'an object of schemas';
    case 'map of schemas or names':
      return isObject(value)
        ? partsInside(value).filter(({ part }) => !isNames(part))
        : 'an object of schemas or lists of names';
  }
}

function partsInside(value: Json[] | JsonObject): InnerPart[] {
  return Object.entries(value).map(([key, part]) => ({
    at: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    part,
  }));
}

function isNames(value: Json): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isType(value: Json): boolean {
  const names = Array.isArray(value) ? value : [value];
  return names.every((name) => typeof name === 'string' && TYPE_NAMES.has(name));
}
