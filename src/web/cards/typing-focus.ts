/** Whether the keyboard is in a text field of a card, or was when the card was taken off the screen. */
import { useLayoutEffect } from 'preact/hooks';

let interrupted: string | undefined;

/** For a card that another one may take the place of: its fields are gone before that one is drawn. */
export function useTypingFocus(interactionId: string): void {
  useLayoutEffect(
    () => () => {
      if (!hasKeyboard(interactionId)) return;
      interrupted = interactionId;
      // For what is drawn in its place now, and not for whoever comes back to it.
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
