/** An answer in the making, kept through a reload (UI-8). */
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../protocol/types.ts';
import { keepDraft, keptDraft } from '../model/cards/answer-draft.ts';
import type { KindProps } from './card-props.ts';

type Props = Pick<KindProps, 'answering' | 'session' | 'keep'>;

export function useDraft<Draft extends object>(
  { answering, session, keep }: Props,
  begin: (kept: JsonObject | undefined) => Draft,
): [Draft, (next: Draft) => void] {
  const { interactionId } = answering.record;
  const where = { sessionId: session.id, interactionId };
  const [draft, setDraft] = useState(() => begin(keptDraft(keep, where)));
  return [
    draft,
    (next) => {
      setDraft(next);
      keepDraft(keep, where, next);
    },
  ];
}
