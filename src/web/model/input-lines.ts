/** A tool's input as names and values for reading, and as the JSON that is sent. */
import { isObject } from '../../protocol/guards.ts';

const LONG_CHARS = 1_200;
const LONG_LINES = 14;

export interface InputPair {
  readonly name: string;
  readonly text: string;
}

/** Undefined for anything but an object with entries: that is shown as JSON at once. */
export function inputPairs(value: unknown): readonly InputPair[] | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  return entries.map(([name, part]) => ({
    name,
    text: typeof part === 'string' ? part : rawJson(part),
  }));
}

export function rawJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}

/** Too long to be shown unfolded. */
export function isLong(text: string): boolean {
  if (text.length > LONG_CHARS) return true;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines >= LONG_LINES;
}

/** The start of a long text; never half of a surrogate pair. */
export function startOfText(text: string): string {
  return text.slice(0, LONG_CHARS).replace(/[\uD800-\uDBFF]$/, '');
}

/** Whether `JsonView` folds part of this value. */
export function hidesPart(value: unknown): boolean {
  const pairs = inputPairs(value);
  return pairs === undefined ? isLong(rawJson(value)) : pairs.some(({ text }) => isLong(text));
}
