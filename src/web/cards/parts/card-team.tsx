/**
 * What several people need to know of one request, under the head of its card: which rule asks for it, how many approvals it
 * has and whose, who looks at it, who handed it over, and which decision it takes up again.
 */
import { escapeInvisible } from '../../../protocol/escapes.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { t, tn, tx } from '../../model/language.ts';
import { makerName, personName } from '../../model/names.ts';
import type { Person } from '../../model/person.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import teamStyle from '../../styles/team.css?inline';

adoptStyle(teamStyle);

interface CardTeamProps {
  readonly record: Interaction;
  readonly me: Person;
  readonly clock: ServerClock;
}

export function CardTeam({ record, me, clock }: CardTeamProps) {
  const claim = useClaim(record, clock);
  return (
    <div class="team" role="group" aria-label={t('Who decides')}>
      <AskingRule askedBy={record.askedBy} />
      <Votes record={record} me={me} />
      {claim !== undefined && (
        <p class="team-line">
          {claim.by.subject === me.subject
            ? t('You are looking at this')
            : tx('{name} is looking at this', nameElement(claim.by))}
        </p>
      )}
      <Past record={record} me={me} />
    </div>
  );
}

/** A claim that is over by time disappears without an event. */
const CLAIM_REFRESH_MS = 10_000;

export function useClaim({ claim, status }: Interaction, clock: ServerClock) {
  const now = useNow(clock, CLAIM_REFRESH_MS);
  return status === 'open' && claim !== undefined && claim.until > now ? claim : undefined;
}

/** Without it, a person wonders why they are asked about what has always run by itself. */
function AskingRule({ askedBy }: Pick<Interaction, 'askedBy'>) {
  const { pattern, createdBy, scope } = askedBy ?? {};
  if (pattern === undefined || createdBy === undefined) return null;
  const values = {
    pattern: <code key="pattern">{escapeInvisible(pattern)}</code>,
    name: <bdi key="name">{makerName(createdBy, scope)}</bdi>,
  };
  return (
    <p class="team-line">
      {scope === 'workspace'
        ? tx('The rule {pattern} of the workspace asks, made by {name}', values)
        : tx('The rule {pattern} asks, made by {name}', values)}
    </p>
  );
}

function Votes({ record, me }: Pick<CardTeamProps, 'record' | 'me'>) {
  const { quorum, votes = [], status } = record;
  if (quorum === undefined) return null;
  const { approvals } = quorum;
  return (
    <div class="team-votes">
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
          {by.subject !== me.subject
            ? tx('{name} approved', nameElement(by))
            : status === 'open'
              ? tn(
                  approvals - votes.length,
                  'You approved · waiting for one more',
                  'You approved · waiting for {count} more',
                )
              : t('You approved')}
        </p>
      ))}
      {status === 'open' && votes.length === 0 && <p>{t('One denial ends it.')}</p>}
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
            : tx(
                '{name} took back the decision on this. It is open again.',
                nameElement(undoes.by),
              )}
        </p>
      )}
      {handover !== undefined && (
        <p class="team-line" dir="auto">
          {tx('Handed over by {name}', nameElement(handover.by))}
          {handover.note !== undefined && `: ${escapeInvisible(handover.note)}`}
        </p>
      )}
    </>
  );
}

function nameElement(by: Parameters<typeof personName>[0]) {
  return { name: <bdi key="name">{personName(by)}</bdi> };
}
