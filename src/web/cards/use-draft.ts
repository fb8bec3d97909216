/** The draft of an answer; it survives a reload (UI-8). */
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../protocol/types.ts';
import { saveAnswerDraft, loadAnswerDraft } from '../model/cards/answer-draft.ts';
import type { CardBodyProps } from './card-props.ts';

type UseDraftOptions = Pick<CardBodyProps, 'answering' | 'session' | 'store'>;

export function useDraft<Draft extends object>(
  { answering, session, store }: UseDraftOptions,
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
