/**
 * Follows the end of a conversation while the person reads there, and stays put elsewhere.
 *
 * 1. The end is not followed past the top of a new card: the person starts to read at its beginning (UI-6). Manual
 *    scrolling releases the card.
 * 2. Content that grows above the visible part does not move it: rows added at the beginning are compensated in the
 *    same frame.
 * 3. The conversation scrolls or, in a low window, the whole session.
 */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { interactionElementId, isInView } from './interaction-element.ts';

/** This close counts as the end: a finger does not stop at an exact pixel. */
const NEAR_END_PX = 48;
/** By then unfolded content is drawn, on a slow phone too. */
const UNFOLD_MS = 300;
/** Space above the top of a card, so that its edge is visible. */
const MARGIN_PX = 12;

export interface Stick {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** Call before content is unfolded: it opens in view and is not scrolled past. */
  readonly onUnfold: () => void;
  /** Call before scrolling to content further up. */
  readonly leaveEnd: () => void;
  /** Call before rows are added above the drawn ones. */
  readonly holdPlace: () => void;
}

export function useStickToEnd(open: readonly Interaction[]): Stick {
  const frame = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const sticks = useRef(true);
  const held = useRef<number | undefined>(undefined);
  /** The last position that this hook scrolled to: the person chose any other. */
  const placed = useRef(0);
  const shown = useRef<{ scroller: Element; top: number }>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const pin = usePinnedCard(open);

  const applyScroll = useCallback(() => {
    const scroller = frameScroller(frame.current);
    if (scroller === null) return;
    // The height of the window changed which element scrolls, and the new one has not been scrolled yet.
    if (shown.current !== undefined && shown.current.scroller !== scroller)
      scroller.scrollTop += topOf(content.current) - shown.current.top;
    if (!sticks.current) pin.current = undefined;
    else {
      const card = pin.current && document.getElementById(interactionElementId(pin.current));
      const end = scroller.scrollHeight - scroller.clientHeight;
      scroller.scrollTop = card ? Math.min(end, topIn(scroller, card) - MARGIN_PX) : end;
      placed.current = scroller.scrollTop;
    }
    const isNear = isNearEnd(scroller);
    // Content shrank, and nothing is below the visible part.
    if (isNear) sticks.current = true;
    setAtEnd(isNear);
    shown.current = { scroller, top: topOf(content.current) };
  }, []);

  const toEnd = useCallback(() => {
    sticks.current = true;
    pin.current = undefined;
    applyScroll();
  }, []);

  const leaveEnd = useCallback(() => {
    sticks.current = false;
    pin.current = undefined;
    setAtEnd(false);
  }, []);

  const onScroll = useCallback(() => {
    const scroller = frameScroller(frame.current);
    if (scroller === null) return;
    const isNear = isNearEnd(scroller);
    setAtEnd(isNear);
    shown.current = { scroller, top: topOf(content.current) };
    if (Math.abs(scroller.scrollTop - placed.current) < 1) return;
    placed.current = scroller.scrollTop;
    pin.current = undefined;
    sticks.current = isNear;
  }, []);

  const onUnfold = useCallback(() => {
    sticks.current = false;
    pin.current = undefined;
    setTimeout(onScroll, UNFOLD_MS);
  }, []);

  const holdPlace = useCallback(() => {
    const scroller = frameScroller(frame.current);
    if (scroller !== null) held.current = scroller.scrollHeight - scroller.scrollTop;
  }, []);

  useLayoutEffect(() => {
    const scroller = frameScroller(frame.current);
    if (scroller === null || held.current === undefined) return;
    scroller.scrollTop = scroller.scrollHeight - held.current;
    held.current = undefined;
  });

  useLayoutEffect(() => {
    const changed = open.find(({ interactionId, replaces }) => {
      const isNew = replaces !== undefined && pin.current === interactionId;
      return isNew && isInView(document.getElementById(interactionElementId(interactionId)));
    });
    // The request changed while in view: it is shown from its top again.
    if (changed !== undefined) sticks.current = true;
    // The pinned card changed, perhaps without a change of size.
    applyScroll();
  }, [open]);

  useLayoutEffect(() => {
    const [pane, inside] = [frame.current, content.current];
    if (pane === null || inside === null) return;
    // Observe both: an opening keyboard shrinks the frame, an opening card grows the content.
    const observer = new ResizeObserver(applyScroll);
    const session = pane.closest('.session');
    for (const element of [pane, inside, session]) if (element !== null) observer.observe(element);
    const listen = ({ target }: Event) => target === frameScroller(pane) && onScroll();
    document.addEventListener('scroll', listen, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', listen, { capture: true });
    };
  }, []);

  return { frame, content, isAtEnd, toEnd, leaveEnd, onUnfold, holdPlace };
}

/** In a low window the conversation has no scrollbar of its own: header and composer scroll with it. */
function frameScroller(frame: HTMLElement | null): HTMLElement | null {
  if (frame === null || getComputedStyle(frame).overflowY !== 'visible') return frame;
  return frame.closest<HTMLElement>('.session');
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
}

function topOf(element: Element | null): number {
  return element?.getBoundingClientRect().top ?? 0;
}

function topIn(scroller: Element, element: Element): number {
  return topOf(element) - topOf(scroller) + scroller.scrollTop;
}

/**
 * The card at which the conversation stops while it follows its end: the newest request (the first of several), then
 * the next one that is open and was not stopped at before.
 *
 * The scrolling code sets the ref to undefined to release the card.
 */
function usePinnedCard(open: readonly Interaction[]): RefObject<string | undefined> {
  const pin = useRef<string | undefined>(undefined);
  const done = useRef(new Set<string>());
  const before = useRef<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const now = new Set(open.map(({ interactionId }) => interactionId));
    const hasSettled = [...before.current].some((id) => !now.has(id));
    const isNew = ({ interactionId }: Interaction) => !before.current.has(interactionId);
    const asked = open.find(isNew);
    before.current = now;
    // Of two requests opened together, the second does not pull the reader away from the first.
    if (pin.current !== undefined && now.has(pin.current)) return;
    const left = hasSettled
      ? open.find(({ interactionId }) => !done.current.has(interactionId))
      : undefined;
    pin.current = (asked ?? left)?.interactionId;
    if (pin.current !== undefined) done.current.add(pin.current);
  }, [open]);
  return pin;
}
