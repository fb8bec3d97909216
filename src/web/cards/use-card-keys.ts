/** Keys pressed anywhere on a card, on its frame as well: that is where the focus goes when it appears. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The result goes on any element inside the card. */
export function useCardKeys(
  onKey: (event: KeyboardEvent) => void,
): RefObject<HTMLDivElement | null> {
  const inside = useRef<HTMLDivElement>(null);
  const latest = useRef(onKey);
  latest.current = onKey;
  useLayoutEffect(() => {
    const card = inside.current?.closest<HTMLElement>('.card');
    const call = (event: KeyboardEvent) => latest.current(event);
    card?.addEventListener('keydown', call);
    return () => card?.removeEventListener('keydown', call);
  }, []);
  return inside;
}
