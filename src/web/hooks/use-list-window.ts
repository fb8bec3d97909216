/**
 * The rows of a long list that are drawn: those in the window, and a few around them.
 *
 * All rows have the height of the first one. The others are the padding of the list, so that its scroll bar is true. The
 * list may be anywhere in an element that scrolls.
 */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** More than a fast wheel passes between two frames. */
const ROWS_AROUND = 12;
/** Below it a list is drawn whole. */
const WINDOWED_FROM = 60;

export interface ListWindow {
  readonly from: number;
  readonly to: number;
  /** Scrolls so that the row is drawn and in the window. */
  readonly reveal: (index: number) => void;
}

export function useListWindow(list: RefObject<HTMLElement | null>, count: number): ListWindow {
  const [shown, setShown] = useState({ from: 0, to: WINDOWED_FROM });
  const isWindowed = count > WINDOWED_FROM;
  const from = isWindowed ? Math.min(shown.from, Math.max(0, count - 1)) : 0;
  const to = isWindowed ? Math.min(shown.to, count) : count;

  // Measured between two draws. A layout that is forced while the rows have changed and the padding has not would move the
  // page: the browser keeps the first row in its place, and the next look takes that for a scroll, for ever.
  const measured = useRef(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    measured.current ||= rowHeightOf(element);
    const height = measured.current;
    element.style.paddingTop = `${from * height}px`;
    element.style.paddingBottom = `${(count - to) * height}px`;
  });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || !isWindowed) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      measured.current = rowHeightOf(element);
      const next = rowsInView(element, count, measured.current);
      setShown((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon, { capture: true });
      removeEventListener('resize', soon);
    };
  }, [list, count, isWindowed]);

  const reveal = useCallback(
    (index: number) => {
      const element = list.current;
      const scroller = element?.closest<HTMLElement>('[data-scrolls]');
      if (element == null || scroller == null) return;
      const height = measured.current;
      const pane = scroller.getBoundingClientRect();
      const top = element.getBoundingClientRect().top + index * height - pane.top;
      // A row above is shown with its neighbor, so that one sees where the list goes on.
      if (top < height) scroller.scrollTop += top - height;
      else if (top + 2 * height > pane.height) scroller.scrollTop += top + 2 * height - pane.height;
    },
    [list],
  );
  return { from, to, reveal };
}

function rowHeightOf(list: HTMLElement): number {
  return list.firstElementChild?.getBoundingClientRect().height ?? 0;
}

function rowsInView(list: HTMLElement, count: number, height: number) {
  if (height === 0) return { from: 0, to: WINDOWED_FROM };
  const { top } = list.getBoundingClientRect();
  // In steps, so that most frames of a scroll draw nothing.
  const step = (rows: number) => Math.floor(rows / ROWS_AROUND) * ROWS_AROUND;
  const first = step(-top / height) - ROWS_AROUND;
  const last = step((innerHeight - top) / height) + 2 * ROWS_AROUND;
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, Math.max(last, 1)) };
}
