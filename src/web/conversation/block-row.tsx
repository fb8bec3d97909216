import { useMemo } from 'preact/hooks';
import type { Block, ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { interactionElementId } from '../hooks/interaction-element.ts';
import { useRecord } from '../hooks/use-record.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { couldTakeDelivery } from '../model/person.ts';
import { noticeText } from '../model/session-words.ts';
import { absoluteTime } from '../model/times.ts';
import { originWords, ownSteps } from '../model/tool-words.ts';
import { JsonView } from '../ui/literal.tsx';
import type { CardContext } from './card-context.ts';
import { ToolGroupRow, ToolRow } from './tool-row.tsx';

interface BlockRowProps {
  readonly block: Block;
  readonly context: CardContext;
}

/** One block of a conversation, by its type. */
export function BlockRow({ block, context }: BlockRowProps) {
  switch (block.type) {
    case 'user':
      return (
        <div class="message" title={absoluteTime(block.event.at)}>
          <h2 class="unseen">{escapeInvisible(block.event.payload.subject)} wrote</h2>
          <p dir="auto">{escapeInvisible(block.event.payload.text)}</p>
        </div>
      );
    case 'text':
      return (
        <>
          <Markdown text={block.text} />
          {block.isPartial === true && <p class="notice">Stopped here</p>}
        </>
      );
    case 'thinking':
      return (
        <details class="thinking">
          <summary>Thoughts</summary>
          <p dir="auto">{escapeInvisible(block.event.payload.text)}</p>
        </details>
      );
    case 'group':
      return <ToolGroupRow group={block} context={context} />;
    case 'tool':
      return <ToolCallRow block={block} context={context} />;
    case 'questionnaire':
      return (
        <InteractionSlot
          step={block.step}
          origin={originWords(block.call, block.step)}
          changedFrom={block.changedFrom}
          context={context}
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
          {noticeText(block)}
        </p>
      );
    case 'unknown':
      return (
        <details class="thinking">
          <summary>Unknown event: {escapeInvisible(block.event.type)}</summary>
          <JsonView value={block.event.payload} label="What it says" />
        </details>
      );
  }
}

/** What was asked about the call, the call, and what a command in it asked. */
function ToolCallRow({
  block,
  context,
}: {
  readonly block: ToolBlock;
  readonly context: CardContext;
}) {
  const { call, steps, changedFrom } = block;
  const own = ownSteps(block);
  const isShownByCard = call.status === 'pending' && own.length > 0 && own.at(-1) === steps.at(-1);
  const slots = (shown: readonly Interaction[]) =>
    shown.map((step) => (
      <InteractionSlot
        key={step.interactionId}
        step={step}
        origin={originWords(call, step)}
        changedFrom={step === steps.at(-1) ? changedFrom : undefined}
        context={context}
      />
    ));
  return (
    <div class="tool-call">
      {slots(own)}
      {/* An open card shows all of this; the row comes below it, so that nothing jumps when the card settles. */}
      {!isShownByCard && <ToolRow block={block} context={context} />}
      {slots(steps.filter((step) => !own.includes(step)))}
    </div>
  );
}

const AGENT_STARTS_WAITING_MS = 2_000;

interface InteractionSlotProps {
  readonly step: Interaction;
  /** The words for a request that does not come from the call itself. */
  readonly origin: string | undefined;
  readonly changedFrom: Interaction | undefined;
  readonly context: CardContext;
}

/** The card of an interaction at its position in the conversation. */
function InteractionSlot({ step, origin, changedFrom, context }: InteractionSlotProps) {
  const { session, transport, me, open } = context;
  const isOpen = step.status === 'open';
  const looked = useRecord({
    transport,
    sessionId: session.id,
    interactionId: isOpen && !couldTakeDelivery(step, me) ? step.interactionId : undefined,
    firstMs: AGENT_STARTS_WAITING_MS,
    isEnough: ({ status }) => status === 'settled',
  });
  const found = open.find(({ interactionId }) => interactionId === step.interactionId);
  // The log does not say whether an agent is waiting for the answer, and the snapshot soon goes stale.
  const agentWaiting = looked?.agentWaiting ?? found?.agentWaiting;
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
        changedFrom={changedFrom}
      />
    </div>
  );
}
