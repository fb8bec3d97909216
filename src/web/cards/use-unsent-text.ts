/**
 * What a person was writing when its question ended without them, or was changed by the agent (UI-8).
 *
 * It stays in the tab until they send it as a message or throw it away. Until this hook has looked, the draft is its
 * only copy, so nothing else drops the draft of a question that is over.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import {
  dropAnswerDraft,
  saveCardText,
  loadAnswerDraft,
  loadCardText,
} from '../model/cards/answer-draft.ts';
import { unsentTextOf } from '../model/cards/unsent-text.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { isTypingIn } from './typing-focus.ts';
import type { AnswerState } from './use-answer.ts';

export interface UnsentText {
  readonly text: string;
  /** The keyboard was in the field that is gone. */
  readonly wasTyping: boolean;
  write(text: string): void;
  /** It was sent, or is not wanted any more. */
  drop(): void;
}

interface FoundText {
  /** The interaction that is over; undefined while none is. */
  readonly over: string | undefined;
  readonly isMine: boolean;
  readonly left: Pick<UnsentText, 'text' | 'wasTyping'> | undefined;
}

/** `changedFrom` is what was asked before the agent changed it. */
export function useUnsentText(
  { record, isMine }: AnswerState,
  sessionId: string,
  store: KeyValueStore,
  changedFrom: Interaction | undefined,
): UnsentText | undefined {
  const { interactionId, status, replaces } = record;
  const over = status === 'settled' ? interactionId : replaces;
  const where = { sessionId, interactionId: over ?? interactionId };
  const [, redraw] = useState(0);
  const found = useRef<FoundText>({ over: undefined, isMine: false, left: undefined });
  if (found.current.over !== over || found.current.isMine !== isMine) {
    const isOver = over !== undefined && !isMine;
    // Before anything is drawn: afterwards the field with the keyboard is gone.
    found.current = { over, isMine, left: isOver ? leftOf(over) : undefined };
  }
  const { left } = found.current;
  // At once: what is done after the next frame is not done on a page that is left.
  useLayoutEffect(() => {
    if (over !== undefined && found.current.left === undefined) dropAnswerDraft(store, where);
  }, [over, isMine]);

  function leftOf(ended: string): FoundText['left'] {
    const isSettled = status === 'settled';
    // A reason goes on in the card that took the place of this one.
    const reason = isSettled ? loadCardText(store, where, 'reason') : '';
    const asked = isSettled ? record : (changedFrom ?? record);
    const words = unsentTextOf(asked, loadAnswerDraft(store, where), reason);
    const text = loadCardText(store, where, 'unsent') || words;
    return text === '' ? undefined : { text, wasTyping: isTypingIn(ended) };
  }
  const change = (next: FoundText['left']) => {
    found.current = { ...found.current, left: next };
    redraw((count) => count + 1);
  };
  if (left === undefined) return undefined;
  return {
    ...left,
    write(text) {
      saveCardText(store, where, 'unsent', text);
      change({ ...left, text });
    },
    drop() {
      dropAnswerDraft(store, where);
      change(undefined);
    },
  };
}
