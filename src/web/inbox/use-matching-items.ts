/** The requests that match the filter: loaded ones at once, the others as the server finds them. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type InboxFilter, matchesFilter, requestText } from '../../protocol/inbox-filter.ts';
import { isAskedFor } from '../model/asked.ts';
import { failureText } from '../model/failure.ts';
import type { InboxItem } from '../model/inbox.ts';
import { isFiltered } from '../model/inbox-address.ts';
import type { Person } from '../model/person.ts';
import type { FollowedInbox } from './use-inbox.ts';
import { useOwnGroups } from './use-own-groups.ts';

export interface MatchingItems {
  readonly items: readonly InboxItem[];
  readonly failure: string | undefined;
  /** Undefined once the server has found everything that matches. */
  readonly more: (() => Promise<unknown>) | undefined;
}

/** A person who types causes one request, and not one for each letter. */
const TYPING_PAUSE_MS = 250;

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
  const read = (cursor: string | undefined) =>
    inbox.find(filter, cursor).then(
      (rest) => setFound({ cursor: rest }),
      (cause: unknown) => setFound({ cursor, failure: failureText(cause) }),
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
