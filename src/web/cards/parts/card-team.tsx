/**
 * What several people need to know of one request, under the head of its card: how many approvals it has and whose, who
 * looks at it, who handed it over, and which decision it takes up again. Beside it, what a person who is asked can do about
 * that: withdraw an approval, claim, hand over.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Transport } from '../../../client/transport.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t, tn, tx } from '../../model/language.ts';
import type { Person } from '../../model/person.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import teamStyle from '../../styles/team.css?inline';
import { HandOverForm } from './hand-over-form.tsx';

adoptStyle(teamStyle);

export interface CardTeamProps {
  readonly record: Interaction;
  readonly me: Person;
  readonly session: { readonly id: string };
  readonly transport: Transport;
  readonly clock: ServerClock;
  /** The request is open, and this person may answer it now. */
  readonly isLive: boolean;
}

export function CardTeam({ record, me, session, transport, clock, isLive }: CardTeamProps) {
  const { interactionId, claim, votes = [] } = record;
  const { run, isBusy, failure } = useAsyncAction();
  const [isHandingOver, setHandingOver] = useState(false);
  const now = useNow(clock, CLAIM_REFRESH_MS);
  const isOpen = record.status === 'open';
  const claimed = isOpen && claim !== undefined && claim.until > now ? claim : undefined;
  const isMine = claimed?.by.subject === me.subject;
  const hasVoted = votes.some(({ by }) => by.subject === me.subject);
  const act = (work: () => Promise<unknown>) => () => void run(work);
  return (
    <section class="team" aria-label={t('Who decides')}>
      <Votes record={record} me={me} />
      {claimed !== undefined && (
        <p class="team-line">
          {isMine
            ? t('You are looking at this')
            : tx('{name} is looking at this', nameOf(claimed.by))}
        </p>
      )}
      <Past record={record} me={me} />
      {isLive && (
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
      )}
      {isLive && isHandingOver && (
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
    </section>
  );
}

/** A claim that is over by time disappears without an event. */
const CLAIM_REFRESH_MS = 10_000;

function Votes({ record, me }: Pick<CardTeamProps, 'record' | 'me'>) {
  const { quorum, votes = [], status, notRequester, openedBy } = record;
  const isOwnRequest = notRequester === true && openedBy.subject === me.subject;
  if (quorum === undefined && !isOwnRequest) return null;
  const { approvals = 1 } = quorum ?? {};
  return (
    <div class="team-votes">
      {quorum !== undefined && (
        <>
          <p>
            <span class="team-marks" aria-hidden="true">
              {Array.from({ length: approvals }, (_, at) => (
                <i key={at} class={at < votes.length ? 'given' : ''} />
              ))}
            </span>
            <strong>
              {tn(approvals, '{given} of {count} approval', '{given} of {count} approvals', {
                given: votes.length,
              })}
            </strong>
          </p>
          {votes.map(({ by }) => (
            <p key={by.subject}>
              {by.subject === me.subject ? t('You approved') : tx('{name} approved', nameOf(by))}
            </p>
          ))}
          {status === 'open' && votes.length === 0 && <p>{t('One denial ends it.')}</p>}
        </>
      )}
      {isOwnRequest && <p>{t('You asked for this, so another person decides.')}</p>}
    </div>
  );
}

/** What happened before: a decision that was taken back, or other people who were asked. */
function Past({ record: { undoes, handover }, me }: Pick<CardTeamProps, 'record' | 'me'>) {
  return (
    <>
      {undoes !== undefined && (
        <p class="team-line">
          {undoes.by.subject === me.subject
            ? t('You took back the decision on this. It is open again.')
            : tx('{name} took back the decision on this. It is open again.', nameOf(undoes.by))}
        </p>
      )}
      {handover !== undefined && (
        <p class="team-line" dir="auto">
          {tx('Handed over by {name}', nameOf(handover.by))}
          {handover.note !== undefined && `: ${escapeInvisible(handover.note)}`}
        </p>
      )}
    </>
  );
}

function nameOf({ subject }: { readonly subject: string }) {
  return { name: <bdi key="name">{escapeInvisible(subject)}</bdi> };
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
