import type { Block } from '../../client/timeline/index.ts';
import { honestProse } from '../model/escapes.ts';
import { noticeText } from '../model/notice-words.ts';
import { exactly } from '../model/times.ts';
import { Asked } from './interaction-slot.tsx';
import type { CardWorld } from './card-context.ts';
import { JsonView } from '../ui/json-view.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { ToolGroup } from './tool-group.tsx';
import { ToolRow } from './tool-row.tsx';

interface Props {
  readonly block: Block;
  readonly world: CardWorld;
}

/** One block of a conversation, by its type. */
export function BlockRow({ block, world }: Props) {
  switch (block.type) {
    case 'user':
      return (
        <div class="said" title={exactly(block.event.at)}>
          <h2 class="unseen">{honestProse(block.event.payload.subject)} wrote</h2>
          <p dir="auto">{honestProse(block.event.payload.text)}</p>
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
          <p dir="auto">{honestProse(block.event.payload.text)}</p>
        </details>
      );
    case 'group':
      return <ToolGroup group={block} world={world} />;
    case 'tool':
      return (
        <div class="asked-tool">
          {block.steps.map((step) => (
            <Asked
              key={step.interactionId}
              step={step}
              changedFrom={step === block.steps.at(-1) ? block.changedFrom : undefined}
              world={world}
            />
          ))}
          {/* A card says all of this itself, as long as it asks; below it, nothing jumps when it settles. */}
          {(block.call.status !== 'pending' || block.steps.length === 0) && (
            <ToolRow block={block} world={world} />
          )}
        </div>
      );
    case 'questionnaire':
      return <Asked step={block.step} changedFrom={block.changedFrom} world={world} />;
    case 'error':
      return (
        <div class="trouble">
          <p dir="auto">{honestProse(block.event.payload.message)}</p>
        </div>
      );
    case 'notice':
      return (
        <p class="notice" title={exactly(block.event.at)}>
          {noticeText(block)}
        </p>
      );
    case 'unknown':
      return (
        <details class="thinking">
          <summary>Something this version does not know: {honestProse(block.event.type)}</summary>
          <JsonView value={block.event.payload} label="What it says" />
        </details>
      );
  }
}
