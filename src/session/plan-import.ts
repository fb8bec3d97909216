/**
 * What one page of a transcript changes in the stored history of its CLI session.
 *
 * All reads come before the first hash, so that a plan describes one moment. A row ends with the digest of everything up
 * to its end: a page that continues the stored history is checked without reading an entry, and one that begins inside a
 * row by reading this row.
 *
 * A small last row is written again with the entries of the next page. Otherwise an importer that follows a transcript
 * line by line would leave a row for each.
 */
import { countBytes, fitsInBytes } from '../protocol/bytes.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { blockStart, digestLines, type HashText } from '../protocol/history-digest.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { HistoryLines } from './history.ts';
import type { HistoryChange, HistoryRow, HistoryRowHead, HistoryRows } from './ports.ts';

export interface ImportPlan {
  readonly ok: true;
  /** Undefined if the page is stored already. */
  readonly change: HistoryChange | undefined;
  readonly replaces: boolean;
  /** Of the whole history after the import. */
  readonly entries: number;
  readonly digest: string;
}

/** A row beyond this size is not written again for entries that follow it. */
const SMALL_ROW_BYTES = 64 * 1_024;

export async function planImport(
  rows: HistoryRows,
  hash: HashText,
  cli: number,
  { from, prefixDigest, lines }: HistoryLines,
): Promise<ImportPlan | Rejection> {
  const stored = new StoredHistory(rows, cli);
  const { entries } = stored;
  if (from > entries) {
    const message = `The stored history ends at ${entries}; send the entries from there`;
    return reject('history_gap', message, { entries });
  }
  const prefix = stored.prefixOf(from);
  const known = stored.read(from, Math.min(entries, from + lines.length));
  const same = countSame(known, lines);
  const at = from + same;
  const base = stored.baseFor(at);
  const total = rows.bytes() - base.replacedBytes + base.kept.bytes;

  const actual = prefix.digest ?? (await digestLines(hash, prefix.lines, prefix.chain)).digest;
  if (actual !== prefixDigest) {
    const message = 'The entries before this page are stored differently; send all from 0';
    return reject('history_changed', message, { entries, digest: stored.digest });
  }
  const added = lines.slice(same);
  if (added.length === 0) {
    const { digest } = stored;
    return { ok: true, change: undefined, replaces: false, entries, digest };
  }
  if (!linesFit(added, LIMITS.historyBytes - total)) {
    return reject(
      'limit_reached',
      `The imported history of this session would be larger than ${LIMITS.historyBytes} bytes`,
      { limit: 'historyBytes', max: LIMITS.historyBytes },
    );
  }
  const made = await makeRows(hash, base, added);
  const change = { cli, first: base.first, rows: made };
  const digest = made.at(-1)?.digest ?? '';
  return { ok: true, change, replaces: at < entries, entries: at + added.length, digest };
}

/** Joins the lines only where their lengths do not decide: of a page they are a megabyte. */
function linesFit(lines: readonly string[], maxBytes: number): boolean {
  const chars = lines.reduce((sum, { length }) => sum + length + 1, 0);
  return chars * 3 <= maxBytes || fitsInBytes(lines.join('\n'), maxBytes);
}

function countSame(known: readonly string[], lines: readonly string[]): number {
  const different = known.findIndex((line, index) => line !== lines[index]);
  return different < 0 ? known.length : different;
}

/** Where new entries are added: the rows from `first` on are replaced by the kept lines and the new ones. */
interface Base {
  readonly first: number;
  readonly replacedBytes: number;
  readonly kept: { readonly lines: readonly string[]; readonly bytes: number };
  /** The last link before `first`, and the lines between it and `first`. */
  readonly chain: string;
  readonly tail: readonly string[];
}

/** One row, or two if the kept lines are many. */
async function makeRows(
  hash: HashText,
  { first, kept, chain, tail }: Base,
  added: readonly string[],
): Promise<HistoryRow[]> {
  if (kept.bytes < SMALL_ROW_BYTES) {
    const lines = [...kept.lines, ...added];
    const link = await digestLines(hash, [...tail, ...lines], chain);
    return [{ first, entries: lines.length, ...link, lines }];
  }
  const before = await digestLines(hash, [...tail, ...kept.lines], chain);
  const end = first + kept.lines.length;
  const begun = [...tail, ...kept.lines].slice(blockStart(end) - blockStart(first));
  const link = await digestLines(hash, [...begun, ...added], before.chain);
  return [
    { first, entries: kept.lines.length, ...before, lines: kept.lines },
    { first: end, entries: added.length, ...link, lines: added },
  ];
}

class StoredHistory {
  readonly #rows: HistoryRows;
  readonly #cli: number;
  readonly #heads: readonly HistoryRowHead[];
  readonly entries: number;
  readonly digest: string;

  constructor(rows: HistoryRows, cli: number) {
    this.#rows = rows;
    this.#cli = cli;
    this.#heads = rows.list(cli);
    const last = this.#heads.at(-1);
    this.entries = last === undefined ? 0 : endOf(last);
    this.digest = last?.digest ?? '';
  }

  /** The lines from `first` to `end`, exclusive. */
  read(first: number, end: number): string[] {
    return this.#heads
      .filter((row) => row.first < end && endOf(row) > first)
      .flatMap((row) =>
        this.#rows
          .lines(this.#cli, row.first)
          .slice(Math.max(0, first - row.first), Math.max(0, end - row.first)),
      );
  }

  /** The digest of the entries before `end`, or the lines that it must be computed from. */
  prefixOf(end: number): {
    readonly digest?: string;
    readonly chain: string;
    readonly lines: readonly string[];
  } {
    if (end === 0) return { digest: '', chain: '', lines: [] };
    const row = this.#heads.find((one) => endOf(one) >= end);
    if (row !== undefined && endOf(row) === end) return { ...row, lines: [] };
    const first = row?.first ?? 0;
    return { chain: this.#chainBefore(first), lines: this.read(blockStart(first), end) };
  }

  baseFor(at: number): Base {
    const last = this.#heads.at(-1);
    const isSmall = last !== undefined && last.bytes < SMALL_ROW_BYTES;
    const row =
      at < this.entries ? this.#heads.find((one) => endOf(one) > at) : isSmall ? last : undefined;
    const first = row?.first ?? at;
    const replaced = this.#heads.filter((one) => one.first >= first);
    const kept = this.read(first, at);
    return {
      first,
      replacedBytes: replaced.reduce((bytes, one) => bytes + one.bytes, 0),
      kept: { lines: kept, bytes: countBytes(kept.join('\n')) },
      chain: this.#chainBefore(first),
      tail: this.read(blockStart(first), first),
    };
  }

  #chainBefore(first: number): string {
    return this.#heads.find((row) => endOf(row) === first)?.chain ?? '';
  }
}

function endOf({ first, entries }: HistoryRowHead): number {
  return first + entries;
}
