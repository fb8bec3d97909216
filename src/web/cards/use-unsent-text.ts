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
  discard(): void;
}

interface FoundText {
  /** The interaction that is over; undefined while none is. */
  readonly endedId: string | undefined;
  readonly isMine: boolean;
  readonly remaining: Pick<UnsentText, 'text' | 'wasTyping'> | undefined;
}

/** `changedFrom` is what was asked before the agent changed it. */
export function useUnsentText(
  { record, isMine }: AnswerState,
  sessionId: string,
  store: KeyValueStore,
  changedFrom: Interaction | undefined,
): UnsentText | undefined {
  const { interactionId, status, replaces } = record;
  const endedId = status === 'settled' ? interactionId : replaces;
  const where = { sessionId, interactionId: endedId ?? interactionId };
  const [, redraw] = useState(0);
  const found = useRef<FoundText>({ endedId: undefined, isMine: false, remaining: undefined });
  if (found.current.endedId !== endedId || found.current.isMine !== isMine) {
    const isOver = endedId !== undefined && !isMine;
    // Before anything is drawn: afterwards the field with the keyboard is gone.
    found.current = { endedId, isMine, remaining: isOver ? textLeftIn(endedId) : undefined };
  }
  const { remaining } = found.current;
  // At once: what is done after the next frame is not done on a page that is left.
  useLayoutEffect(() => {
    if (endedId !== undefined && found.current.remaining === undefined)
      dropAnswerDraft(store, where);
  }, [endedId, isMine]);

  function textLeftIn(ended: string): FoundText['remaining'] {
    const isSettled = status === 'settled';
    // A reason goes on in the card that took the place of this one.
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
