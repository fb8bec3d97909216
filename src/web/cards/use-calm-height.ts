/**
 * A card that gets smaller does so in a moment, not in a blink: what is below it moves up where one can
 * follow. Whoever asked for less motion is spared it.
 */
import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const CALM_MS = 220;

export function useCalmHeight(element: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef<{ height: number; state: unknown }>(undefined);
  useLayoutEffect(() => {
    const card = element.current;
    if (card === null) return;
    const height = card.offsetHeight;
    const last = before.current;
    before.current = { height, state };
    if (last === undefined || last.state === state || last.height === height) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    card.animate(
      [
        { height: `${last.height}px`, overflow: 'clip' },
        { height: `${height}px`, overflow: 'clip' },
      ],
      { duration: CALM_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
  });
}
