/**
 * Keeps the end of a conversation in sight while somebody reads there, and leaves them alone elsewhere.
 *
 * 1. The end is not followed past the top of a card that has just been asked: who decides begins to read
 *    at its beginning (UI-6). Scrolling by hand lets go of the card.
 * 2. What grows above the eye does not move what is read: rows that are added at the beginning are made
 *    up for in the same frame.
 * 3. What scrolls is the conversation or, where a window is low, all of the session.
 */
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { interactionElementId, isInView } from './interaction-element.ts';
import { usePinnedCard } from './use-pinned-card.ts';

/** So near to the end counts as there: a finger does not stop at the pixel. */
const NEAR_PX = 48;
/** What is unfolded has been drawn by then, on a slow phone too. */
const UNFOLD_MS = 300;
/** Above the top of a card, so that its edge is seen. */
const MARGIN_PX = 12;

export interface Stick {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** To be called before something is unfolded: it opens under the eye and is not scrolled past. */
  readonly onUnfold: () => void;
  /** To be called before something further up is shown. */
  readonly leaveEnd: () => void;
  /** To be called before rows are put above those that are there. */
  readonly holdPlace: () => void;
}

export function useStickToEnd(open: readonly Interaction[]): Stick {
  const frame = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const sticks = useRef(true);
  const held = useRef<number | undefined>(undefined);
  /** Where this hook scrolled to last: every other place was chosen by a person. */
  const placed = useRef(0);
  const shown = useRef<{ scroller: Element; top: number }>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const pin = usePinnedCard(open);

  const place = useCallback(() => {
    const at = scrollerOf(frame.current);
    if (at === null) return;
    // The window got low, or high again: another element scrolls, and has not been scrolled yet.
    if (shown.current !== undefined && shown.current.scroller !== at)
      at.scrollTop += topOf(content.current) - shown.current.top;
    if (!sticks.current) pin.current = undefined;
    else {
      const card = pin.current && document.getElementById(interactionElementId(pin.current));
      const end = at.scrollHeight - at.clientHeight;
      at.scrollTop = card ? Math.min(end, topIn(at, card) - MARGIN_PX) : end;
      placed.current = at.scrollTop;
    }
    const isNear = isNearEnd(at);
    // Nothing is below any more: something got smaller.
    if (isNear) sticks.current = true;
    setAtEnd(isNear);
    shown.current = { scroller: at, top: topOf(content.current) };
  }, []);

  const toEnd = useCallback(() => {
    sticks.current = true;
    pin.current = undefined;
    place();
  }, []);

  const leaveEnd = useCallback(() => {
    sticks.current = false;
    pin.current = undefined;
    setAtEnd(false);
  }, []);

  const onScroll = useCallback(() => {
    const at = scrollerOf(frame.current);
    if (at === null) return;
    const isNear = isNearEnd(at);
    setAtEnd(isNear);
    shown.current = { scroller: at, top: topOf(content.current) };
    if (Math.abs(at.scrollTop - placed.current) < 1) return;
    placed.current = at.scrollTop;
    pin.current = undefined;
    sticks.current = isNear;
  }, []);

  const onUnfold = useCallback(() => {
    sticks.current = false;
    pin.current = undefined;
    setTimeout(onScroll, UNFOLD_MS);
  }, []);

  const holdPlace = useCallback(() => {
    const at = scrollerOf(frame.current);
    if (at !== null) held.current = at.scrollHeight - at.scrollTop;
  }, []);

  useLayoutEffect(() => {
    const at = scrollerOf(frame.current);
    if (at === null || held.current === undefined) return;
    at.scrollTop = at.scrollHeight - held.current;
    held.current = undefined;
  });

  useLayoutEffect(() => {
    const changed = open.find(({ interactionId, replaces }) => {
      const isNew = replaces !== undefined && pin.current === interactionId;
      return isNew && isInView(document.getElementById(interactionElementId(interactionId)));
    });
    // Its words were swapped under the eye: it is read again, from its top.
    if (changed !== undefined) sticks.current = true;
    // Another card is pinned: nothing may have changed its size with that.
    place();
  }, [open]);

  useLayoutEffect(() => {
    const [at, inside] = [frame.current, content.current];
    if (at === null || inside === null) return;
    // Both: a keyboard that opens makes the frame smaller, a card that opens makes the content larger.
    const observer = new ResizeObserver(place);
    const session = at.closest('.session');
    for (const one of [at, inside, session]) if (one !== null) observer.observe(one);
    const listen = ({ target }: Event) => target === scrollerOf(at) && onScroll();
    document.addEventListener('scroll', listen, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', listen, { capture: true });
    };
  }, []);

  return { frame, content, isAtEnd, toEnd, leaveEnd, onUnfold, holdPlace };
}

/** In a low window the conversation has no bar of its own, and header and composer scroll with it. */
function scrollerOf(frame: HTMLElement | null): HTMLElement | null {
  if (frame === null || getComputedStyle(frame).overflowY !== 'visible') return frame;
  return frame.closest<HTMLElement>('.session');
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}

function topOf(element: Element | null): number {
  return element?.getBoundingClientRect().top ?? 0;
}

function topIn(scroller: Element, element: Element): number {
  return topOf(element) - topOf(scroller) + scroller.scrollTop;
}
