/** Whether the focus is in a text field of a card, or was when the card left the screen. */
import { useLayoutEffect } from 'preact/hooks';

let interrupted: string | undefined;

/** For a card that another card may replace: the fields are gone before the new card is drawn. */
export function useTypingFocus(interactionId: string): void {
  useLayoutEffect(
    () => () => {
      if (!hasKeyboard(interactionId)) return;
      interrupted = interactionId;
      // Only for the replacement that is drawn now, not for a later card.
      queueMicrotask(() => (interrupted = undefined));
    },
    [interactionId],
  );
}

export function isTypingIn(interactionId: string): boolean {
  return interrupted === interactionId || hasKeyboard(interactionId);
}

function hasKeyboard(interactionId: string): boolean {
  const field = document.activeElement;
  if (field === null || !field.matches('textarea, input[type="text"]')) return false;
  return field.closest('.card')?.getAttribute('data-interaction') === interactionId;
}
