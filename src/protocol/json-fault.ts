/**
 * Finds the position at which a text stops being JSON, for its author.
 *
 * It runs only on a refused text, because the message of `JSON.parse` differs between engines; `JSON.parse` alone decides.
 * It is a loop, because a text of brackets must not exhaust the stack.
 */
import { deferPattern } from './defer-pattern.ts';

export interface JsonFault {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly sentence: string;
}

/** The next expected token: a value, a name in an object, a colon, or a comma or the end. */
type Expecting = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

/** Of one character. */
const DRAWN = deferPattern(String.raw`^[\p{L}\p{N}\p{P}\p{S}]$`, 'u');
const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The longest beginning of a number, or of an escape; the fault is at its end. */
const NUMBER_SO_FAR = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const ESCAPE_SO_FAR = /["\\/bfnrt]|u[0-9a-fA-F]{0,4}/y;
const JSON_WORDS = ['true', 'false', 'null'];

export function findJsonFault(text: string): JsonFault {
  const at = findFault(text);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
  const place = `line ${line}, column ${column}`;
  const character = text.codePointAt(at);
  const sentence =
    text.trim() === ''
      ? 'Not valid JSON: it is empty'
      : character === undefined
        ? `Not valid JSON: it ends too early, at ${place}`
        : `Not valid JSON: unexpected ${quoteCharacter(character)} at ${place}`;
  return { line, column, sentence };
}

function findFault(text: string): number {
  const inside: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  for (;;) {
    at = matchEnd(BLANK, text, at) ?? at;
    const character = text[at];
    if (character === undefined) return at;
    const top = inside.at(-1);
    const closes = character === '}' ? '{' : '[';
    if (character === '}' || character === ']') {
      const mayClose =
        expecting === 'comma or end' || expecting === (closes === '{' ? 'name or }' : 'value or ]');
      if (top !== closes || !mayClose) return at;
      inside.pop();
      expecting = 'comma or end';
      at += 1;
    } else if (expecting === 'comma or end') {
      if (character !== ',' || top === undefined) return at;
      expecting = top === '{' ? 'name' : 'value';
      at += 1;
    } else if (expecting === 'colon') {
      if (character !== ':') return at;
      expecting = 'value';
      at += 1;
    } else if (expecting === 'name' || expecting === 'name or }') {
      if (character !== '"') return at;
      const string = readString(text, at);
      if (!string.isWhole) return string.end;
      expecting = 'colon';
      at = string.end;
    } else if (character === '{' || character === '[') {
      inside.push(character);
      expecting = character === '{' ? 'name or }' : 'value or ]';
      at += 1;
    } else {
      const scalar = readScalar(text, at);
      if (!scalar.isWhole) return scalar.end;
      expecting = 'comma or end';
      at = scalar.end;
    }
  }
}

interface ScanResult {
  readonly isWhole: boolean;
  /** Past it, or where it went wrong. */
  readonly end: number;
}

function readScalar(text: string, at: number): ScanResult {
  if (text[at] === '"') return readString(text, at);
  const end = matchEnd(NUMBER_SO_FAR, text, at) ?? at;
  if (end > at) return { isWhole: matchEnd(NUMBER, text, at) === end, end };
  const word = JSON_WORDS.find((one) => one[0] === text[at]) ?? '';
  let length = 0;
  while (length < word.length && text[at + length] === word[length]) length += 1;
  return { isWhole: length > 0 && length === word.length, end: at + length };
}

function readString(text: string, start: number): ScanResult {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { isWhole: true, end: at + 1 };
    if (code < 0x20) return { isWhole: false, end: at };
    if (code !== 0x5c) continue;
    const end = matchEnd(ESCAPE_SO_FAR, text, at + 1) ?? at + 1;
    if (matchEnd(ESCAPE, text, at + 1) !== end) return { isWhole: false, end };
    at = end - 1;
  }
  return { isWhole: false, end: text.length };
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function quoteCharacter(character: number): string {
  const text = String.fromCodePoint(character);
  if (DRAWN().test(text)) return text === '"' ? "'\"'" : `"${text}"`;
  return `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
}
