import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Block, ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { interactionElementId } from '../hooks/interaction-element.ts';
import type { LaterParts } from '../hooks/use-later-parts.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Location } from '../model/location.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { originWords, ownSteps } from '../model/tool-words.ts';
import { t } from '../model/language.ts';
import type { CallInRow, CardContext } from '../cards/card-props.ts';
import { DecisionLine, ToolGroupRow, ToolRow, ToolStatus } from './tool-row.tsx';

export interface BlockRowProps {
  readonly block: Block;
  readonly context: CardContext;
  /** Fetched after the first screen. */
  readonly later: LaterParts | undefined;
}

/** One block of a conversation, by its type. */
export function BlockRow({ block, context, later }: BlockRowProps) {
  const time = (at: number | undefined, seq: number | undefined) => {
    const location = context.hasHistory ? undefined : { event: `${seq}` };
    return at !== undefined && <RowTime leadsTo="message" {...{ at, location, context, later }} />;
  };
  switch (block.type) {
    case 'user':
      return (
        <>
          <div class="message">
            <h2 class="unseen">
              {t('{name} wrote', { name: escapeInvisible(block.event.payload.subject) })}
            </h2>
            <p dir="auto">{escapeInvisible(block.event.payload.text)}</p>
          </div>
          {block.event.payload.attachments && (
            // Its height is reserved, so that nothing moves when the files arrive.
            <div class="files">
              {later && (
                <later.AttachedFiles files={block.event.payload.attachments} {...context} />
              )}
            </div>
          )}
          {time(block.event.at, block.event.seq)}
        </>
      );
    case 'text':
      return (
        <>
          <Markdown text={block.text} />
          {block.isPartial === true && <p class="notice">{t('Stopped here')}</p>}
          {time(block.at, block.seq)}
        </>
      );
    case 'thinking':
      return (
        <details class="thinking">
          <summary>{t('Thoughts')}</summary>
          <p dir="auto">{escapeInvisible(block.event.payload.text)}</p>
        </details>
      );
    case 'group':
      return <ToolGroupRow group={block} context={context} />;
    case 'tool':
      return <ToolCallRow {...{ block, context, later }} />;
    case 'questionnaire':
      return (
        <InteractionSlot
          step={block.step}
          origin={originWords(block.call, block.step)}
          changedFrom={block.changedFrom}
          {...{ context, later }}
        />
      );
    case 'error':
      return (
        <div class="turn-failure">
          <p dir="auto">{escapeInvisible(block.event.payload.message)}</p>
        </div>
      );
    case 'notice':
      return (
        <p class="notice" title={absoluteTime(block.event.at)}>
          {later?.noticeText(block)}
        </p>
      );
    case 'summary':
      return (
        <div class="notice">{later && <later.SummaryRow event={block.event} {...context} />}</div>
      );
    case 'unknown':
      return (
        <details class="thinking">
          <summary>
            {t('Unknown event: {type}', { type: escapeInvisible(block.event.type) })}
          </summary>
          {later && <later.JsonView value={block.event.payload} label={t('What it says')} />}
        </details>
      );
  }
}

/** What was asked about the call, the call, and what a command in it asked. */
function ToolCallRow({
  block,
  context,
  later,
}: BlockRowProps & {
  readonly block: ToolBlock;
}) {
  const { call, steps, changedFrom } = block;
  const own = ownSteps(block);
  const last = own.at(-1);
  const isShownByCard = call.status === 'pending' && own.length > 0 && last === steps.at(-1);
  const isOneRow = !isShownByCard && last?.kind === 'approval' && last.status === 'settled';
  const slots = (shown: readonly Interaction[]) =>
    shown.map((step) => (
      <InteractionSlot
        key={step.interactionId}
        step={step}
        origin={originWords(call, step)}
        changedFrom={step === steps.at(-1) ? changedFrom : undefined}
        {...(isOneRow && step === last && { row: rowOfCall(block, step, context, later) })}
        {...{ context, later }}
      />
    ));
  return (
    <div class="tool-call">
      {slots(own)}
      {/* An open card shows all of this; the row comes below it, so that nothing jumps when the card settles. */}
      {!isShownByCard && !isOneRow && <ToolRow block={block} context={context} />}
      {isOneRow && block.decided !== undefined && (
        <DecisionLine call={call} decided={block.decided} context={context} />
      )}
      {slots(steps.filter((step) => !own.includes(step)))}
    </div>
  );
}

/** What the row of a settled approval says of its call, beyond how it was decided. */
function rowOfCall(
  block: ToolBlock,
  { outcome }: Interaction,
  context: CardContext,
  later: BlockRowProps['later'],
): CallInRow {
  const { result } = block.call;
  // A call that was not approved ended with the decision.
  if (outcome !== 'approved' && result === undefined) return {};
  return {
    status: <ToolStatus {...{ block, context }} known={t('Approved')} />,
    result: result !== undefined && later && <later.ToolResultPart result={result} />,
  };
}

const NO_CALL: CallInRow = {};
const AGENT_STARTS_WAITING_MS = 2_000;

interface InteractionSlotProps extends Pick<BlockRowProps, 'context' | 'later'> {
  readonly step: Interaction;
  /** The words for a request that does not come from the call itself. */
  readonly origin: string | undefined;
  readonly changedFrom: Interaction | undefined;
  readonly row?: CallInRow;
}

/** The card of an interaction at its position in the conversation. */
function InteractionSlot(props: InteractionSlotProps) {
  const { step, origin, changedFrom, context, later, row = NO_CALL } = props;
  const { open, agents, isAnswerable } = context;
  const isOpen = step.status === 'open';
  const wasOpen = useRef(false);
  // What an agent was sent while the connection was lost is not known.
  wasOpen.current = isAnswerable && (isOpen || wasOpen.current);
  const found = open.find(({ interactionId }) => interactionId === step.interactionId);
  const known = agents.get(step.interactionId)?.agentWaiting ?? found?.agentWaiting;
  // A frame says that an agent waits, and none that a new request has no agent.
  const isLate = useIsLate(isOpen && isAnswerable && found !== undefined && known === undefined);
  const agentWaiting = known ?? (isLate ? false : undefined);
  const now = useMemo(
    () => found && { ...found, ...(agentWaiting !== undefined && { agentWaiting }) },
    [found, agentWaiting],
  );
  return (
    <div class="interaction" id={interactionElementId(step.interactionId)}>
      {origin !== undefined && <p class="origin">{origin}</p>}
      <InteractionCard
        {...context}
        interaction={isOpen && now !== undefined ? now : step}
        {...{ changedFrom, row }}
      />
      {!isOpen && later && <later.TakeBackInRow {...{ step, context }} wasOpen={wasOpen.current} />}
      <RowTime
        at={step.openedAt}
        location={{ interaction: step.interactionId }}
        leadsTo="request"
        {...{ context, later }}
      />
    </div>
  );
}

function useIsLate(isExpected: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!isExpected) return;
    const timer = setTimeout(() => setLate(true), AGENT_STARTS_WAITING_MS);
    return () => clearTimeout(timer);
  }, [isExpected]);
  return isLate;
}

interface RowTimeProps extends Pick<BlockRowProps, 'context' | 'later'> {
  readonly at: number;
  readonly location: Location | undefined;
  readonly leadsTo: 'message' | 'request';
}

/** Its height is reserved, so that nothing moves when the time arrives. */
function RowTime({ at, location, leadsTo, context, later }: RowTimeProps) {
  const { session, clock } = context;
  return (
    <p class="row-time">
      {later && (
        <later.TimeLink
          location={location && { session: session.id, ...location }}
          {...{ at, leadsTo, clock }}
        />
      )}
    </p>
  );
}
