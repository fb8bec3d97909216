/**
 * Keeps the end of a conversation in sight while somebody reads there, and leaves them alone elsewhere.
 *
 * What grows above the eye does not move what is read: rows that are added at the beginning are made up
 * for in the same frame.
 */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So near to the end counts as there: a finger does not stop at the pixel. */
const NEAR_PX = 48;
/** What is unfolded has been drawn by then, on a slow phone too. */
const UNFOLD_MS = 300;

export interface Stick {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** To be called before something is unfolded: it opens under the eye and is not scrolled past. */
  readonly onUnfold: () => void;
  /** To be called before something further up is shown. */
  readonly leaveEnd: () => void;
  readonly onScroll: () => void;
  /** To be called before rows are put above those that are there. */
  readonly holdPlace: () => void;
}

export function useStickToEnd(): Stick {
  const scroller = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const sticks = useRef(true);
  const held = useRef<number | undefined>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    if (scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, []);

  const leaveEnd = useCallback(() => {
    sticks.current = false;
    setAtEnd(false);
  }, []);

  const onScroll = useCallback(() => {
    const at = scroller.current;
    if (at === null) return;
    sticks.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX;
    setAtEnd(sticks.current);
  }, []);

  const onUnfold = useCallback(() => {
    sticks.current = false;
    setTimeout(onScroll, UNFOLD_MS);
  }, [onScroll]);

  const holdPlace = useCallback(() => {
    const at = scroller.current;
    if (at !== null) held.current = at.scrollHeight - at.scrollTop;
  }, []);

  useLayoutEffect(() => {
    const at = scroller.current;
    if (at === null || held.current === undefined) return;
    at.scrollTop = at.scrollHeight - held.current;
    held.current = undefined;
  });

  useLayoutEffect(() => {
    const [at, inside] = [scroller.current, content.current];
    if (at === null || inside === null) return;
    // Both: a keyboard that opens makes the frame smaller, a card that opens makes the content larger.
    const observer = new ResizeObserver(() => {
      if (sticks.current) at.scrollTop = at.scrollHeight;
    });
    observer.observe(at);
    observer.observe(inside);
    return () => observer.disconnect();
  }, []);

  return { scroller, content, isAtEnd, toEnd, leaveEnd, onScroll, onUnfold, holdPlace };
}
