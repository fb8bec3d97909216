import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import type { FilesToSend } from '../files/use-files.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { storeIn } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import type { Person } from '../model/person.ts';
import { CardFrame } from './card-frame.tsx';
import { cardKindOf } from './card-kinds.tsx';
import type { InteractionCardProps } from './card-props.ts';
import { useTypingFocus, useUnsentText } from './use-unsent-text.ts';
import { useAnswer } from './use-answer.ts';

export type { InteractionCardProps } from './card-props.ts';

/** Drafts live in this tab: on a shared computer the next person does not find them. */
const TAB = storeIn(() => sessionStorage);

/** The card of an interaction, open or settled. */
export function InteractionCard(props: InteractionCardProps) {
  return <OneCard key={props.interaction.interactionId} {...props} />;
}

function OneCard(props: InteractionCardProps) {
  const { session, me, clock, transport, isAnswerable = true, store = TAB } = props;
  const {
    position,
    onSeen,
    onTextTarget,
    onSendText,
    onSlow,
    changedFrom,
    isInInbox = false,
    row,
  } = props;
  const files = useRef<FilesToSend>(null);
  const answering = useAnswer({ ...props, files });
  const { record, isBusy, isSlow, isUnsent } = answering;
  useEffect(() => (isSlow ? onSlow?.() : undefined), [isSlow, onSlow]);
  useTypingFocus(record.interactionId);
  const later = useLaterParts();
  const unsent = useUnsentText(answering, session.id, store, changedFrom, later);
  const isOpen = record.status === 'open';
  const outsiderWords = useOutsiderWords(record, me);
  const canAnswer = props.canAnswer && outsiderWords === undefined;
  // While an answer is being sent, the buttons stay and show it.
  const mayAct = isOpen && canAnswer && (isAnswerable || isBusy);
  // A second approval of the same person counts for nothing; the person may withdraw the first one.
  const hasVoted = record.votes?.some(({ by }) => by.subject === me.subject);
  const isLive = mayAct && !hasVoted;
  const isCalm = !isBusy && !isUnsent;
  const { name, title: Title, body: Body } = cardKindOf(record);
  const isInRow = !isOpen && row !== undefined && record.kind === 'approval';
  const team = isTeamwork(record) && later && <later.CardTeam {...{ record, me, clock }} />;
  const kept = unsent && later && <later.UnsentTextForm {...{ record, me, unsent, onSendText }} />;
  const body = (
    <Body
      {...{
        answering,
        transport,
        session,
        clock,
        store,
        position,
        onSeen,
        onTextTarget,
        isInInbox,
        isAwaited: props.isAwaited,
        isInRow,
        isLive,
      }}
    />
  );
  return (
    <CardFrame
      row={isInRow ? { ...row, details: [team, body] } : undefined}
      answering={answering}
      me={me}
      clock={clock}
      isLive={isLive}
      isForMe={canAnswer && !hasVoted}
      kind={name}
      title={<Title record={record} />}
      onlookers={later && <later.CardOnlookers {...{ record, me, session }} />}
      notes={[
        record.errorSummary && escapeInvisible(record.errorSummary),
        outsiderWords ?? (!canAnswer && t('View only: you can’t answer this.')),
        isSlow && t('Still sending… Your answer is kept until it is through.'),
        canAnswer &&
          !isAnswerable &&
          isCalm &&
          t('Not connected. You can answer when the connection is back.'),
        // The state of the agent is as old as the connection.
        record.agentWaiting === false &&
          isAnswerable &&
          isCalm &&
          t('The agent is offline. It will get your answer when it reconnects.'),
      ]}
    >
      {isInRow ? later && <later.GivenReason record={record} /> : team}
      {isInRow && record.decision?.['read'] === 'part' && (
        <p class="card-note">{t('It was approved without reading all of it.')}</p>
      )}
      {kept}
      {isOpen && changedFrom !== undefined && later !== undefined && (
        <later.ChangedRequest from={changedFrom} record={record} />
      )}
      {!isInRow && body}
      {(mayAct || record.attachments) && later !== undefined && (
        <div class="card-foot">
          <later.CardFiles {...{ record, session, transport, store, isLive }} handle={files} />
          {mayAct && me.via === 'web' && (
            // Who works alone, with the key of the administrator, hands nothing over.
            <later.TeamActions {...{ record, me, session, transport, clock }} />
          )}
        </div>
      )}
    </CardFrame>
  );
}

/** Whether there is more to say of a request than that it is open. */
function isTeamwork({ quorum, undoes, handover, claim, askedBy }: Interaction): boolean {
  return (quorum ?? undoes ?? handover ?? claim ?? askedBy) !== undefined;
}

/** What a person who is not asked reads (ROUTE-8, VOTE-7); undefined if the person is, and while that is not known. */
function useOutsiderWords(
  { audience, status, notRequester, openedBy }: Interaction,
  me: Person,
): string | undefined {
  const [words, setWords] = useState<string>();
  const watched = status === 'open' ? audience : undefined;
  const later = useLaterParts(watched === undefined ? 'never' : 'now');
  useEffect(() => watched && later?.watchAsked(watched, me, setWords), [watched, later, me]);
  if (status === 'open' && notRequester === true && openedBy.subject === me.subject) {
    return t('You asked for this, so another person decides.');
  }
  return watched && words;
}
