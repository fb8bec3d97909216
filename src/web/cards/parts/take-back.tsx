/** A decision that no agent has yet, and a button that takes it back: beside the list of the inbox and in a conversation. */
import type { Transport } from '../../../client/transport.ts';
import type { Interaction } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { useRecord } from '../../hooks/use-record.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t } from '../../model/language.ts';
import { couldTakeDelivery, hasScope, type Person } from '../../model/person.ts';
import { MINUTE_MS } from '../../model/times.ts';
import { Button } from '../../ui/button.tsx';
import type { CardContext } from '../card-props.ts';

interface TakeBackProps {
  readonly sessionId: string;
  readonly record: Interaction;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  /** The same request is open again, under another id. */
  readonly onReopened?: (record: Interaction) => void;
  readonly isInRow?: boolean;
}

/** Takes back a decision that no agent has. The server decides whether one has: the agent may be taking it just now. */
export function TakeBack({
  sessionId,
  record,
  transport,
  clock,
  me,
  onReopened,
  isInRow,
}: TakeBackProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (!mayTakeBack(record, me, clock.now())) return null;
  const takeBack = () =>
    run(async () => {
      const reopened = await transport.undo(sessionId, record.interactionId);
      onReopened?.(reopened);
    });
  return (
    <div class="take-back">
      <p class="muted">{t('No agent has this decision yet.')}</p>
      <Button
        kind={isInRow === true ? 'quiet' : 'plain'}
        isBusy={isBusy}
        onClick={() => void takeBack()}
      >
        {t('Take back')}
      </Button>
      <FailureNote text={failure} />
    </div>
  );
}

const UNTIL_MS = 10 * MINUTE_MS;

function mayTakeBack(record: Interaction, me: Person, now: number): boolean {
  const { outcome, settledAt, settledBy, deliveredAt, shownAt, undone, kind } = record;
  const isDecision = outcome === 'approved' || outcome === 'denied' || outcome === 'answered';
  const isWithAgent = (deliveredAt ?? shownAt ?? undone) !== undefined;
  const isOwn = settledBy?.subject === me.subject || hasScope(me, 'admin');
  const isRecent = settledAt !== null && now - settledAt < UNTIL_MS;
  return (
    isDecision && kind !== 'link' && !isWithAgent && isOwn && isRecent && hasScope(me, 'answer')
  );
}

interface TakeBackInRowProps {
  readonly step: Interaction;
  /** The page has followed the request from before its decision, and knows whether an agent has it. */
  readonly wasOpen: boolean;
  readonly context: CardContext;
}

/** In a conversation, whose log does not say whether an agent has the decision. */
export function TakeBackInRow({ step, wasOpen, context }: TakeBackInRowProps) {
  const { session, transport, me, clock, agents, isAnswerable } = context;
  const { interactionId } = step;
  const isRead = !wasOpen && mayTakeBack(step, me, clock.now()) && !couldTakeDelivery(step, me);
  const found = useRecord({
    transport,
    sessionId: session.id,
    interactionId: isRead ? interactionId : undefined,
    isConnected: isAnswerable,
  });
  const known = wasOpen ? step : found;
  if (known === undefined || !isAnswerable) return null;
  const record = { ...step, ...known, ...agents.get(interactionId) };
  return <TakeBack {...{ transport, clock, me, record }} sessionId={session.id} isInRow />;
}
