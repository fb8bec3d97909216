/** Whether a keyword's value is of its shape, and the schemas inside of it, which are read next. */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { type Shape, TYPES } from './keywords.ts';

export interface Inside {
  /** The path below the keyword, as a JSON pointer. */
  readonly at: string;
  readonly part: Json;
}

/** The schemas in the value, or how a value of this shape is written. */
export function schemasIn(shape: Shape, value: Json): readonly Inside[] | string {
  const none: readonly Inside[] = [];
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
      return isType(value) ? none : `one or more of ${[...TYPES].join(', ')}`;
    case 'names':
      return isNames(value) ? none : 'a list of names';
    case 'values':
      return Array.isArray(value) ? none : 'a list';
    case 'map of names':
      return isObject(value) && Object.values(value).every(isNames) ? none : 'lists of names';
    case 'schema':
      return [{ at: '', part: value }];
    case 'schemas':
      return Array.isArray(value) ? inside(value) : 'a list of schemas';
    case 'schema or schemas':
      return Array.isArray(value) ? inside(value) : [{ at: '', part: value }];
    case 'map of schemas':
      return isObject(value) ? inside(value) : 'an object of schemas';
    case 'map of schemas or names':
      return isObject(value)
        ? inside(value).filter(({ part }) => !isNames(part))
        : 'an object of schemas or lists of names';
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inside(value: Json[] | JsonObject): Inside[] {
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
  return names.every((name) => typeof name === 'string' && TYPES.has(name));
}
