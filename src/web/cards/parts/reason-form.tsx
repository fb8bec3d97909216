import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { isComposing } from '../keys.ts';

interface Props {
  /** What pressing it does: "Deny". */
  readonly does: string;
  readonly isBusy: boolean;
  readonly onGive: (reason: string | undefined) => void;
  readonly onBack: () => void;
}

const MAX_CHARS = 1_000;
const NEAR_CHARS = 900;

/** No, and why: Enter says no, Esc goes back. */
export function ReasonForm({ does, isBusy, onGive, onBack }: Props) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // At once: the first letters of whoever types on would go to the card.
  useLayoutEffect(() => field.current?.focus(), []);
  const give = () => onGive(reason.trim() || undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onBack();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if (!isBusy) give();
  };
  return (
    <div class="reason">
      <label>
        <span>Why? The agent reads it. You may leave it empty.</span>
        <textarea
          ref={field}
          rows={2}
          maxLength={MAX_CHARS}
          value={reason}
          disabled={isBusy}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div class="card-actions">
        <Button kind="danger" isBusy={isBusy} onClick={give}>
          {does}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
        {reason.length > NEAR_CHARS && (
          <span class="card-hint">{MAX_CHARS - reason.length} characters left</span>
        )}
      </div>
    </div>
  );
}
