/**
 * Text that a person was writing when the interaction ended without them, or when the agent changed it (UI-8).
 *
 * The text stays in the tab until the person sends it as a message or discards it. Until this hook has run, the draft
 * is the only copy, so no other code drops the draft of an ended interaction.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import type { LaterParts } from '../hooks/use-later-parts.ts';
import { dropAnswerDraft, loadAnswerDraft, loadCardText, saveCardText } from '../model/drafts.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { AnswerState } from './use-answer.ts';

export interface UnsentText {
  readonly text: string;
  /** The removed field had the focus. */
  readonly wasTyping: boolean;
  write(text: string): void;
  /** Drops the text after it was sent or discarded. */
  discard(): void;
}

interface FoundText {
  /** The interaction that ended; undefined while none has. */
  readonly endedId: string | undefined;
  readonly isMine: boolean;
  readonly remaining: Pick<UnsentText, 'text' | 'wasTyping'> | undefined;
}

/** `changedFrom` is the request before the agent changed it. Without `later` nothing is looked for yet, nor dropped. */
export function useUnsentText(
  { record, isMine }: AnswerState,
  sessionId: string,
  store: KeyValueStore,
  changedFrom: Interaction | undefined,
  later: LaterParts | undefined,
): UnsentText | undefined {
  const { interactionId, status, replaces } = record;
  const endedId = status === 'settled' ? interactionId : replaces;
  const where = { sessionId, interactionId: endedId ?? interactionId };
  const [, redraw] = useState(0);
  const found = useRef<FoundText>({ endedId: undefined, isMine: false, remaining: undefined });
  const isNoted = found.current.endedId === endedId && found.current.isMine === isMine;
  if (later !== undefined && !isNoted) {
    const isOver = endedId !== undefined && !isMine;
    // Before the first draw: afterwards the focused field is gone.
    found.current = { endedId, isMine, remaining: isOver ? textLeftIn(endedId, later) : undefined };
  }
  const { remaining } = found.current;
  // In a layout effect: an effect after the next frame does not run on a page that is being left.
  useLayoutEffect(() => {
    if (later !== undefined && endedId !== undefined && found.current.remaining === undefined)
      dropAnswerDraft(store, where);
  }, [endedId, isMine, later]);

  function textLeftIn(ended: string, { unsentTextOf }: LaterParts): FoundText['remaining'] {
    const isSettled = status === 'settled';
    // The replacement card continues the reason.
    const reason = isSettled ? loadCardText(store, where, 'reason') : '';
    const asked = isSettled ? record : (changedFrom ?? record);
    const words = unsentTextOf(asked, loadAnswerDraft(store, where), reason);
    const text = loadCardText(store, where, 'unsent') || words;
    return text === '' ? undefined : { text, wasTyping: isTypingIn(ended) };
  }
  const change = (next: FoundText['remaining']) => {
    found.current = { ...found.current, remaining: next };
    redraw((count) => count + 1);
  };
  if (remaining === undefined) return undefined;
  return {
    ...remaining,
    write(text) {
      saveCardText(store, where, 'unsent', text);
      change({ ...remaining, text });
    },
    discard() {
      dropAnswerDraft(store, where);
      change(undefined);
    },
  };
}

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

/** Whether the focus is in a text field of a card, or was when the card left the screen. */
export function isTypingIn(interactionId: string): boolean {
  return interrupted === interactionId || hasKeyboard(interactionId);
}

function hasKeyboard(interactionId: string): boolean {
  const field = document.activeElement;
  if (field === null || !field.matches('textarea, input[type="text"]')) return false;
  return field.closest('.card')?.getAttribute('data-interaction') === interactionId;
}
