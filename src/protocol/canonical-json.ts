/**
 * The canonical text of a JSON value (RFC 8785), over which digests are taken: by the server, and by an agent that compares
 * its own input with what was shown.
 */
import type { Json } from './json.ts';

/** Twice the depth that the checks accept, so that a caller can wrap a checked value before the digest. */
const MAX_CANONICAL_DEPTH = 64;

/**
 * Digests cover the bytes of this text.
 *
 * Members are sorted by UTF-16 code units, numbers and strings have their ECMAScript form, and there is no white space.
 * The caller has checked the value with `parseJson` or `checkJson`. A value that these functions refuse (a number that
 * is not finite, half a surrogate pair) has no canonical text and throws, because a digest over an invented text would
 * vouch for an input that was never shown.
 */
export function canonicalize(value: Json): string {
  return write(value, 0);
}

function write(value: Json, depth: number): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth >= MAX_CANONICAL_DEPTH)
    throw new RangeError(`Nested more than ${MAX_CANONICAL_DEPTH} levels deep`);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${writeText(key)}:${write(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('Half of a surrogate pair has no canonical form');
  return JSON.stringify(text);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value))
    throw new RangeError('A number that is not finite has no canonical form');
  return String(value);
}
