/** Follows the inbox, and reads further pages on demand. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxSubscription, Transport } from '../../client/transport.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import {
  markAnswered,
  applyFirstPage,
  applyChange,
  applyConnection,
  appendPage,
  EMPTY_INBOX,
  type InboxState,
  inboxKeyOf,
  removeFinished,
} from '../model/inbox.ts';

export interface FollowedInbox {
  readonly state: InboxState;
  reconnect(): void;
  more(): Promise<void>;
  markAnswered(key: string): void;
  removeFinished(): void;
}

/** `onNew` receives entries that open later, not those of the first page. */
export function useInbox(
  transport: Transport,
  clock: ServerClock,
  onNew: (entries: readonly InboxEntry[]) => void,
): FollowedInbox {
  const [state, setState] = useState(EMPTY_INBOX);
  const [subscription, setSubscription] = useState<InboxSubscription>();

  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const known = new Set<string>();
    setState(EMPTY_INBOX);
    const followed = transport.subscribeInbox({
      inbox(page) {
        clock.setServerTime(page.now);
        for (const entry of page.interactions) known.add(inboxKeyOf(entry));
        setState((before) => applyFirstPage(before, page));
      },
      changed(change) {
        clock.setServerTime(change.now);
        const fresh = change.upserts.filter((entry) => !known.has(inboxKeyOf(entry)));
        for (const entry of fresh) known.add(inboxKeyOf(entry));
        if (fresh.length > 0) latest.current(fresh);
        setState((before) => applyChange(before, change));
      },
      status: (status) => setState((before) => applyConnection(before, status)),
    });
    setSubscription(followed);
    return () => followed.close();
  }, [transport, clock]);

  return {
    state,
    reconnect: () => subscription?.reconnect(),
    async more() {
      const { next } = state;
      if (next === undefined) return;
      const page = await transport.inbox({ cursor: next });
      setState((before) => appendPage(before, page, next));
    },
    markAnswered: (key) => setState((before) => markAnswered(before, key)),
    removeFinished: () => setState(removeFinished),
  };
}
