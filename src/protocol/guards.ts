/** Type guards for values of unknown shape. */
import type { JsonObject } from './json.ts';

/** False for null and for a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
