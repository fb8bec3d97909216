import { useMemo } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { interactionElementId } from '../hooks/interaction-element.ts';
import { useRecord } from '../hooks/use-record.ts';
import { couldTakeDelivery } from '../model/person.ts';
import type { CardContext } from './card-context.ts';

const AGENT_STARTS_WAITING_MS = 2_000;

interface InteractionSlotProps {
  readonly step: Interaction;
  readonly changedFrom: Interaction | undefined;
  readonly context: CardContext;
}

/** The card of an interaction at its position in the conversation. */
export function InteractionSlot({ step, changedFrom, context }: InteractionSlotProps) {
  const {
    session,
    transport,
    clock,
    me,
    canAnswer,
    isAnswerable,
    onTextTarget,
    onSendText,
    onSlow,
  } = context;
  const isOpen = step.status === 'open';
  const looked = useRecord({
    transport,
    sessionId: session.id,
    interactionId: isOpen && !couldTakeDelivery(step, me) ? step.interactionId : undefined,
    firstMs: AGENT_STARTS_WAITING_MS,
    isEnough: ({ status }) => status === 'settled',
  });
  const found = context.open.find(({ interactionId }) => interactionId === step.interactionId);
  // The log does not say whether an agent is waiting for the answer, and the snapshot soon goes stale.
  const agentWaiting = looked?.agentWaiting ?? found?.agentWaiting;
  const now = useMemo(
    () => found && { ...found, ...(agentWaiting !== undefined && { agentWaiting }) },
    [found, agentWaiting],
  );
  return (
    <div class="asked" id={interactionElementId(step.interactionId)}>
      <InteractionCard
        interaction={isOpen && now !== undefined ? now : step}
        session={session}
        transport={transport}
        clock={clock}
        me={me}
        canAnswer={canAnswer}
        isAnswerable={isAnswerable}
        onTextTarget={onTextTarget}
        onSendText={onSendText}
        onSlow={onSlow}
        changedFrom={changedFrom}
      />
    </div>
  );
}
