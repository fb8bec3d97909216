import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { linesOfBlocks } from '../../model/cards/plan-comments.ts';

/** A heading, a paragraph, an item of a list, a row of a table or a piece of code. */
export interface PlanBlock {
  readonly element: HTMLElement;
  readonly text: string;
  readonly line: number | undefined;
  /** Pixels below the top of the plan. */
  readonly top: number;
  readonly isHeading: boolean;
  /** Of a heading, from 1. */
  readonly level: number;
}

const BLOCK_TAGS = 'h1, h2, h3, h4, h5, h6, p, li, pre, tr';
/** A plan of thousands of lines is commented on as a whole. */
const MAX_BLOCKS = 400;

/** The blocks of the drawn plan, and where they stand. */
export function usePlanBlocks(
  plan: RefObject<HTMLElement | null>,
  text: string,
): readonly PlanBlock[] {
  const [blocks, setBlocks] = useState<readonly PlanBlock[]>([]);
  useLayoutEffect(() => {
    const shown = plan.current;
    if (shown === null) return;
    const read = () => setBlocks((before) => sameOr(before, readBlocks(shown, text)));
    read();
    const resized = new ResizeObserver(read);
    resized.observe(shown);
    // Markdown is drawn once its parser is there.
    const drawn = new MutationObserver(read);
    drawn.observe(shown, { childList: true, subtree: true });
    return () => {
      resized.disconnect();
      drawn.disconnect();
    };
  }, [text]);
  return blocks;
}

function readBlocks(plan: HTMLElement, text: string): readonly PlanBlock[] {
  const elements = [...plan.querySelectorAll<HTMLElement>(BLOCK_TAGS)].filter(
    // An item with paragraphs is commented on by them.
    (one) => one.querySelector(BLOCK_TAGS) === null,
  );
  if (elements.length > MAX_BLOCKS) return [];
  const lines = linesOfBlocks(
    text,
    elements.map((one) => one.textContent),
  );
  const { top } = plan.getBoundingClientRect();
  return elements.map((element, at) => ({
    element,
    text: element.textContent,
    line: lines[at],
    top: element.getBoundingClientRect().top - top,
    isHeading: /^H[1-6]$/.test(element.tagName),
    level: Number(element.tagName.charAt(1)) || 0,
  }));
}

/** Unchanged blocks draw nothing again, which would be observed again. */
function sameOr(before: readonly PlanBlock[], now: readonly PlanBlock[]): readonly PlanBlock[] {
  const isSame =
    before.length === now.length &&
    now.every(({ element, top, text }, at) => {
      const was = before[at];
      return was?.element === element && was.top === top && was.text === text;
    });
  return isSame ? before : now;
}
