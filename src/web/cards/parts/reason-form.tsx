import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import { t, tn } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../card-keys.ts';
import type { AnswerState } from '../use-answer.ts';
import type { ReasonDraft } from '../use-draft.ts';

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
const MAX_ROWS = 8;

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
          // Comments on lines of a diff are quotes and answers, one below the other.
          rows={Math.min(MAX_ROWS, Math.max(2, reason.text.split('\n').length + 1))}
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
