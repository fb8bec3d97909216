/** Follows the inbox, and reads further pages of it when asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxSubscription } from '../../client/inbox-subscription.ts';
import type { Transport } from '../../client/transport.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { Clock } from '../clock.ts';
import {
  answered,
  began,
  changed,
  connected,
  continued,
  EMPTY_INBOX,
  type InboxState,
  keyOf,
  tidied,
} from '../model/inbox.ts';

export interface FollowedInbox {
  readonly state: InboxState;
  reconnect(): void;
  more(): Promise<void>;
  noteAnswered(key: string): void;
  tidy(): void;
}

/** `onNew` hears of what opens while the page is there, and not of what it begins with. */
export function useInbox(
  transport: Transport,
  clock: Clock,
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
        clock.hear(page.now);
        for (const entry of page.interactions) known.add(keyOf(entry));
        setState((before) => began(before, page));
      },
      changed(change) {
        clock.hear(change.now);
        const fresh = change.upserts.filter((entry) => !known.has(keyOf(entry)));
        for (const entry of fresh) known.add(keyOf(entry));
        if (fresh.length > 0) latest.current(fresh);
        setState((before) => changed(before, change));
      },
      status: (status) => setState((before) => connected(before, status)),
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
      setState((before) => continued(before, page, next));
    },
    noteAnswered: (key) => setState((before) => answered(before, key)),
    tidy: () => setState(tidied),
  };
}
