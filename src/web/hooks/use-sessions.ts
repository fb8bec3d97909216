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
/** In a tab behind others only its title is seen. */
const SELDOM = 6;

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
    if (!isWanted) return;
    transport.sessions({ limit: PAGE }).then(
      (page) => {
        setFailure(undefined);
        setList((before) => withFirstPage(before, page, clock.now()));
      },
      (cause: unknown) => setFailure(failureText(cause)),
    );
  }, [transport, clock, isWanted]);

  useEffect(() => {
    let ticks = 0;
    const seen = () => document.visibilityState === 'visible' && refresh();
    refresh();
    document.addEventListener('visibilitychange', seen);
    const stop = clock.every(FRESH_MS, () => {
      ticks += 1;
      if (document.visibilityState === 'visible' || ticks % SELDOM === 0) refresh();
    });
    return () => {
      stop();
      document.removeEventListener('visibilitychange', seen);
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
