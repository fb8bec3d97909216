/** The others who look at this session, as initials in its head; and the report that this person looks. */
import { useEffect, useRef } from 'preact/hooks';
import type { Interaction, Looking } from '../../protocol/types.ts';
import { formatNumber } from '../model/language.ts';
import { initialsOf, mayLook, onlookerWords, othersWhoLook } from '../model/onlookers.ts';
import type { Person } from '../model/person.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import onlookersStyle from '../styles/onlookers.css?inline';
import { NOBODY, setPresence, usePresence } from './presence-store.ts';
import { watchLook } from './watch-look.ts';

adoptStyle(onlookersStyle);

interface SessionOnlookersProps {
  readonly sessionId: string;
  readonly me: Person;
  readonly open: readonly Interaction[];
  readonly isConnected: boolean;
  /** Undefined until the session is followed. */
  readonly look: ((at: Looking | null) => void) | undefined;
}

export function SessionOnlookers(props: SessionOnlookersProps) {
  const { sessionId, me, open, isConnected, look } = props;
  const presence = usePresence(sessionId);
  const lookAgain = useRef<() => void>(undefined);
  const isPerson = mayLook(me);
  useEffect(() => {
    if (look === undefined || !isPerson) return;
    const watched = watchLook(look);
    lookAgain.current = watched.lookAgain;
    return watched.stop;
  }, [look, isPerson]);
  useEffect(() => lookAgain.current?.(), [open]);
  // Who looks is known only while connected; the next connection brings it again.
  useEffect(() => {
    if (!isConnected) setPresence(sessionId, NOBODY);
    return () => setPresence(sessionId, NOBODY);
  }, [sessionId, isConnected]);
  const others = othersWhoLook(presence, me);
  const words = onlookerWords(others);
  if (words === undefined) return null;
  return (
    <p class="onlookers" title={words}>
      <span class="unseen">{words}</span>
      {others.names.map((name) => (
        <span key={name} class="initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
      ))}
      {others.more > 0 && (
        <span class="initials" aria-hidden="true">
          +{formatNumber(others.more)}
        </span>
      )}
    </p>
  );
}
