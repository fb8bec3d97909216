/** Follows the inbox, and reads further pages on demand: in order, or what matches a filter. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxSubscription, Transport } from '../../client/transport.ts';
import type { InboxFilter } from '../../protocol/inbox-filter.ts';
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import * as model from '../model/inbox.ts';

export interface FollowedInbox {
  readonly state: model.InboxState;
  reconnect(): void;
  more(): Promise<void>;
  /** A page of what matches, also from beyond the loaded pages; resolves with the cursor of the next one. */
  find(filter: InboxFilter, cursor: string | undefined): Promise<string | undefined>;
  markAnswered(key: string): void;
  removeFinished(): void;
}

/** `onNew` receives entries that open later, not those of the first page. */
export function useInbox(
  transport: Transport,
  clock: ServerClock,
  onNew: (entries: readonly InboxEntry[]) => void,
): FollowedInbox {
  const [state, setState] = useState(model.EMPTY_INBOX);
  const [subscription, setSubscription] = useState<InboxSubscription>();

  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const known = new Set<string>();
    setState(model.EMPTY_INBOX);
    const followed = transport.subscribeInbox({
      inbox(page) {
        clock.setServerTime(page.now);
        for (const entry of page.interactions) known.add(model.inboxKeyOf(entry));
        setState((before) => model.applyFirstPage(before, page));
      },
      changed(change) {
        clock.setServerTime(change.now);
        const fresh = change.upserts.filter((entry) => !known.has(model.inboxKeyOf(entry)));
        for (const entry of fresh) known.add(model.inboxKeyOf(entry));
        if (fresh.length > 0) latest.current(fresh);
        setState((before) => model.applyChange(before, change));
      },
      status: (status) => setState((before) => model.applyConnection(before, status)),
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
      const page = await transport.inbox({ cursor: next, limit: PAGE_MAX });
      setState((before) => model.appendPage(before, page, next));
    },
    async find(filter, cursor) {
      const page = await transport.inbox({ ...filter, ...(cursor !== undefined && { cursor }) });
      setState((before) => model.addFound(before, page));
      return page.next;
    },
    markAnswered: (key) => setState((before) => model.markAnswered(before, key)),
    removeFinished: () => setState(model.removeFinished),
  };
}
