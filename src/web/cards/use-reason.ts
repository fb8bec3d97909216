/** The draft of a reason; it survives a reload, and a changed request (UI-8). */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { saveCardText, loadCardText } from '../model/cards/answer-draft.ts';
import type { CardBodyProps } from './card-props.ts';
import { isTypingIn } from './typing-focus.ts';

export interface ReasonDraft {
  readonly text: string;
  write(text: string): void;
  /** The draft existed when the card was drawn. */
  readonly wasKept: boolean;
  /**
   * What the field does when it appears. `idle`: after a reload, nothing. `at its end`: the card was replaced while
   * the person was typing, and the cursor continues at the end. `selected`: the field takes the focus with its text
   * selected.
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
