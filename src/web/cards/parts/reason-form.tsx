import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import { t, tn } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../card-keys.ts';
import type { AnswerState } from '../use-answer.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import {
  loadAnswerDraft,
  loadCardText,
  saveAnswerDraft,
  saveCardText,
} from '../../model/drafts.ts';
import type { CardBodyProps } from '../card-props.ts';
import { isTypingIn } from '../use-unsent-text.ts';

interface ReasonFormProps {
  /** The label of the button, for example "Deny". */
  readonly action: string;
  readonly reason: ReasonDraft;
  readonly isBusy: boolean;
  readonly extra?: ComponentChildren;
  readonly onGive: (reason: string | undefined) => void;
  readonly onCancel: () => void;
}

const NEAR_CHARS = 900;

/** A denial with a reason: Enter denies, Esc cancels. */
export function ReasonForm({ action, reason, isBusy, extra, onGive, onCancel }: ReasonFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // In a layout effect: otherwise the first letters that the person types go to the card.
  useLayoutEffect(() => {
    const { current: begins } = reason.begins;
    reason.begins.current = 'selected';
    if (begins === 'idle') return;
    field.current?.focus();
    if (begins === 'selected') field.current?.select();
    else field.current?.setSelectionRange(REASON_CHARS, REASON_CHARS);
  }, []);
  const give = () => onGive(reason.text.trim() || undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if (!isBusy) give();
  };
  return (
    <div class="reason">
      <label>
        <span>{t('Reason (optional, shown to the agent)')}</span>
        <textarea
          ref={field}
          rows={2}
          dir="auto"
          maxLength={REASON_CHARS}
          value={reason.text}
          disabled={isBusy}
          onInput={({ currentTarget }) => reason.write(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {extra}
      <div class="card-actions">
        <Button kind="danger" isBusy={isBusy} onClick={give}>
          {action}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onCancel}>
          {t('Cancel')}
        </Button>
        {reason.text.length > NEAR_CHARS && (
          <span class="card-hint">
            {tn(REASON_CHARS - reason.text.length, '1 character left', '{count} characters left')}
          </span>
        )}
      </div>
    </div>
  );
}

interface DeclineFormProps {
  readonly answering: AnswerState;
  readonly reason: ReasonDraft;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

/** Declines to answer, with a reason. */
export function DeclineForm({ answering, reason, isBusy, onCancel }: DeclineFormProps) {
  return (
    <ReasonForm
      action={t('Decline')}
      reason={reason}
      isBusy={isBusy}
      onCancel={onCancel}
      onGive={(words) =>
        void answering.give({ decline: true, ...(words !== undefined && { reason: words }) })
      }
    />
  );
}

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

interface ReasonDraft {
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
