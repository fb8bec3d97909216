/**
 * Where the keyboard goes when something is asked or decided (UI-6).
 *
 * On a desk a new card gets it (of several the first), as a whole and never one of its buttons; afterwards
 * the next card, or the composer. Nobody is taken out of what they are writing, choosing or reading elsewhere, and
 * no card has the keyboard that is not on the screen.
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
    // A phone would scroll, and call up its keyboard.
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

/** Nothing is being done with the keyboard that a new card would interrupt. */
function isFree(): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches('.conversation')) return true;
  const form = active.closest('.composer');
  return form !== null && form.querySelector('textarea')?.value === '';
}

/** The keyboard is in a card that was decided just now, or was on a button that went with it. */
function isLeft(decided: ReadonlySet<string>): boolean {
  if (decided.size === 0) return false;
  const active = document.activeElement;
  if (active === null || active === document.body) return true;
  // What was being written is still there, and the keyboard with it.
  if (active.matches('.unsent textarea')) return false;
  return decided.has(active.closest('.card')?.getAttribute('data-interaction') ?? '');
}
