/**
 * Makes strict JSON of what other programs wrote.
 *
 * The server refuses half surrogates, U+0000, equal keys, reserved keys and inexact numbers (`protocol/json.ts`), and
 * transcripts hold all of them: a tool's output was cut in the middle of an emoji, a file has a zero byte. Each change
 * is reported, so that no text differs from the transcript without a warning. A value that needs no change is returned
 * as it is.
 */
import { countBytes } from '../../protocol/bytes.ts';
import { isEscaped, type Json, type JsonObject, RESERVED_KEYS } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';

export type ReportChange = (what: string) => void;

/** The body of a page and an entry are around a value, and the server counts their levels too. */
const ENTRY_DEPTH = LIMITS.jsonDepth - 6;

/** Undefined if the text is no JSON. */
export function parseLoosely(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `JSON.parse` keeps the last of two equal keys; only the text shows that there were two. */
export function reportEqualKeys(text: string, value: Json, report: ReportChange): void {
  const lost = countWrittenKeys(text) - countKeys(value);
  if (lost > 0) report(`${lost} of its keys stood there twice; the last value was kept`);
}

/** The keys in valid JSON text: its strings that a colon follows. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end < 0) break;
    let next = end + 1;
    while (text.charCodeAt(next) <= 0x20) next += 1;
    if (text[next] === ':') keys += 1;
    start = text.indexOf('"', next);
  }
  return keys;
}

function countKeys(value: Json): number {
  let keys = 0;
  const todo: Json[] = [value];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) keys += children.length;
    for (const child of children) if (typeof child === 'object') todo.push(child);
  }
  return keys;
}

/** What may still be written of one entry. */
interface Room {
  bytes: number;
  values: number;
  readonly report: ReportChange;
}

/**
 * The value as strict JSON of at most `LIMITS.historyEntryBytes`, with texts of at most `LIMITS.eventTextChars`.
 * `writtenChars` is the length of the text that the value was parsed from: only a long text is measured part by part.
 */
export function cleanJson(value: Json, writtenChars: number, report: ReportChange): Json {
  const isShort = writtenChars * 3 <= LIMITS.historyEntryBytes;
  const bytes = isShort ? Infinity : LIMITS.historyEntryBytes;
  const values = writtenChars <= LIMITS.jsonValues ? Infinity : LIMITS.jsonValues;
  return cleanValue(value, 1, { bytes, values, report });
}

function cleanValue(value: Json, depth: number, room: Room): Json {
  room.values -= 1;
  if (typeof value === 'string') return cleanText(value, room);
  if (typeof value === 'number') return cleanNumber(value, room);
  if (typeof value !== 'object' || value === null) {
    room.bytes -= 6;
    return value;
  }
  if (depth > ENTRY_DEPTH) {
    room.report(`what is nested more than ${ENTRY_DEPTH} levels deep was left out`);
    return '…';
  }
  room.bytes -= 2;
  return Array.isArray(value) ? cleanList(value, depth, room) : cleanObject(value, depth, room);
}

function cleanList(list: Json[], depth: number, room: Room): Json[] {
  const clean: Json[] = [];
  let isSame = true;
  for (const item of list) {
    if (isFull(room)) return clean;
    const kept = cleanValue(item, depth + 1, room);
    room.bytes -= 1;
    isSame &&= kept === item;
    clean.push(kept);
  }
  return isSame ? list : clean;
}

function cleanObject(object: JsonObject, depth: number, room: Room): JsonObject {
  const clean: JsonObject = {};
  let isSame = true;
  for (const [key, value] of Object.entries(object)) {
    if (isFull(room)) return clean;
    if (RESERVED_KEYS.has(key)) {
      room.report(`the key "${key}" is reserved and was left out`);
      isSame = false;
      continue;
    }
    const name = cleanText(key, room);
    const kept = cleanValue(value, depth + 1, room);
    room.bytes -= 2;
    isSame &&= name === key && kept === value;
    clean[name] = kept;
  }
  return isSame ? object : clean;
}

function isFull({ bytes, values, report }: Room): boolean {
  if (values <= 0) report(`cut at ${group(LIMITS.jsonValues)} values`);
  if (bytes <= 0) report(`cut at ${group(LIMITS.historyEntryBytes)} bytes`);
  return values <= 0 || bytes <= 0;
}

function cleanText(written: string, room: Room): string {
  let text = written;
  if (!text.isWellFormed()) {
    room.report('half of a surrogate pair was replaced with U+FFFD');
    text = text.toWellFormed();
  }
  if (text.includes('\0')) {
    room.report('the character U+0000 was replaced with U+FFFD');
    text = text.replaceAll('\0', '\uFFFD');
  }
  if (text.length > LIMITS.eventTextChars) {
    room.report(`a text was cut at ${group(LIMITS.eventTextChars)} characters`);
    text = cutToChars(text, LIMITS.eventTextChars);
  }
  if (room.bytes !== Infinity) text = fitText(text, room);
  return text;
}

function fitText(written: string, room: Room): string {
  let text = written;
  let bytes = jsonBytes(text);
  while (bytes > room.bytes && text !== '') {
    const fitting = Math.floor((text.length * Math.max(room.bytes - 2, 0)) / bytes);
    text = cutToChars(text, Math.min(fitting, text.length - 1));
    bytes = jsonBytes(text);
  }
  if (text !== written) room.report(`cut at ${group(LIMITS.historyEntryBytes)} bytes`);
  room.bytes -= bytes;
  return text;
}

function jsonBytes(text: string): number {
  return countBytes(JSON.stringify(text));
}

/** Never between the halves of a surrogate pair. */
function cutToChars(text: string, chars: number): string {
  const isLead = (text.charCodeAt(chars - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isLead ? chars - 1 : chars);
}

function cleanNumber(value: number, room: Room): Json {
  room.bytes -= 24;
  if (Object.is(value, -0)) return 0;
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  room.report('a number beyond 2^53 was written as text');
  return String(value);
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
