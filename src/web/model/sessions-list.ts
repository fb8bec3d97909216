/**
 * The listed sessions: pages of the server, and later updates.
 *
 * The index of the server lags a quarter of a second behind; a session created here is listed until a page of the
 * server has it.
 */
import type { SessionsPage } from '../../protocol/types.ts';
import { t } from './language.ts';

export type ListedSession = SessionsPage['sessions'][number];

export interface SessionsList {
  /** The last active first. */
  readonly entries: readonly ListedSession[];
  /** The cursor of the next page; undefined at the end. */
  readonly next: string | undefined;
  readonly isLoaded: boolean;
}

export const NO_SESSIONS: SessionsList = { entries: [], next: undefined, isLoaded: false };

/** How long a session created here is kept although no page has it. */
const KEEP_NEW_MS = 10_000;

/** Applies a fresh first page; entries further down stay. */
export function withFirstPage(list: SessionsList, page: SessionsPage, now: number): SessionsList {
  const listed = new Set(page.sessions.map(({ id }) => id));
  const oldest = Math.min(...page.sessions.map(lastAtOf));
  const isComplete = page.next === undefined;
  const kept = list.entries.filter(
    (entry) =>
      !listed.has(entry.id) &&
      (entry.createdAt > now - KEEP_NEW_MS || (!isComplete && lastAtOf(entry) < oldest)),
  );
  const isDeeper = kept.some((entry) => lastAtOf(entry) < oldest);
  return {
    entries: lastActiveFirst([...page.sessions, ...kept]),
    next: isDeeper ? list.next : page.next,
    isLoaded: true,
  };
}

export function withNextPage(list: SessionsList, page: SessionsPage): SessionsList {
  const known = new Set(list.entries.map(({ id }) => id));
  const added = page.sessions.filter(({ id }) => !known.has(id));
  return { ...list, entries: lastActiveFirst([...list.entries, ...added]), next: page.next };
}

/** Applies newer knowledge: of a session that is open here, or was created here. */
export function withEntry(list: SessionsList, entry: ListedSession): SessionsList {
  const before = list.entries.find(({ id }) => id === entry.id);
  if (before !== undefined && before.title === entry.title && before.open === entry.open)
    return list;
  const others = list.entries.filter(({ id }) => id !== entry.id);
  return { ...list, entries: lastActiveFirst([...others, { ...before, ...entry }]) };
}

export function withoutEntry(list: SessionsList, id: string): SessionsList {
  return { ...list, entries: list.entries.filter((one) => one.id !== id) };
}

export function sessionTitleOf({
  title,
  id,
}: {
  readonly title: string | null;
  readonly id: string;
}): string {
  return title ?? t('Session {id}', { id: id.slice(-6) });
}

export function countWaiting({ entries }: SessionsList): number {
  return entries.reduce((sum, { open }) => sum + open, 0);
}

/** A session that was created here is listed before the server has reported its activity. */
export function lastAtOf({ lastAt, createdAt }: ListedSession): number {
  return lastAt ?? createdAt;
}

function lastActiveFirst(entries: readonly ListedSession[]): readonly ListedSession[] {
  return entries.toSorted((a, b) => lastAtOf(b) - lastAtOf(a) || (a.id < b.id ? 1 : -1));
}
