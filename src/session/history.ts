/**
 * The imported history of a session: pages of a transcript come in, pages for a screen go out.
 *
 * An import waits for the platform's hash function between its reads and its write, so it is no command by itself. It
 * reads what it needs, hashes, and then sends `history.import` together with the rows. If another import has changed the
 * same CLI session in the meantime, it begins again (`planImport` decides what would change).
 *
 * 1. A page changes nothing unless the importer has the entries before it as they are stored.
 * 2. Entries that are stored already change nothing, so two importers of one file do no harm.
 * 3. The first entry that differs replaces everything from there on.
 */
import * as z from '../protocol/schema/zod.ts';
import { UNKNOWN_CLI_SESSION } from '../core/decisions/cli-session.ts';
import type { SessionState } from '../core/state.ts';
import { countBytes } from '../protocol/bytes.ts';
import { isSameCliSession } from '../protocol/cli-sessions.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { CliSessionView } from '../protocol/schema/cli-session.ts';
import type { Context } from '../protocol/schema/command.ts';
import { readCursor, writeCursor } from '../protocol/schema/cursor.ts';
import type { HistoryExtent, HistoryImport } from '../protocol/schema/history.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { requireState } from './queries.ts';
import type { Session } from './session.ts';
import { type ResultText, writeResult } from './command-result.ts';

/** A page whose entries are texts: each line is stored as it is. */
export type HistoryLines = Omit<HistoryImport, 'entries'> & { readonly lines: readonly string[] };

/** Each try that fails means that another import has succeeded. */
const IMPORT_TRIES = 20;
const TOO_BUSY = reject('unavailable', 'Several imports change this history at once. Try again.');

export async function importHistoryPage(
  session: Session,
  page: HistoryLines,
  context: Context,
): Promise<ResultText | Rejection> {
  const { store, hash } = session.ports;
  for (let tries = 0; tries < IMPORT_TRIES; tries += 1) {
    const before = requireCliSession(session, page);
    if ('ok' in before) return before;
    const { cli, stored } = before;
    const plan = await planImport(store.history, hash, cli, page);
    const now = requireCliSession(session, page);
    if ('ok' in now) return now;
    if (now.stored.entries !== stored.entries || now.stored.rev !== stored.rev) continue;
    return plan.ok ? writePlan(session, page, plan, context, stored) : plan;
  }
  return TOO_BUSY;
}

function writePlan(
  session: Session,
  { provider, cliSessionId }: HistoryLines,
  { change, replaces, entries, digest }: ImportPlan,
  context: Context,
  { rev }: CliSessionView,
): ResultText | Rejection {
  const isFirst = rev === 0;
  const extent: HistoryExtent = { entries, digest, rev: replaces || isFirst ? rev + 1 : rev };
  if (change === undefined) {
    return { ok: true, json: JSON.stringify(extent), isNew: false, replayed: false };
  }
  const command = { type: 'history.import', provider, cliSessionId, ...extent } as const;
  return writeResult(session.handle(command, context, change));
}

/** The CLI session with the number under which its history is stored. */
function requireCliSession(
  session: Session,
  page: HistoryLines,
): { readonly cli: number; readonly stored: CliSessionView } | Rejection {
  const state = requireState(session);
  if ('ok' in state) return state;
  const known = state.info.cliSessions ?? [];
  const index = known.findIndex((one) => isSameCliSession(one, page));
  const stored = known[index];
  return stored === undefined ? UNKNOWN_CLI_SESSION : { cli: index + 1, stored };
}

const HistoryCursor = z.tuple([z.literal('history'), z.int(), z.int(), z.int()]);

/** One page of one CLI session as response text, with the entries as they are stored. */
export function readHistoryPage(
  session: Session,
  after: string | undefined,
  limit: number,
): ReadResult<string> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const cursor = readCursor(HistoryCursor, after);
  if (!cursor.ok) return cursor;
  const [, cli, rev, from] = cursor.value ?? ['history', 0, 0, 0];
  const begun = cli === 0 ? undefined : state.info.cliSessions?.[cli - 1];
  if (begun !== undefined && begun.rev !== rev) {
    const { entries } = begun;
    const message = 'This history was replaced since the page before; read it from the beginning';
    return reject('history_changed', message, { entries, rev: begun.rev });
  }
  const isLeft = begun !== undefined && from < begun.entries;
  const shown = isLeft ? cli : nextWithHistory(state, cli);
  const source = shown === undefined ? undefined : state.info.cliSessions?.[shown - 1];
  if (shown === undefined || source === undefined) return { ok: true, value: '{"entries":[]}' };
  const first = isLeft ? from : 0;
  const lines = readPage(session, shown, first, limit);
  const end = first + lines.length;
  const hasMore = end < source.entries || nextWithHistory(state, shown) !== undefined;
  const next = hasMore && { next: writeCursor(['history', shown, source.rev, end]) };
  const { provider, cliSessionId } = source;
  const head = JSON.stringify({ provider, cliSessionId, rev: source.rev, from: first, ...next });
  return { ok: true, value: `${head.slice(0, -1)},"entries":[${lines.join(',')}]}` };
}

/** The number of the next CLI session that has entries. */
function nextWithHistory({ info }: SessionState, after: number): number | undefined {
  const index = (info.cliSessions ?? []).findIndex((one, at) => at >= after && one.entries > 0);
  return index < 0 ? undefined : index + 1;
}

/** At least one entry, then as many as fit. */
function readPage(
  { ports: { store } }: Session,
  cli: number,
  first: number,
  limit: number,
): string[] {
  const page: string[] = [];
  let size = 0;
  for (const row of store.history.list(cli)) {
    if (row.first + row.entries <= first) continue;
    for (const line of store.history.lines(cli, row.first).slice(Math.max(0, first - row.first))) {
      size += countBytes(line) + 1;
      if (page.length === limit || (page.length > 0 && size > LIMITS.pageBytes)) return page;
      page.push(line);
    }
  }
  return page;
}
