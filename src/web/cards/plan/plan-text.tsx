import type { RefObject } from 'preact';
import { Markdown } from '../../markdown/markdown.tsx';
import { sizeOfText } from '../../model/sizes.ts';

const LONG_PLAN_CHARS = 5_000;
const LONG_PLAN_LINES = 60;

export function isLongPlan(text: string): boolean {
  return (
    text.length > LONG_PLAN_CHARS || text.split('\n', LONG_PLAN_LINES + 1).length > LONG_PLAN_LINES
  );
}

interface PlanTextProps {
  readonly text: string;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
  readonly root?: RefObject<HTMLElement | null>;
}

/** The plan, labeled as the agent's. A long plan is folded, and must be seen in full before approval. */
export function PlanText({ text, isWhole, onWhole, root }: PlanTextProps) {
  return (
    <figure class="plan" {...(root && { ref: root })}>
      <figcaption>The agent’s plan</figcaption>
      <div class={isWhole ? 'plan-text' : 'plan-text clipped'}>
        <Markdown text={isWhole ? text : beginningOfPlan(text)} />
      </div>
      {!isWhole && (
        <button type="button" class="link" data-unfold onClick={onWhole}>
          Show all {sizeOfText(text)}
        </button>
      )}
    </figure>
  );
}

function beginningOfPlan(text: string): string {
  const lines = text.split('\n', LONG_PLAN_LINES).join('\n');
  return lines.slice(0, LONG_PLAN_CHARS).replace(/[\uD800-\uDBFF]$/, '');
}
