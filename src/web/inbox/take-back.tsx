import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { hasScope, type Person } from '../model/person.ts';
import { MINUTE_MS } from '../model/times.ts';
import { Button } from '../ui/button.tsx';

interface TakeBackProps {
  readonly sessionId: string;
  readonly record: Interaction;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  /** The same request is open again, under another id. */
  readonly onReopened: (record: Interaction) => void;
}

/** Takes back a decision that no agent has. The server decides whether one has: the agent may be taking it just now. */
export function TakeBack({ sessionId, record, transport, clock, me, onReopened }: TakeBackProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (!mayTakeBack(record, me, clock.now())) return null;
  const takeBack = () =>
    run(async () => onReopened(await transport.undo(sessionId, record.interactionId)));
  return (
    <div class="take-back">
      <p class="muted">{t('No agent has this decision yet.')}</p>
      <Button isBusy={isBusy} onClick={() => void takeBack()}>
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
