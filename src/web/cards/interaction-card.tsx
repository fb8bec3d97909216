import { useEffect } from 'preact/hooks';
import { dropDraft } from '../model/cards/kept-draft.ts';
import { honestProse } from '../model/escapes.ts';
import { keepIn } from '../model/ports.ts';
import { CardFrame } from './card-frame.tsx';
import { kindOf } from './card-kinds.tsx';
import type { InteractionCardProps } from './card-props.ts';
import { useAnswer } from './use-answer.ts';

export type { InteractionCardProps } from './card-props.ts';

/** An answer in the making belongs to this tab; on a shared computer the next person finds none. */
const TAB = keepIn(() => sessionStorage);

/** What a person is asked, open or settled. */
export function InteractionCard(props: InteractionCardProps) {
  return <OneCard key={props.interaction.interactionId} {...props} />;
}

function OneCard(props: InteractionCardProps) {
  const {
    session,
    me,
    clock,
    canAnswer,
    isAnswerable = true,
    keep = TAB,
    place,
    onSeen,
    onText,
  } = props;
  const answering = useAnswer(props);
  const { record } = answering;
  const { interactionId, status } = record;
  useEffect(() => {
    if (status === 'settled') dropDraft(keep, { sessionId: session.id, interactionId });
  }, [keep, session.id, interactionId, status]);
  const isLive = status === 'open' && canAnswer && isAnswerable;
  const { name, title: Title, body: Body } = kindOf(record);
  return (
    <CardFrame
      answering={answering}
      me={me}
      clock={clock}
      isLive={isLive}
      kind={name}
      title={<Title record={record} />}
      notes={[
        record.errorSummary && honestProse(record.errorSummary),
        !canAnswer && 'You may look at this, and not answer it.',
        canAnswer && !isAnswerable && 'Not connected. You can answer when the connection is back.',
        record.agentWaiting === false &&
          'No agent is listening at the moment. Your answer is kept.',
      ]}
    >
      <Body {...{ answering, session, clock, keep, place, onSeen, onText, isLive }} />
    </CardFrame>
  );
}
