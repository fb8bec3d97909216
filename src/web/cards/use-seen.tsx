/**
 * Whether a person can have read the content that they decide on (UI-2, UI-3).
 *
 * The content was in the window as a whole or, if it is larger, from its beginning to its end. Folded content, which is
 * marked in the document, does not count.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { forgetEnd, noteSeen, nothingSeen, showUnseen, type SeenSides } from './watch-seen.ts';

export interface SeenState {
  readonly isSeen: boolean;
  /** It was looked for and is not all in the window. Before the first look nothing is known, and nothing is said. */
  readonly isMissing: boolean;
  /** Also counts content that is on the screen at this moment, without the pause. */
  readonly isSeenNow: () => boolean;
  /** Scrolls to the part that was not seen. */
  readonly showRest: () => void;
}

/** Restarts with every change of `what`. */
export function useSeen(
  element: RefObject<HTMLElement | null>,
  what: string,
  isWhole = true,
): SeenState {
  const [seen, setSeen] = useState<string>();
  const [looked, setLooked] = useState<string>();
  const noted = useRef<{ what: string; sides: SeenSides }>({ what, sides: nothingSeen() });
  if (noted.current.what !== what) noted.current = { what, sides: nothingSeen() };
  const { sides } = noted.current;
  const isSeen = seen === what;
  useLayoutEffect(() => {
    const shown = element.current;
    if (isSeen || shown === null) return;
    return afterEachMove(shown, () => {
      const isAll = noteSeen(shown, sides);
      if (!isWhole) forgetEnd(sides);
      else if (isAll) setSeen(what);
      setLooked(what);
    });
  }, [what, isWhole, isSeen]);
  return {
    isSeen,
    isMissing: !isSeen && looked === what,
    isSeenNow: () =>
      isSeen || (isWhole && element.current !== null && noteSeen(element.current, sides)),
    showRest() {
      const shown = element.current;
      if (shown === null) return;
      if (isWhole) showUnseen(shown, sides);
      else shown.querySelector<HTMLElement>('[data-unfold]')?.focus();
    },
  };
}

/** Calls after the layout is painted, and after each event that may move it; the result stops it. */
function afterEachMove(element: Element, call: () => void): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: 'idle' | 'waiting' | 'moved again' = 'idle';
  // A move puts no call off: where events keep coming, the first look at a card would never be.
  const soon = () => {
    if (state !== 'idle') state = 'moved again';
    else {
      state = 'waiting';
      frame = requestAnimationFrame(() => {
        timer = setTimeout(look);
      });
    }
  };
  const look = () => {
    const isAgain = state === 'moved again';
    state = 'idle';
    call();
    if (isAgain) soon();
  };
  const observer = new ResizeObserver(soon);
  observer.observe(element);
  const targets = [window, document, visualViewport];
  const events = ['scroll', 'resize', 'visibilitychange'];
  for (const target of targets)
    for (const event of events)
      target?.addEventListener(event, soon, { capture: true, passive: true });
  soon();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    for (const target of targets)
      for (const event of events) target?.removeEventListener(event, soon, { capture: true });
  };
}

interface ReviewHintProps {
  readonly id: string;
  readonly onShow: () => void;
  readonly children: ComponentChildren;
}

/** Explains why Approve or Accept is blocked, and leads to the part that the person has not seen. */
export function ReviewHint({ id, onShow, children }: ReviewHintProps) {
  return (
    <button type="button" id={id} class="link review" onClick={onShow}>
      {children}
    </button>
  );
}
