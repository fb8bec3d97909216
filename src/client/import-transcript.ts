/**
 * Imports the transcript of a command-line agent into a session: adds the CLI session, cuts the entries into pages and
 * sends those that the server lacks.
 *
 * It begins with the last entry that the server has, so that a rewritten transcript is noticed even if it grew by nothing.
 * When the server has other entries it begins again at the first; entries that agree change nothing there.
 */
import { countBytes } from '../protocol/bytes.ts';
import { isSameCliSession } from '../protocol/cli-sessions.ts';
import {
  blockStart,
  digestLines,
  hashNatively,
  HISTORY_BLOCK,
  type HashText,
} from '../protocol/history-digest.ts';
import type { CliSession, HistoryEntry, HistoryExtent } from '../protocol/types.ts';
import { ClientError } from './errors.ts';
import { toJsonText } from './requests/http-calls.ts';
import type { RequestOptions, Transport } from './transport.ts';

export interface ImportOptions extends RequestOptions {
  /** SHA-256 as lower-case hexadecimal. Default: that of the platform. */
  readonly hash?: HashText;
  /** Called after each page with the number of entries that the server has. */
  readonly onPage?: (entries: number) => void;
}

/** Below the server's limit of a page, with room for the other fields of the body. */
const PAGE_BYTES = 1_000_000;
/** Whole blocks of the digest: the server then adds the next page without reading this one. */
const PAGE_ENTRIES = 15 * HISTORY_BLOCK;

/** Two importers with different transcripts of one session replace each other's pages, so an importer gives up. */
const MAX_BEGINNINGS = 5;

/** Resolves with what the server has after the import. An entry that is larger than a page is refused with `too_large`. */
export async function importTranscript(
  transport: Pick<Transport, 'mapCliSession' | 'importHistory'>,
  sessionId: string,
  cli: CliSession,
  entries: readonly HistoryEntry[],
  { hash = hashNatively, onPage, signal }: ImportOptions = {},
): Promise<HistoryExtent> {
  const { cliSessions } = await transport.mapCliSession(sessionId, cli);
  const known = cliSessions.find((one) => isSameCliSession(one, cli));
  const { provider, cliSessionId } = cli;
  const pages = new TranscriptPages(entries, hash);
  let from = Math.max(0, Math.min(known?.entries ?? 0, entries.length) - 1);
  let extent: HistoryExtent = { entries: known?.entries ?? 0, digest: '', rev: known?.rev ?? 0 };
  let prefixDigest = await pages.digestOf(from);
  let beginnings = 1;
  while (from < entries.length) {
    const end = pages.endFrom(from);
    const page = { provider, cliSessionId, from, prefixDigest, entries: entries.slice(from, end) };
    const how = { signal, lines: pages.lines.slice(from, end) };
    try {
      const sent = transport.importHistory(sessionId, page, how);
      [extent] = await Promise.all([sent, pages.prepare(end)]);
    } catch (cause) {
      if (!isOtherHistory(cause) || from === 0 || beginnings >= MAX_BEGINNINGS) throw cause;
      beginnings += 1;
      from = 0;
      prefixDigest = '';
      continue;
    }
    onPage?.(extent.entries);
    from = end;
    // Another importer may be ahead; then the reply has the digest of more than this page.
    prefixDigest = extent.entries === end ? extent.digest : await pages.digestOf(end);
  }
  return extent;
}

/** The JSON texts of the entries, written once each, and where a page ends. */
class TranscriptPages {
  readonly lines: string[] = [];
  readonly #bytes: number[] = [];
  readonly #entries: readonly HistoryEntry[];
  readonly #hash: HashText;

  constructor(entries: readonly HistoryEntry[], hash: HashText) {
    this.#entries = entries;
    this.#hash = hash;
  }

  endFrom(from: number): number {
    const { length } = this.#entries;
    const last = Math.min(length, from + PAGE_ENTRIES - (from % HISTORY_BLOCK));
    let size = 0;
    let end = from;
    while (end < last) {
      size += this.#bytesAt(end) + 1;
      if (end > from && size > PAGE_BYTES) break;
      end += 1;
    }
    return end === length || blockStart(end) <= from ? end : blockStart(end);
  }

  /** Writes the lines of the next page while the server works on this one. */
  async prepare(from: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#writeUpTo(Math.min(this.#entries.length, from + PAGE_ENTRIES));
  }

  async digestOf(end: number): Promise<string> {
    this.#writeUpTo(end);
    return (await digestLines(this.#hash, this.lines.slice(0, end))).digest;
  }

  #bytesAt(index: number): number {
    this.#writeUpTo(index + 1);
    return this.#bytes[index] ?? 0;
  }

  /** Also counts the lines: the server would wait for a count that is made where a page is cut. */
  #writeUpTo(end: number): void {
    for (let next = this.lines.length; next < end; next += 1) {
      const line = toJsonText(this.#entries[next]) ?? '';
      this.lines.push(line);
      this.#bytes.push(countBytes(line));
    }
  }
}

function isOtherHistory(cause: unknown): boolean {
  return (
    cause instanceof ClientError &&
    (cause.code === 'history_changed' || cause.code === 'history_gap')
  );
}
