/**
 * The list of sessions: by creation, by activity, what a person pinned, what a search finds, and the one of a CLI session.
 *
 * A search reads the list in its order and compares each session, at most `sessionsPerSearch` of them. A page may so be
 * short, or empty, and still have a cursor: the search goes on from there.
 */
import * as z from '../protocol/schema/zod.ts';
import { type ReadResult, reject, type Rejection } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { cutPage, pageSize, readCursor, writeCursor } from '../protocol/schema/cursor.ts';
import type { SessionEntry } from '../protocol/schema/workspace.ts';
import type { SessionsPage } from '../protocol/types.ts';
import type { PageQuery } from './ports.ts';
import type { ActivityKey, NumberedSession, WorkspaceStore } from './store.ts';
import type { CliName } from '../protocol/cli-sessions.ts';

export interface SessionsQuery extends PageQuery {
  /** Default: `created`, the newest first. The other fields ask for `activity`. */
  readonly order?: 'created' | 'activity' | undefined;
  readonly archived?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  /** Part of the title, the id, the agent or a label. */
  readonly q?: string | undefined;
}

const SessionCursor = z.tuple([z.literal('sessions'), z.int()]);
const ActivityCursor = z.tuple([z.literal('active-sessions'), z.int(), z.int()]);

/** Without deleted sessions. `subject` is the person whose pins are shown; without one, there are none. */
export function listSessions(
  store: WorkspaceStore,
  { order = 'created', archived, pinned, q, ...page }: SessionsQuery,
  subject?: string,
): ReadResult<SessionsPage> {
  const pins = new Set(subject === undefined ? [] : store.pins.list(subject));
  const asEntry = (row: NumberedSession) => sessionEntry(row, pins);
  if (pinned === true) return listPinned(store, pins);
  if (order === 'activity' || archived !== undefined || q !== undefined) {
    return listByActivity(store, { isArchived: archived === true, q, page }, asEntry);
  }
  const cursor = readCursor(SessionCursor, page.before);
  if (!cursor.ok) return cursor;
  const size = pageSize(page.limit);
  const found = store.sessions.list(size + 1, cursor.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['sessions', last.number]);
  return { ok: true, value: { sessions: rows.map(asEntry), ...next } };
}

function listPinned(store: WorkspaceStore, pins: ReadonlySet<string>): ReadResult<SessionsPage> {
  const rows = [...pins].flatMap((id) => store.sessions.find(id) ?? []);
  const shown = rows.filter(({ deletedAt }) => deletedAt === null);
  shown.sort((a, b) => rowLastAt(b) - rowLastAt(a) || b.number - a.number);
  return { ok: true, value: { sessions: shown.map((row) => sessionEntry(row, pins)) } };
}

/** Rows that a search reads at once. */
const SEARCH_STEP = 500;

function listByActivity(
  store: WorkspaceStore,
  asked: {
    readonly isArchived: boolean;
    readonly q: string | undefined;
    readonly page: PageQuery;
  },
  asEntry: (row: NumberedSession) => SessionEntry,
): ReadResult<SessionsPage> {
  const cursor = readCursor(ActivityCursor, asked.page.before);
  if (!cursor.ok) return cursor;
  const size = pageSize(asked.page.limit);
  const words = asked.q === undefined ? undefined : foldedWords(asked.q);
  const found: NumberedSession[] = [];
  let at: ActivityKey | undefined = cursor.value && {
    activeAt: cursor.value[1],
    number: cursor.value[2],
  };
  let isAtEnd = false;
  for (let read = 0; found.length < size && !isAtEnd && read < LIMITS.sessionsPerSearch; ) {
    const step = words === undefined ? size - found.length : SEARCH_STEP;
    const rows = store.sessions.listByActivity(asked.isArchived, step, at);
    isAtEnd = rows.length < step;
    read += rows.length;
    for (const row of rows) {
      at = row;
      if (words === undefined || matchesWords(row, words)) found.push(row);
      if (found.length === size) break;
    }
  }
  const more = at !== undefined && hasMore(store, asked.isArchived, at);
  return {
    ok: true,
    value: {
      sessions: found.map(asEntry),
      ...(more && at && { next: writeCursor(['active-sessions', at.activeAt, at.number]) }),
    },
  };
}

function hasMore(store: WorkspaceStore, isArchived: boolean, at: ActivityKey): boolean {
  return store.sessions.listByActivity(isArchived, 1, at).length > 0;
}

/** Each word must be in the session, wherever. */
function foldedWords(text: string): readonly string[] {
  return foldCase(text)
    .split(' ')
    .filter((word) => word !== '');
}

function matchesWords(row: NumberedSession, words: readonly string[]): boolean {
  const { id, title, about } = row;
  const { agent, labels = {} } = about;
  const text = [id, title ?? '', agent?.name ?? '', ...Object.entries(labels).flat()].join(' ');
  const folded = foldCase(text);
  return words.every((word) => folded.includes(word));
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
}

function sessionEntry(row: NumberedSession, pins?: ReadonlySet<string>): SessionEntry {
  const { id, title, createdAt, head, open, about, isArchived } = row;
  return {
    id,
    title,
    createdAt,
    head,
    open: open.size,
    ...about,
    lastAt: rowLastAt(row),
    ...(isArchived && { archived: true as const }),
    ...(pins?.has(id) === true && { pinned: true as const }),
  };
}

function rowLastAt({ about, activeAt }: NumberedSession): number {
  return about.lastAt ?? activeAt;
}

/** The caller has found the session, which may not have reported yet. */
export function pinSession(
  store: WorkspaceStore,
  subject: string,
  { sessionId, at }: { readonly sessionId: string; readonly at: number },
): { ok: true } | Rejection {
  const known = store.sessions.find(sessionId);
  if (known !== undefined && known.deletedAt !== null) {
    return reject('not_found', 'There is no such session');
  }
  const pins = store.pins.list(subject);
  if (pins.includes(sessionId)) return { ok: true };
  if (pins.length >= LIMITS.pins) {
    return reject(
      'limit_reached',
      `At most ${LIMITS.pins} sessions can be pinned; unpin one first`,
      {
        limit: 'pins',
        max: LIMITS.pins,
      },
    );
  }
  store.write(() => store.pins.add(subject, sessionId, at));
  return { ok: true };
}

export function unpinSession(store: WorkspaceStore, subject: string, sessionId: string): void {
  if (!store.pins.list(subject).includes(sessionId)) return;
  store.write(() => store.pins.remove(subject, sessionId));
}

export interface CliSessionOwner {
  readonly sessionId: string;
  /** Undefined before the first report of the session. */
  readonly entry: SessionEntry | undefined;
}

/**
 * Which session a CLI session belongs to.
 *
 * A session is asked only after its claim is stored here, so two sessions cannot both accept one CLI session. A claim
 * that the session then refuses is released. If the process dies in between, the claim names a session that does not
 * have the CLI session; the agent's next report repairs both.
 */
export function claimCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
  sessionId: string,
): { ok: true } | Rejection {
  if (store.sessions.find(sessionId)?.deletedAt != null) {
    return reject('not_found', 'There is no such session');
  }
  const owner = store.cliSessions.find(provider, cliSessionId);
  if (owner === sessionId) return { ok: true };
  if (owner !== undefined) {
    return reject('cli_session_taken', 'This CLI session belongs to another session', {
      session: owner,
    });
  }
  store.write(() => store.cliSessions.add(provider, cliSessionId, sessionId));
  return { ok: true };
}

export function releaseCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
  sessionId: string,
): void {
  if (store.cliSessions.find(provider, cliSessionId) !== sessionId) return;
  store.write(() => store.cliSessions.remove(provider, cliSessionId));
}

export function findCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
): ReadResult<CliSessionOwner> {
  const sessionId = store.cliSessions.find(provider, cliSessionId);
  if (sessionId === undefined) return reject('not_found', 'No session has this CLI session');
  const known = store.sessions.find(sessionId);
  return { ok: true, value: { sessionId, entry: known && sessionEntry(known) } };
}
