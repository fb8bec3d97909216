import type { Interaction } from '../../client/words.ts';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { elementIdOf } from '../hooks/asked-element.ts';
import type { CardWorld } from './card-world.ts';

interface Props {
  readonly step: Interaction;
  readonly changedFrom: Interaction | undefined;
  readonly world: CardWorld;
}

/** Something a person was asked, in the place of the conversation where it was asked. */
export function Asked({ step, changedFrom, world }: Props) {
  const { session, transport, clock, me, canAnswer, isAnswerable, onText, onSay, onSlow } = world;
  // What the session says now has more to say than the log: whether anybody listens for the answer.
  const now = world.open.find(({ interactionId }) => interactionId === step.interactionId);
  return (
    <div class="asked" id={elementIdOf(step.interactionId)}>
      <InteractionCard
        interaction={step.status === 'open' && now !== undefined ? now : step}
        session={session}
        transport={transport}
        clock={clock}
        me={me}
        canAnswer={canAnswer}
        isAnswerable={isAnswerable}
        onText={onText}
        onSay={onSay}
        onSlow={onSlow}
        changedFrom={changedFrom}
      />
    </div>
  );
}
