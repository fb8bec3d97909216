/** The session list: pages of the server merged with newer local knowledge. */
import { expect, it } from 'vitest';
import {
  type ListedSession,
  NO_SESSIONS,
  sessionTitleOf,
  countWaiting,
  withEntry,
  withFirstPage,
  withNextPage,
  withoutEntry,
} from '../../../src/web/model/sessions-list.ts';

const NOW = 1_000_000;
const entry = (
  id: string,
  createdAt: number,
  over: Partial<ListedSession> = {},
): ListedSession => ({
  id,
  createdAt,
  title: null,
  head: 1,
  open: 0,
  ...over,
});
const ids = ({ entries }: { entries: readonly ListedSession[] }) => entries.map(({ id }) => id);

it('shows the newest first, page by page, each session once', () => {
  const first = withFirstPage(
    NO_SESSIONS,
    { sessions: [entry('c', 3), entry('b', 2)], next: 'n' },
    NOW,
  );
  const all = withNextPage(first, { sessions: [entry('b', 2), entry('a', 1)] });
  expect(ids(all)).toEqual(['c', 'b', 'a']);
  expect(all.next).toBeUndefined();
});

it('keeps later pages when the first page is read again', () => {
  const first = withFirstPage(
    NO_SESSIONS,
    { sessions: [entry('c', 3), entry('b', 2)], next: 'n' },
    NOW,
  );
  const all = withNextPage(first, { sessions: [entry('a', 1)], next: 'o' });
  const again = withFirstPage(all, { sessions: [entry('d', 4), entry('c', 3)], next: 'm' }, NOW);
  expect(ids(again)).toEqual(['d', 'c', 'b', 'a']);
  expect(again.next).toBe('o');
});

it('drops a session that another person deleted', () => {
  const before = withFirstPage(NO_SESSIONS, { sessions: [entry('b', 2), entry('a', 1)] }, NOW);
  expect(ids(withFirstPage(before, { sessions: [entry('a', 1)] }, NOW))).toEqual(['a']);
});

it('keeps a new session until a page of the server has it', () => {
  const made = withEntry(NO_SESSIONS, entry('new', NOW - 100));
  const page = { sessions: [entry('old', 1)] };
  expect(ids(withFirstPage(made, page, NOW))).toEqual(['new', 'old']);
  expect(ids(withFirstPage(made, page, NOW + 60_000))).toEqual(['old']);
});

it('applies newer knowledge of an open session, and nothing else', () => {
  const list = withEntry(withEntry(NO_SESSIONS, entry('a', 1)), entry('b', 2));
  expect(withEntry(list, entry('a', 1))).toBe(list);
  expect(countWaiting(withEntry(list, entry('a', 1, { open: 2 })))).toBe(2);
  expect(ids(withoutEntry(list, 'b'))).toEqual(['a']);
});

it('names a session that has no title by the end of its id', () => {
  expect(sessionTitleOf({ id: 'ses_0123456789', title: null })).toBe('Session 456789');
  expect(sessionTitleOf({ id: 'ses_1', title: 'Deploy' })).toBe('Deploy');
});
