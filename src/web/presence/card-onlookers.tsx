/**
 * The labels of the session and the others who look at one request just now, in the head of its card: a line of its own would
 * move the buttons away from under a finger with each person who comes.
 */
import type { Interaction } from '../../protocol/types.ts';
import { onlookerWords, othersWhoLook } from '../model/onlookers.ts';
import type { Person } from '../model/person.ts';
import type { CardSession } from '../cards/card-props.ts';
import { labelChips } from '../model/label-chips.ts';
import { LabelChips } from '../ui/label-chips.tsx';
import { usePresence } from './presence-store.ts';

interface CardOnlookersProps {
  readonly session: CardSession;
  readonly record: Interaction;
  readonly me: Person;
}

export function CardOnlookers({ session, record, me }: CardOnlookersProps) {
  const presence = usePresence(session.id);
  const words = onlookerWords(othersWhoLook(presence, me, record.interactionId));
  return (
    <>
      <LabelChips chips={labelChips(session.labels)} />
      {words !== undefined && (
        <span class="card-looking" dir="auto" title={words}>
          {words}
        </span>
      )}
    </>
  );
}
