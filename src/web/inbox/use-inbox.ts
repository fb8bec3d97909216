/** Follows the inbox, and reads further pages on demand: in order, or what matches a filter. */
import { useEffect, useRef, useState, useMemo } from 'preact/hooks';
import type { InboxSubscription, Transport } from '../../client/transport.ts';
import { type InboxFilter, matchesFilter, requestText } from '../../protocol/inbox-filter.ts';
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import * as model from '../model/inbox.ts';
import type { InboxItem } from '../model/inbox.ts';
import { isAskedFor } from '../model/inbox-team.ts';
import { failureText } from '../model/failure.ts';
import { isFiltered } from '../model/inbox-address.ts';
import type { Person } from '../model/person.ts';
import { findOwnGroups } from '../cards/parts/watch-asked.ts';

interface FollowedInbox {
  readonly state: model.InboxState;
  reconnect(): void;
  more(): Promise<void>;
  /** Every page that there is. */
  all(): Promise<void>;
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
    async all() {
      for (let { next } = state; next !== undefined; ) {
        const from = next;
        const page = await transport.inbox({ cursor: from, limit: PAGE_MAX });
        setState((before) => model.appendPage(before, page, from));
        next = page.next;
      }
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

export interface MatchingItems {
  readonly items: readonly InboxItem[];
  readonly failure: string | undefined;
  /** Undefined once the server has found everything that matches. */
  readonly more: (() => Promise<unknown>) | undefined;
}

/** A person who types causes one request, and not one for each letter. */
const TYPING_PAUSE_MS = 250;

/** The requests that match the filter: loaded ones at once, the others as the server finds them. */
export function useMatchingItems(
  inbox: FollowedInbox,
  filter: InboxFilter,
  person: Person,
): MatchingItems {
  const { items, next } = inbox.state;
  const groups = useOwnGroups(person, filter.for !== undefined);
  const matching = useMemo(() => {
    if (!isFiltered(filter)) return items;
    const isAsked = (audience: NonNullable<InboxItem['entry']['audience']>) =>
      isAskedFor(audience, person, groups) ?? true;
    return items.filter(({ entry }) =>
      matchesFilter(entry, filter, { isAsked, textOf: knownText }),
    );
  }, [items, filter, groups, person]);

  const [found, setFound] = useState<{ cursor?: string | undefined; failure?: string }>({});
  const isDeep = isFiltered(filter) && next !== undefined;
  const wanted = useRef(filter);
  wanted.current = filter;
  /** The reply to an earlier filter would end the search for this one, or leave requests out of it. */
  const note = (next: typeof found) => {
    if (wanted.current === filter) setFound(next);
  };
  const read = (cursor: string | undefined) =>
    inbox.find(filter, cursor).then(
      (rest) => note({ cursor: rest }),
      (cause: unknown) => note({ cursor, failure: failureText(cause) }),
    );
  useEffect(() => {
    setFound({});
    if (!isDeep) return;
    const timer = setTimeout(() => void read(undefined), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter, isDeep]);
  return {
    items: matching,
    failure: found.failure,
    more: found.cursor === undefined ? undefined : () => read(found.cursor),
  };
}

const texts = new WeakMap<object, string>();

function knownText(request: object): string {
  let text = texts.get(request);
  if (text === undefined) {
    text = requestText(request);
    texts.set(request, text);
  }
  return text;
}

/** Undefined while they are not known: every group counts then, and the server refuses whom it must. */
export function useOwnGroups({ token }: Person, isWanted: boolean): readonly string[] | undefined {
  const [groups, setGroups] = useState<readonly string[]>();
  useEffect(() => {
    if (isWanted) findOwnGroups(token).then(setGroups, () => undefined);
  }, [token, isWanted]);
  return groups;
}
