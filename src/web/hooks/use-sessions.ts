/**
 * The session list, read again whenever a request in any session is opened or settled.
 *
 * It is not polled: an open page would keep the workspace awake. A session that was created elsewhere, and has asked
 * nothing yet, appears when the page is shown again.
 */
import { PAGE_MAX } from '../../protocol/limits.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { InboxChange, InboxPage } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import type { AskedKinds } from '../model/asked-kinds.ts';
import { fetchLaterParts, whenFirstDrawn } from './use-later-parts.ts';
import { failureText } from '../model/failure.ts';
import * as model from '../model/sessions-list.ts';

const PAGE_SIZE = 50;
/** Several changes in a row cause one read. */
const REFRESH_DELAY_MS = 200;

/** What the person looks for; without words and unarchived, the list. */
interface SessionsFilter {
  readonly words: string;
  readonly archived: boolean;
}

const NO_FILTER: SessionsFilter = { words: '', archived: false };

export interface SessionsFeed {
  readonly list: model.SessionsList;
  /** All open requests of the workspace, also those beyond the loaded pages. */
  readonly waiting: number;
  readonly asked: AskedKinds;
  readonly failure: string | undefined;
  readonly filter: SessionsFilter;
  readonly setFilter: (filter: SessionsFilter) => void;
  readonly refresh: () => void;
  readonly more: () => void;
  readonly note: (entry: model.ListedSession) => void;
  readonly forget: (id: string) => void;
}

export function useSessions(
  transport: Transport,
  clock: ServerClock,
  isWanted: boolean,
): SessionsFeed {
  const [list, setList] = useState(model.NO_SESSIONS);
  // A shorter page would leave old counts on the entries below it.
  const wanted = useRef(PAGE_SIZE);
  const [total, setTotal] = useState<number>();
  const [askedKinds, setAsked] = useState<AskedKinds>(new Map());
  const [failure, setFailure] = useState<string>();
  const [filter, setFilter] = useState(NO_FILTER);
  const { words, archived } = filter;
  const asked = useMemo(() => {
    const q = words.trim();
    return { order: 'activity' as const, archived, ...(q !== '' && { q }) };
  }, [words, archived]);
  const latest = useRef(asked);
  if (latest.current !== asked) wanted.current = PAGE_SIZE;
  latest.current = asked;
  const isPlain = filter === NO_FILTER || (words.trim() === '' && !archived);
  const refresh = useCallback(() => {
    if (!isWanted) return;
    const limit = Math.min(wanted.current, PAGE_MAX);
    // A pinned session may be beyond the first page.
    const pinned = isPlain ? transport.sessions({ pinned: true }) : { sessions: [] };
    Promise.all([transport.sessions({ ...asked, limit }), pinned]).then(
      ([page, { sessions }]) => {
        // The answer to what the person looked for before.
        if (latest.current !== asked) return;
        setFailure(undefined);
        setList((before) =>
          sessions.reduce(model.withEntry, model.withFirstPage(before, page, clock.now())),
        );
      },
      (cause: unknown) => setFailure(failureText(cause)),
    );
  }, [transport, clock, isWanted, asked, isPlain]);
  useEffect(() => setList(model.NO_SESSIONS), [asked]);

  useEffect(() => {
    if (!isWanted) return;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        refresh();
      }, REFRESH_DELAY_MS);
    };
    const seen = () => document.visibilityState === 'visible' && refresh();
    refresh();
    document.addEventListener('visibilitychange', seen);
    const note = (news: InboxPage | InboxChange) => {
      setTotal(news.total);
      whenFirstDrawn(fetchLaterParts).then(
        ({ noteAsked }) => setAsked((before) => noteAsked(before, news)),
        // Without these parts the list says how many wait, and not what.
        () => undefined,
      );
      refreshSoon();
    };
    const inbox = transport.subscribeInbox({ inbox: note, changed: note });
    return () => {
      clearTimeout(soon);
      document.removeEventListener('visibilitychange', seen);
      inbox.close();
    };
  }, [transport, refresh, isWanted]);

  const more = () => {
    if (list.next === undefined) return;
    transport.sessions({ ...asked, limit: PAGE_SIZE, cursor: list.next }).then(
      (page) => {
        if (latest.current !== asked) return;
        wanted.current += PAGE_SIZE;
        setList((before) => model.withNextPage(before, page));
      },
      (cause: unknown) => setFailure(failureText(cause)),
    );
  };
  const note = useCallback(
    (entry: model.ListedSession) => {
      // What the person looks for has only what the server finds.
      if (isPlain && entry.archived !== true) setList((before) => model.withEntry(before, entry));
    },
    [isPlain],
  );
  const forget = useCallback(
    (id: string) => setList((before) => model.withoutEntry(before, id)),
    [],
  );
  // A link to one session follows no inbox; the list holds everything that it may see.
  const waiting = isWanted && total !== undefined ? total : model.countWaiting(list);
  return {
    list,
    waiting,
    asked: askedKinds,
    failure,
    filter,
    setFilter,
    refresh,
    more,
    note,
    forget,
  };
}
