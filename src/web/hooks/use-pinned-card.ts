/**
 * Which card the conversation stops at while it follows its end: what has just been asked, of several the
 * first, and afterwards the next that is still open and was not stopped at before.
 *
 * The ref is for whoever scrolls: it sets undefined to let go of the card.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';

export function usePinnedCard(open: readonly Interaction[]): RefObject<string | undefined> {
  const pin = useRef<string | undefined>(undefined);
  const done = useRef(new Set<string>());
  const before = useRef<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const now = new Set(open.map(({ interactionId }) => interactionId));
    const hasSettled = [...before.current].some((id) => !now.has(id));
    const isNew = ({ interactionId }: Interaction) => !before.current.has(interactionId);
    const asked = open.find(isNew);
    before.current = now;
    // Two that are asked side by side: who reads the first is not taken to the second.
    if (pin.current !== undefined && now.has(pin.current)) return;
    const left = hasSettled
      ? open.find(({ interactionId }) => !done.current.has(interactionId))
      : undefined;
    pin.current = (asked ?? left)?.interactionId;
    if (pin.current !== undefined) done.current.add(pin.current);
  }, [open]);
  return pin;
}
