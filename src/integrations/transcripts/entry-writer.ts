/**
 * Makes history entries of the lines of a transcript: their ids, times and strict content.
 *
 * 1. An id is the `uuid` of the line, or `line-` and its number, with `:1`, `:2` and so on for more entries of one line.
 *    No clock and no chance is in an entry: two readings of one file are equal.
 * 2. The entries of the first lines of a file are the first entries of the whole file, so that a transcript that grows is
 *    imported by appending.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { isText, isObject, type HistoryEntry, type CliSession } from '../../protocol/types.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { cleanJson, parseLoosely, reportEqualKeys, type ReportChange } from './clean-json.ts';

export interface TranscriptWarning {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

export interface EntryNames {
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly toolCallId?: string | undefined;
}

type WrittenCallNames = Omit<EntryNames, 'toolCallId'> & { readonly toolCallId: Json | undefined };

/** A transcript with a fault in every line must not fill the memory with warnings. */
const MAX_WARNINGS = 1_000;
const UNSAFE_CHARACTERS = /[^A-Za-z0-9_.:-]/g;
const ID_CHARS = 128;

export class EntryWriter {
  readonly warnings: TranscriptWarning[] = [];
  /** Also those that are no longer listed. */
  warningCount = 0;
  /** The time of the last entry. */
  at = 0;
  #entries: HistoryEntry[] = [];
  #line = { number: 0, id: '', chars: 0, entries: 0 };
  readonly #reported = new Set<string>();

  beginLine(number: number, chars: number): void {
    this.#line = { number, id: `line-${number}`, chars, entries: 0 };
    this.#reported.clear();
  }

  /** The id and the time that the line gives itself; a line without a time has that of the entry before it. */
  nameLine(uuid: Json | undefined, timestamp: Json | undefined): void {
    if (typeof uuid === 'string' && uuid !== '') this.#line.id = cleanId(uuid);
    const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    if (at >= 0) this.at = at;
  }

  get hasEntriesOfLine(): boolean {
    return this.#line.entries > 0;
  }

  get lineId(): string {
    return this.#line.id;
  }

  readonly warn: ReportChange = (what) => {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.warningCount += 1;
    if (this.warnings.length < MAX_WARNINGS) {
      this.warnings.push({ line: this.#line.number, what });
    }
  };

  add(type: HistoryEntry['type'], names: EntryNames, payload: JsonObject, at = this.at): void {
    const { id, entries, chars } = this.#line;
    this.#line.entries += 1;
    this.#entries.push({
      id: entries === 0 ? id : `${id}:${entries}`,
      at,
      ...this.#cleanNames(names),
      type,
      payload: cleanJson(payload, chars, this.warn),
    } as HistoryEntry);
  }

  addCall(names: WrittenCallNames, toolName: Json | undefined, input: JsonObject): void {
    const name = isText(toolName) && toolName !== '' ? toolName : 'unknown';
    this.#addOfCall('tool_call', names, {
      toolName: name.slice(0, LIMITS.toolNameChars),
      input,
    });
  }

  addResult(names: WrittenCallNames, output: Json, isError: boolean): void {
    this.#addOfCall('tool_result', names, { output, ...(isError && { isError }) });
  }

  /** JSON in a text of the line, as a value; the text itself if it is no JSON. */
  parseInner(text: string): Json {
    const value = parseLoosely(text);
    if (value !== undefined) reportEqualKeys(text, value, this.warn);
    return value ?? text;
  }

  takeEntries(): HistoryEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Without an id it belongs to no call. */
  #addOfCall(type: HistoryEntry['type'], names: WrittenCallNames, payload: JsonObject): void {
    const { toolCallId } = names;
    if (isText(toolCallId) && toolCallId !== '') this.add(type, { ...names, toolCallId }, payload);
    else this.warn('a tool call without an id was left out');
  }

  #cleanNames(names: EntryNames): EntryNames {
    const clean: Record<string, string> = {};
    for (const [name, id] of Object.entries(names)) {
      if (typeof id !== 'string' || id === '') continue;
      clean[name] = cleanId(id);
      if (clean[name] !== id) this.warn('characters of an id were replaced with _');
    }
    return clean;
  }
}

function cleanId(id: string): string {
  return id.replace(UNSAFE_CHARACTERS, '_').slice(0, ID_CHARS);
}

export type MutableCliSession = { -readonly [K in keyof CliSession]: CliSession[K] };

export interface TranscriptFormat {
  /** Its id is empty until a line has it. */
  readonly session: MutableCliSession;
  read(line: JsonObject, out: EntryWriter): void;
}

/** For reading the fields of a value of unknown shape. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Content is one text, or a list of blocks. */
export function blocksOf(content: unknown): JsonObject[] {
  if (isText(content)) return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Blocks as one text, one after another on lines of their own. */
export function textOf(blocks: readonly JsonObject[]): string {
  return blocks.map(textOfBlock).filter(Boolean).join('\n');
}

function textOfBlock({ type, text }: JsonObject): string {
  if (isText(text)) return text;
  return isText(type) && /image/i.test(type) ? '[image]' : '';
}

/** What a tool gave back; a list of texts is one text, and of an image only its mark stays. */
export function outputOf(content: Json | undefined, report: ReportChange): Json {
  if (!Array.isArray(content)) return content ?? '';
  const blocks = blocksOf(content);
  if (blocks.length < content.length || blocks.some((block) => textOfBlock(block) === '')) {
    return content;
  }
  if (blocks.some(({ text }) => !isText(text))) report('an image was left out');
  return textOf(blocks);
}
