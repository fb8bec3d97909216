import type { Block } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../model/escapes.ts';
import { noticeText } from '../model/session-words.ts';
import { absoluteTime } from '../model/times.ts';
import type { CardContext } from './card-context.ts';
import { InteractionSlot } from './interaction-slot.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { ToolGroupRow } from './tool-group-row.tsx';
import { ToolRow } from './tool-row.tsx';

interface BlockRowProps {
  readonly block: Block;
  readonly context: CardContext;
}

/** One block of a conversation, by its type. */
export function BlockRow({ block, context }: BlockRowProps) {
  switch (block.type) {
    case 'user':
      return (
        <div class="said" title={absoluteTime(block.event.at)}>
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
      return (
        <div class="asked-tool">
          {block.steps.map((step) => (
            <InteractionSlot
              key={step.interactionId}
              step={step}
              changedFrom={step === block.steps.at(-1) ? block.changedFrom : undefined}
              context={context}
            />
          ))}
          {/* An open card shows all of this; the row comes below it, so that nothing jumps when the card settles. */}
          {(block.call.status !== 'pending' || block.steps.length === 0) && (
            <ToolRow block={block} context={context} />
          )}
        </div>
      );
    case 'questionnaire':
      return (
        <InteractionSlot step={block.step} changedFrom={block.changedFrom} context={context} />
      );
    case 'error':
      return (
        <div class="trouble">
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
