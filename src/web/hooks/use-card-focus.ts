/**
 * Where the focus goes when a request is opened or settled (UI-6).
 *
 * On a desktop a new card (the first of several) takes the focus as a whole, never one of its buttons; afterwards the
 * next card or the composer takes it. The focus never leaves a field, a choice or a text in use, and no card outside
 * the window has it.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { isInView } from './interaction-element.ts';

export function useCardFocus(open: readonly Interaction[], isReady: boolean): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!isReady) return;
    const before = known.current;
    const now = new Set(open.map(({ interactionId }) => interactionId));
    known.current = now;
    // A phone would scroll and open its keyboard.
    if (!matchMedia('(pointer: fine)').matches) return;
    const asked = open.filter(({ interactionId }) => !before.has(interactionId));
    const decided = new Set([...before].filter((id) => !now.has(id)));
    const hasLeft = isLeft(decided);
    if (!hasLeft && !(asked.length > 0 && isFree())) return;
    const card = firstInView(asked) ?? (hasLeft ? firstInView(open) : undefined);
    const composer = hasLeft ? document.querySelector<HTMLElement>('.composer textarea') : null;
    (card ?? composer)?.focus({ preventScroll: true });
  }, [open, isReady]);
}

function firstInView(open: readonly Interaction[]): HTMLElement | undefined {
  return open
    .map(
      ({ interactionId }) => `.conversation .card[data-interaction="${CSS.escape(interactionId)}"]`,
    )
    .map((card) => document.querySelector<HTMLElement>(card))
    .find((card) => card !== null && isInView(card)) as HTMLElement | undefined;
}

/** The focus is not in use, so a new card may take it. */
function isFree(): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches('.conversation')) return true;
  const form = active.closest('.composer');
  return form !== null && form.querySelector('textarea')?.value === '';
}

/** The focus is in a card that was just settled, or was on a button that left with it. */
function isLeft(decided: ReadonlySet<string>): boolean {
  if (decided.size === 0) return false;
  const active = document.activeElement;
  if (active === null || active === document.body) return true;
  // The unsent text is still there and keeps the focus.
  if (active.matches('.unsent textarea')) return false;
  return decided.has(active.closest('.card')?.getAttribute('data-interaction') ?? '');
}
