/**
 * The others who look at one request just now, in the head of its card: a line of its own would move the buttons away from
 * under a finger with each person who comes.
 */
import type { Interaction } from '../../protocol/types.ts';
import { onlookerWords, othersWhoLook } from '../model/onlookers.ts';
import type { Person } from '../model/person.ts';
import { usePresence } from './presence-store.ts';

interface CardOnlookersProps {
  readonly sessionId: string;
  readonly record: Interaction;
  readonly me: Person;
}

export function CardOnlookers({ sessionId, record, me }: CardOnlookersProps) {
  const presence = usePresence(sessionId);
  const words = onlookerWords(othersWhoLook(presence, me, record.interactionId));
  return words === undefined ? null : (
    <span class="card-looking" dir="auto" title={words}>
      {words}
    </span>
  );
}
