/** The list of sessions, kept fresh while somebody looks. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Clock } from '../clock.ts';
import { failureText } from '../model/failure.ts';
import {
  type Entry,
  NO_SESSIONS,
  type SessionsList,
  withEntry,
  withFirstPage,
  withNextPage,
  withoutEntry,
} from '../model/sessions-list.ts';

const PAGE = 50;
const FRESH_MS = 10_000;

export interface Sessions {
  readonly list: SessionsList;
  readonly failure: string | undefined;
  readonly refresh: () => void;
  readonly more: () => void;
  readonly note: (entry: Entry) => void;
  readonly forget: (id: string) => void;
}

export function useSessions(transport: Transport, clock: Clock, isWanted: boolean): Sessions {
  const [list, setList] = useState(NO_SESSIONS);
  const [failure, setFailure] = useState<string>();
  const refresh = useCallback(() => {
    if (!isWanted || document.visibilityState === 'hidden') return;
    transport.sessions({ limit: PAGE }).then(
      (page) => {
        setFailure(undefined);
        setList((before) => withFirstPage(before, page, clock.now()));
      },
      (cause: unknown) => setFailure(failureText(cause)),
    );
  }, [transport, clock, isWanted]);

  useEffect(() => {
    refresh();
    document.addEventListener('visibilitychange', refresh);
    const stop = clock.every(FRESH_MS, refresh);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [refresh, clock]);

  const more = () => {
    if (list.next === undefined) return;
    transport.sessions({ limit: PAGE, cursor: list.next }).then(
      (page) => setList((before) => withNextPage(before, page)),
      (cause: unknown) => setFailure(failureText(cause)),
    );
  };
  const note = useCallback((entry: Entry) => setList((before) => withEntry(before, entry)), []);
  const forget = useCallback((id: string) => setList((before) => withoutEntry(before, id)), []);
  return { list, failure, refresh, more, note, forget };
}
