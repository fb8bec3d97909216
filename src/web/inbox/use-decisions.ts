/** The list of decisions, page by page, and anew whenever a request of the workspace ends. */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { DecisionEntry } from '../../protocol/types.ts';
import { useAsyncAction } from '../hooks/use-async-action.tsx';

const HISTORY_PAGE = 100;
/** Several that end in a row cause one read. */
const READ_AGAIN_MS = 300;

type DecidedByWhom = 'me' | 'everyone';

interface ReadDecisions {
  readonly of: DecidedByWhom;
  readonly list: readonly DecisionEntry[];
  readonly next: string | undefined;
}

export function useDecisions(transport: Transport, of: DecidedByWhom) {
  const [found, setFound] = useState<ReadDecisions>();
  const { isBusy, failure, run } = useAsyncAction();
  const read = async (cursor?: string) => {
    const from = cursor === undefined ? {} : { cursor };
    const { decisions, next } = await transport.decisions({ of, limit: HISTORY_PAGE, ...from });
    setFound((before) => {
      const known = before?.of === of ? before : undefined;
      if (known === undefined) return { of, list: decisions, next };
      return cursor === undefined
        ? { ...known, list: joinLists(decisions, known.list) }
        : { of, list: joinLists(known.list, decisions), next };
    });
  };
  useEffect(() => {
    void run(() => read());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const inbox = transport.subscribeInbox({
      changed({ removed }) {
        if (removed.length === 0) return;
        clearTimeout(timer);
        timer = setTimeout(() => void run(() => read()), READ_AGAIN_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      inbox.close();
    };
  }, [transport, of]);
  const shown = found?.of === of ? found : undefined;
  return {
    entries: shown?.list,
    next: shown?.next,
    more: () => void run(() => read(shown?.next)),
    isBusy,
    failure,
  };
}

function joinLists(newer: readonly DecisionEntry[], older: readonly DecisionEntry[]) {
  const nameOf = ({ sessionId, seq }: DecisionEntry) => `${sessionId} ${seq}`;
  const known = new Set(newer.map(nameOf));
  return [...newer, ...older.filter((entry) => !known.has(nameOf(entry)))];
}
