import { useLayoutEffect, useState } from 'preact/hooks';
import { inboxKeyOf, type InboxItem } from '../model/inbox.ts';
import type { Location } from '../model/location.ts';

/** The request that the address names. */
export function namedRequest({ session, interaction }: Location) {
  return session === undefined || interaction === undefined
    ? undefined
    : { sessionId: session, interactionId: interaction };
}

/**
 * The row that keys act on: the one that the address names, and otherwise the first one. The first one stays that row
 * when another comes before it: a card is never exchanged for another one under the pointer.
 */
export function useCursor(location: Location, rows: readonly InboxItem[]) {
  const named = namedRequest(location);
  const namedKey = named && inboxKeyOf(named);
  const [kept, setKept] = useState<string>();
  const isThere = kept !== undefined && rows.some(({ key }) => key === kept);
  const key = namedKey ?? (isThere ? kept : rows[0]?.key);
  useLayoutEffect(() => setKept(key), [key]);
  return { key, namedKey, move: setKept };
}
