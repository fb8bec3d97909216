/**
 * What the person looks at: the open request that fills most of the window, or the session; nothing while the page is
 * hidden.
 *
 * A change is reported when the page rests: otherwise scrolling through twenty requests would wake the session twenty
 * times.
 */
import type { Looking } from '../../protocol/types.ts';

export const REST_MS = 1_000;

/** `lookAgain` after requests came or went; `stop` ends it. */
export function watchLook(
  report: (at: Looking | null) => void,
  findShown: () => Looking = findShownRequest,
): {
  readonly lookAgain: () => void;
  readonly stop: () => void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    report(document.visibilityState === 'hidden' ? null : findShown());
  };
  const lookAgain = () => {
    clearTimeout(timer);
    timer = setTimeout(look, REST_MS);
  };
  document.addEventListener('visibilitychange', look);
  document.addEventListener('scroll', lookAgain, { capture: true, passive: true });
  addEventListener('resize', lookAgain);
  look();
  return {
    lookAgain,
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      document.removeEventListener('scroll', lookAgain, { capture: true });
      removeEventListener('resize', lookAgain);
      report(null);
    },
  };
}

function findShownRequest(): Looking {
  const cards = [...document.querySelectorAll<HTMLElement>('.conversation .card.open')];
  const sized = cards.map((card) => ({ card, height: shownHeight(card) }));
  const largest = sized.reduce<(typeof sized)[number] | undefined>(
    (best, one) => (one.height > (best?.height ?? 0) ? one : best),
    undefined,
  );
  const interactionId = largest?.card.dataset['interaction'];
  return interactionId === undefined ? {} : { interactionId };
}

function shownHeight(card: HTMLElement): number {
  const { top, bottom } = card.getBoundingClientRect();
  const pane = card.closest('.conversation')?.getBoundingClientRect();
  return Math.min(bottom, pane?.bottom ?? innerHeight) - Math.max(top, pane?.top ?? 0);
}
