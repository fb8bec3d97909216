import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../protocol/types.ts';
import { loadAnswerDraft, loadCardText, saveAnswerDraft, saveCardText } from '../model/drafts.ts';
import type { CardBodyProps } from './card-props.ts';
import { isTypingIn } from './use-unsent-text.ts';

type DraftOptions = Pick<CardBodyProps, 'answering' | 'session' | 'store'>;

/** The drafts of a card, of its answer and of a reason; they survive a reload (UI-8). */
export function useDraft<Draft extends object>(
  { answering, session, store }: DraftOptions,
  begin: (kept: JsonObject | undefined) => Draft,
): [Draft, (next: Draft) => void] {
  const { interactionId } = answering.record;
  const where = { sessionId: session.id, interactionId };
  const [draft, setDraft] = useState(() => begin(loadAnswerDraft(store, where)));
  return [
    draft,
    (next) => {
      setDraft(next);
      saveAnswerDraft(store, where, next);
    },
  ];
}

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

/** The draft of a reason also survives a changed request. */
export function useReason({ answering, session, store }: DraftOptions): ReasonDraft {
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
