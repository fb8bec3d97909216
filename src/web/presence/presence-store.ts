/**
 * Who looks at the sessions of this page, kept beside the screen: a person who comes or goes draws a line of names, and
 * not the whole conversation again.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Presence } from '../../protocol/types.ts';

export const NOBODY: Presence = { people: [], more: 0 };

const presences = new Map<string, Presence>();
const listeners = new Set<(sessionId: string) => void>();

export function setPresence(sessionId: string, presence: Presence): void {
  if (presence === NOBODY) presences.delete(sessionId);
  else presences.set(sessionId, presence);
  for (const listener of listeners) listener(sessionId);
}

export function usePresence(sessionId: string): Presence {
  const [presence, setShown] = useState(NOBODY);
  useEffect(() => {
    const read = (changed: string) => {
      if (changed === sessionId) setShown(presences.get(sessionId) ?? NOBODY);
    };
    read(sessionId);
    listeners.add(read);
    return () => void listeners.delete(read);
  }, [sessionId]);
  return presence;
}
