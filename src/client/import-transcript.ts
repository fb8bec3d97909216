/**
 * Imports the transcript of a command-line agent into a session: adds the CLI session, cuts the entries into pages and
 * sends those that the server lacks.
 *
 * It begins with the last entry that the server has, so that a rewritten transcript is noticed even if it grew by nothing.
 * When the server has other entries it begins again at the first; entries that agree change nothing there.
 */
import { countBytes } from '../protocol/bytes.ts';
import { isSameCliSession } from '../protocol/cli-sessions.ts';
import { digestLines, type HashText } from '../protocol/history-digest.ts';
import type { CliSession, HistoryEntry, HistoryExtent } from '../protocol/types.ts';
import { ClientError } from './errors.ts';
import type { RequestOptions, Transport } from './transport.ts';

export interface ImportOptions extends RequestOptions {
  /** SHA-256 as lower-case hexadecimal. Default: that of the platform. */
  readonly hash?: HashText;
  /** Called after each page with the number of entries that the server has. */
  readonly onPage?: (entries: number) => void;
}

/** Below the server's limit of a page, with room for the other fields of the body. */
const PAGE_BYTES = 1_000_000;
const PAGE_ENTRIES = 1_000;

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
  const lines = entries.map((entry) => JSON.stringify(entry));
  let from = Math.max(0, Math.min(known?.entries ?? 0, lines.length) - 1);
  let extent: HistoryExtent = { entries: known?.entries ?? 0, digest: '', rev: known?.rev ?? 0 };
  let prefixDigest = (await digestLines(hash, lines.slice(0, from))).digest;
  while (from < lines.length) {
    const end = from + countPage(lines, from);
    const page = { provider, cliSessionId, from, prefixDigest, entries: entries.slice(from, end) };
    try {
      extent = await transport.importHistory(sessionId, page, { signal });
    } catch (cause) {
      if (!isOtherHistory(cause) || from === 0) throw cause;
      from = 0;
      prefixDigest = '';
      continue;
    }
    onPage?.(extent.entries);
    from = end;
    // Another importer may be ahead; then the reply has the digest of more than this page.
    prefixDigest =
      extent.entries === end
        ? extent.digest
        : (await digestLines(hash, lines.slice(0, end))).digest;
  }
  return extent;
}

function countPage(lines: readonly string[], from: number): number {
  let size = 0;
  let count = 0;
  while (count < PAGE_ENTRIES && from + count < lines.length) {
    size += countBytes(lines[from + count] ?? '') + 1;
    if (count > 0 && size > PAGE_BYTES) break;
    count += 1;
  }
  return count;
}

function isOtherHistory(cause: unknown): boolean {
  return (
    cause instanceof ClientError &&
    (cause.code === 'history_changed' || cause.code === 'history_gap')
  );
}

async function hashNatively(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
