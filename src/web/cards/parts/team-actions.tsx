import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Transport } from '../../../client/transport.ts';
import type { Interaction } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t } from '../../model/language.ts';
import type { Person } from '../../model/person.ts';
import { useClaim } from './card-team.tsx';
import { HandOverForm } from './hand-over-form.tsx';

interface TeamActionsProps {
  readonly record: Interaction;
  readonly me: Person;
  readonly session: { readonly id: string };
  readonly transport: Transport;
  readonly clock: ServerClock;
}

/** What a person who is asked can do beside answering, at the foot of the card: withdraw an approval, claim, hand over. */
export function TeamActions({ record, me, session, transport, clock }: TeamActionsProps) {
  const { interactionId, votes = [] } = record;
  const { run, isBusy, failure } = useAsyncAction();
  const [isHandingOver, setHandingOver] = useState(false);
  const isMine = useClaim(record, clock)?.by.subject === me.subject;
  const hasVoted = votes.some(({ by }) => by.subject === me.subject);
  const act = (work: () => Promise<unknown>) => () => void run(work);
  return (
    <div class="team">
      <div class="team-actions">
        {hasVoted && (
          <TextButton
            isBusy={isBusy}
            onClick={act(() => transport.withdraw(session.id, interactionId))}
          >
            {t('Withdraw approval')}
          </TextButton>
        )}
        <TextButton
          isBusy={isBusy}
          onClick={act(() =>
            transport.claim(session.id, interactionId, isMine ? { release: true } : {}),
          )}
        >
          {isMine ? t('Stop looking') : t('I’ll look at it')}
        </TextButton>
        <TextButton
          isBusy={isBusy}
          isOpen={isHandingOver}
          onClick={() => setHandingOver(!isHandingOver)}
        >
          {t('Hand over…')}
        </TextButton>
      </div>
      {isHandingOver && (
        <HandOverForm
          isBusy={isBusy}
          onCancel={() => setHandingOver(false)}
          onSend={async (to) => {
            const isDone = await run(() => transport.handOver(session.id, interactionId, to));
            if (isDone) setHandingOver(false);
          }}
        />
      )}
      <FailureNote text={failure} />
    </div>
  );
}

interface TextButtonProps {
  readonly isBusy: boolean;
  readonly isOpen?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function TextButton({ isBusy, isOpen, onClick, children }: TextButtonProps) {
  return (
    <button type="button" class="link" disabled={isBusy} aria-expanded={isOpen} onClick={onClick}>
      {children}
    </button>
  );
}
