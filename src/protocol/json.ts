/**
 * Strict JSON: every program reads an accepted text as the same value.
 *
 * `JSON.parse` keeps the last of two equal keys, rounds large numbers, reads the smallest ones as 0, and accepts half a
 * surrogate pair and any depth. Each of these would let a person approve one thing and a program run another, so such a text
 * is refused before any other code reads it. The scan below is loose about grammar and exact about everything else;
 * `JSON.parse` decides about grammar afterwards. The scan is a loop, because a body of brackets must not exhaust the stack.
 *
 * `checkJson` checks a value that is already parsed, and returns that value, not a copy. The file has over 300 lines
 * because the checks of texts and of values accept exactly the same, and are read side by side.
 */
import { findJsonFault } from './json-fault.ts';
import { LIMITS } from './limits.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface JsonLimits {
  /** Containers inside one another; a lone scalar has depth 0. */
  readonly maxDepth?: number;
  /** Values of every kind, containers included; keys are not counted. */
  readonly maxNodes?: number;
  /** Of texts: reserved names and inexact numbers, for a caller that keeps them as text (`odd-input.ts`). */
  readonly takesOddValues?: boolean;
}

/**
 * `path` is a JSON pointer; for a problem with a key it points at the object with the key. A text that is not JSON has a
 * line and a column instead.
 */
export type JsonResult =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly path?: string;
      readonly line?: number;
      readonly column?: number;
    };

/** A longer pointer would only repeat the sender's own text. */
const MAX_PATH_CHARS = 500;
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);
/** From here on two doubles next to each other are 1 apart. */
const NO_FRACTIONS_FROM = 2 ** 52;
const WRITTEN_NUMBER = /^-?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FEW_KEYS = 12;
const UNICODE_ESCAPE = '\\u';

/** Undefined when the bytes are not UTF-8. A leading byte order mark is dropped, as RFC 8259 allows. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8_DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text that passes every check of this module. */
export function parseJson(text: string, limits: JsonLimits = {}): JsonResult {
  const maxDepth = limits.maxDepth ?? LIMITS.jsonDepth;
  const maxNodes = limits.maxNodes ?? LIMITS.jsonValues;
  const { takesOddValues = false } = limits;
  const path: (string | number)[] = [];
  const seen: (SeenKeys | undefined)[] = [];
  // In a clean text only an escape can put half of a surrogate pair or U+0000 into a string.
  const isClean = text.isWellFormed() && !text.includes('\0');
  let escapeAt = text.indexOf(UNICODE_ESCAPE);
  let keyIsNext = false;
  let nodes = 0;
  let at = 0;

  while (at < text.length) {
    const code = text.charCodeAt(at);
    const top = path.length - 1;
    let scalarEnd = -1;
    switch (code) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        at += 1;
        continue;
      case 0x3a: // :
        keyIsNext = false;
        at += 1;
        continue;
      case 0x2c: {
        // ,
        const place = path[top];
        if (typeof place === 'number') path[top] = place + 1;
        keyIsNext = seen[top] !== undefined;
        at += 1;
        continue;
      }
      case 0x7b: // {
      case 0x5b: // [
        nodes += 1;
        if (nodes > maxNodes) return tooMany(maxNodes, path);
        if (path.length >= maxDepth) return tooDeep(maxDepth, path);
        keyIsNext = code === 0x7b;
        path.push(keyIsNext ? '' : 0);
        seen.push(keyIsNext ? new SeenKeys() : undefined);
        at += 1;
        continue;
      case 0x7d: // }
      case 0x5d: // ]
        if (top < 0) return notJson(text);
        path.pop();
        seen.pop();
        keyIsNext = false;
        at += 1;
        continue;
      case QUOTE: {
        const end = stringEnd(text, at);
        if (end < 0) return notJson(text);
        if (escapeAt >= 0 && escapeAt < at) escapeAt = text.indexOf(UNICODE_ESCAPE, at);
        const isSafe = isClean && (escapeAt < 0 || escapeAt >= end);
        const keys = keyIsNext ? seen[top] : undefined;
        if (keys === undefined && isSafe) {
          scalarEnd = end;
          break;
        }
        const string = stringAt(text, at, end);
        if (string === undefined) return notJson(text);
        if (keys !== undefined) {
          const problem =
            (isSafe ? undefined : stringProblem(string, 'A key')) ??
            keyProblem(string, keys, takesOddValues);
          if (problem !== undefined) return refuseJson(problem, path.slice(0, top));
          path[top] = string;
          at = end;
          continue;
        }
        const problem = stringProblem(string, 'Text');
        if (problem !== undefined) return refuseJson(problem, path);
        scalarEnd = end;
        break;
      }
      default: {
        scalarEnd = wordEnd(text, at);
        // Any other character is no JSON; without this check the loop would not advance.
        if (scalarEnd === at) return notJson(text);
        if (!takesOddValues && (code === 0x2d || (code >= 0x30 && code <= 0x39))) {
          const problem = writtenNumberProblem(text.slice(at, scalarEnd));
          if (problem !== undefined) return refuseJson(problem, path);
        }
      }
    }
    nodes += 1;
    if (nodes > maxNodes) return tooMany(maxNodes, path);
    at = scalarEnd;
  }

  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return notJson(text);
  }
}

/** The same checks for a parsed value, which stays as it is. */
export function checkJson(value: unknown, limits: JsonLimits = {}): JsonResult {
  const maxDepth = limits.maxDepth ?? LIMITS.jsonDepth;
  const maxNodes = limits.maxNodes ?? LIMITS.jsonValues;
  const todo: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }];
  let nodes = 0;

  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value: current, path } = next;
    nodes += 1;
    if (nodes > maxNodes) return tooMany(maxNodes, path);
    if (current === null || typeof current === 'boolean') continue;
    if (typeof current === 'string' || typeof current === 'number') {
      const problem =
        typeof current === 'string' ? stringProblem(current, 'Text') : jsonNumberProblem(current);
      if (problem !== undefined) return refuseJson(problem, path);
      continue;
    }
    if (typeof current !== 'object' || !isPlain(current))
      return refuseJson('Not a JSON value', path);
    // This also ends a value that contains itself.
    if (path.length >= maxDepth) return tooDeep(maxDepth, path);
    // Before the children are queued: a long array must not cost memory first.
    const size = Array.isArray(current) ? current.length : Object.keys(current).length;
    if (nodes + todo.length + size > maxNodes) return tooMany(maxNodes, path);
    // Last first, so that the first problem in reading order is the one reported.
    for (const [key, child] of Object.entries(current).toReversed()) {
      const problem = Array.isArray(current)
        ? undefined
        : (stringProblem(key, 'A key') ?? keyProblem(key));
      if (problem !== undefined) return refuseJson(problem, path);
      todo.push({ value: child, path: [...path, key] });
    }
  }
  return { ok: true, value: value as Json };
}

/** Own, enumerable, plain data only: what `JSON.stringify` would write down and no less. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isArray = Array.isArray(value);
  if (
    isArray ? prototype !== Array.prototype : prototype !== Object.prototype && prototype !== null
  )
    return false;
  const names = Reflect.ownKeys(value);
  // An array has one more own key, `length`; with a hole or a named property the two differ.
  if (isArray && names.length !== value.length + 1) return false;
  return (isArray ? [...value.keys()] : names).every((name) => {
    if (typeof name === 'symbol') return false;
    const property = Object.getOwnPropertyDescriptor(value, name);
    return property?.enumerable === true && 'value' in property;
  });
}

/** Past the closing quote of the string that opens at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? -1 : end + 1;
}

/** Whether an odd number of backslashes stands before it. */
export function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function stringAt(text: string, start: number, end: number): string | undefined {
  const inside = text.slice(start + 1, end - 1);
  if (!inside.includes('\\')) return inside;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return undefined;
  }
}

/** Past the letters, digits, signs and dots of a number or of `true`, `false`, `null`. */
function wordEnd(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isWord =
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x61 && code <= 0x7a) ||
      code === 0x2d ||
      code === 0x2b ||
      code === 0x2e ||
      code === 0x45;
    if (!isWord) break;
  }
  return at;
}

/** `seen` remembers the key for the next one; a value that is already parsed has no equal keys. */
function keyProblem(key: string, seen?: SeenKeys, takesReserved = false): string | undefined {
  if (!takesReserved && RESERVED_KEYS.has(key)) return `The key "${key}" is reserved`;
  return seen?.add(key) === false ? `Duplicate key ${quoteKey(key)}` : undefined;
}

/** The keys of one object. Comparing a few keys is faster than hashing them. */
class SeenKeys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False for a key that was added before. */
  add(key: string): boolean {
    if (this.#many === undefined) {
      if (this.#few.includes(key)) return false;
      this.#few.push(key);
      if (this.#few.length > FEW_KEYS) this.#many = new Set(this.#few);
      return true;
    }
    if (this.#many.has(key)) return false;
    this.#many.add(key);
    return true;
  }
}

function stringProblem(text: string, what: string): string | undefined {
  if (!text.isWellFormed()) return `${what} contains half of a surrogate pair`;
  if (text.includes('\0')) return `${what} contains the character U+0000`;
  return undefined;
}

function jsonNumberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'A number is not finite';
  if (Object.is(value, -0)) return 'Negative zero is not kept; write 0';
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return 'A number beyond 2^53 is not exact; send it as text';
  return undefined;
}

/** Of a number as JSON writes it: whether every program reads it as the same value. */
export function isExactNumber(text: string): boolean {
  return writtenNumberProblem(text) === undefined;
}

/**
 * Only the text shows the loss of a number that is read as a double: 1e-400 is read as 0, and 9007199254740991.4 without its
 * fraction. Other fractions are rounded to the double that JavaScript writes back, as with 0.1.
 */
function writtenNumberProblem(text: string): string | undefined {
  const value = Number(text);
  // NaN is a malformed number: a matter of grammar.
  if (Number.isNaN(value)) return undefined;
  if (value === 0 && /^-?[0.]*[1-9]/.test(text)) {
    return 'A number is too close to zero to be kept; send it as text';
  }
  const problem = jsonNumberProblem(value);
  if (problem !== undefined) return problem;
  return Math.abs(value) >= NO_FRACTIONS_FROM && !isWrittenWhole(text)
    ? 'A number beyond 2^52 keeps no fraction; send it as text'
    : undefined;
}

/** Whether only zeros stand behind the point, wherever the exponent puts it. */
function isWrittenWhole(text: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = WRITTEN_NUMBER.exec(text) ?? [];
  const behind = fraction.length - Number(exponent);
  return behind <= 0 || /^0*$/.test((whole + fraction).slice(-behind));
}

function quoteKey(key: string): string {
  const characters = Array.from(key);
  return JSON.stringify(characters.length > 64 ? `${characters.slice(0, 64).join('')}…` : key);
}

function tooMany(maxNodes: number, path: readonly (string | number)[]): JsonResult {
  return refuseJson(`More than ${maxNodes} values`, path);
}

function tooDeep(maxDepth: number, path: readonly (string | number)[]): JsonResult {
  return refuseJson(`Nested more than ${maxDepth} levels deep`, path);
}

function notJson(text: string): JsonResult {
  const { sentence: problem, ...place } = findJsonFault(text);
  return { ok: false, problem, ...place };
}

function refuseJson(problem: string, path?: readonly (string | number)[]): JsonResult {
  if (path === undefined) return { ok: false, problem };
  const pointer = path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return pointer.length > MAX_PATH_CHARS
    ? { ok: false, problem }
    : { ok: false, problem, path: pointer };
}
