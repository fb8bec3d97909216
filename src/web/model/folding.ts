/** How a value is shown: as names and texts or as JSON, folded where it is long, with its size in words. */
import { isObject } from '../../protocol/types.ts';
import { formatNumber, t, tn } from './language.ts';

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

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/** For example "812 bytes" or "100 KB" (of 1,024 bytes). */
export function byteCount(bytes: number): string {
  if (bytes < 1_024) return tn(bytes, '1 byte', '{count} bytes', { count: String(bytes) });
  const kilobytes = bytes / 1_024;
  if (kilobytes < 1_024)
    return t('{size} KB', { size: kilobytes < 10 ? oneDecimal(kilobytes) : Math.round(kilobytes) });
  return t('{size} MB', { size: oneDecimal(kilobytes / 1_024) });
}

function oneDecimal(size: number): string {
  return formatNumber(size, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** With so few lines, the number of lines does not tell the length. */
const FEW_LINES = 5;

/** The size of a folded text: its lines, or its bytes where most of it is in one line. */
export function sizeOfText(text: string): string {
  const lines = text.trimEnd().split('\n').length;
  return lines > FEW_LINES ? tn(lines, '1 line', '{count} lines') : byteCount(byteLength(text));
}
