/** Why somebody says no, while they write it; it survives a reload, and the agent's change of its request (UI-8). */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { saveCardText, loadCardText } from '../model/cards/answer-draft.ts';
import type { CardBodyProps } from './card-props.ts';
import { isTypingIn } from './typing-focus.ts';

export interface ReasonDraft {
  readonly text: string;
  write(text: string): void;
  /** It was there when the card was drawn. */
  readonly wasKept: boolean;
  /**
   * What its field does when it appears: nothing after a reload, where nothing was pressed; goes on at the end, where
   * the card was swapped under somebody who writes; else takes the keyboard, and what was there can be written over.
   */
  readonly begins: RefObject<'idle' | 'at its end' | 'selected'>;
}

type UseReasonOptions = Pick<CardBodyProps, 'answering' | 'session' | 'store'>;

export function useReason({ answering, session, store }: UseReasonOptions): ReasonDraft {
  const { interactionId, replaces } = answering.record;
  const where = { sessionId: session.id, interactionId };
  const begins = useRef<'idle' | 'at its end' | 'selected'>('selected');
  const [kept] = useState(() => {
    const own = loadCardText(store, where, 'reason');
    if (own !== '') begins.current = 'idle';
    if (own !== '' || replaces === undefined) return own;
    const before = loadCardText(store, { ...where, interactionId: replaces }, 'reason');
    saveCardText(store, where, 'reason', before);
    if (before !== '') begins.current = isTypingIn(replaces) ? 'at its end' : 'idle';
    return before;
  });
  const [text, setText] = useState(kept);
  return {
    text,
    wasKept: kept !== '',
    begins,
    write(next) {
      saveCardText(store, where, 'reason', next);
      setText(next);
    },
  };
}
