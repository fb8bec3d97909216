import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isComposing } from './card-keys.ts';

function isFromTextField({ target }: Event): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  const kind = target instanceof HTMLInputElement ? target.type : undefined;
  return (
    target.isContentEditable || (kind !== undefined && kind !== 'radio' && kind !== 'checkbox')
  );
}

/** Maps the keys 1 to 9 to 0 to 8; undefined for every other key, with a modifier, and in a field. */
export function digitOf(event: KeyboardEvent): number | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isFromTextField(event)) return undefined;
  return /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : undefined;
}

/** The shortcut that a screen reader announces; `digitOf` handles the key. */
export function shortcutOf(index: number): string | undefined {
  return index < 9 ? String(index + 1) : undefined;
}

/** Enter on the card, and not on a button inside it. */
export function isSubmit(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || isComposing(event)) return false;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const { target } = event;
  return !(target instanceof HTMLElement && target.closest('button, a, summary, textarea, select'));
}

/**
 * Listens for keys anywhere on the card, including its frame, which has the focus when the card appears.
 * Attach the returned ref to any element inside the card.
 */
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
