/**
 * The card at which the conversation stops while it follows its end: the newest request (the first of several), then
 * the next one that is open and was not stopped at before.
 *
 * The scrolling code sets the ref to undefined to release the card.
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
