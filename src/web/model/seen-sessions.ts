/**
 * What the person has seen of each session, on this device: a session with later events is marked in the list.
 *
 * A session that was never opened here counts as seen if it was last active before the first visit; otherwise every
 * session would be marked on a new device.
 */
import { isObject } from '../../protocol/types.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { lastAtOf, type ListedSession } from './sessions-list.ts';

const SEEN_NAME = 'holdpoint.seen-sessions';
/** Of the sessions that were opened last; the others are far down the list. */
const MAX_SEEN = 300;

interface SeenSessions {
  readonly since: number;
  readonly heads: Readonly<Record<string, number>>;
}

export function loadSeen(store: KeyValueStore, now: number): SeenSessions {
  const found = parseSeen(store.get(SEEN_NAME));
  if (found !== undefined) return found;
  const first = { since: now, heads: {} };
  store.set(SEEN_NAME, JSON.stringify(first));
  return first;
}

export function noteSeen(store: KeyValueStore, { id, head }: ListedSession, now: number): void {
  const { since, heads } = loadSeen(store, now);
  if ((heads[id] ?? 0) >= head) return;
  const { [id]: _, ...others } = heads;
  const kept = [...Object.entries(others), [id, head] as const].slice(-MAX_SEEN);
  store.set(SEEN_NAME, JSON.stringify({ since, heads: Object.fromEntries(kept) }));
}

export function isUnread({ since, heads }: SeenSessions, entry: ListedSession): boolean {
  const seen = heads[entry.id];
  return seen === undefined ? lastAtOf(entry) > since : entry.head > seen;
}

function parseSeen(text: string | undefined): SeenSessions | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value['since'] !== 'number') return undefined;
    const heads = isObject(value['heads']) ? Object.entries(value['heads']) : [];
    const numbers = heads.filter((one): one is [string, number] => typeof one[1] === 'number');
    return { since: value['since'], heads: Object.fromEntries(numbers) };
  } catch {
    return undefined;
  }
}
