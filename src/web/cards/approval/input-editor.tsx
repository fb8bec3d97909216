import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { Button } from '../../ui/button.tsx';
import { editedInput } from '../../model/cards/approval-input.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';

interface InputEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Errors of the server, which checks the input against the tool's schema. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly hold: 'arming' | 'missing' | undefined;
  readonly isBusy: boolean;
  readonly approvals: readonly EditApproval[];
  readonly onCancel: () => void;
}

/** One way to approve the edited input; without a label it is the only one. */
interface EditApproval {
  readonly key?: string;
  readonly label?: ComponentChildren;
  readonly give: (input: JsonObject) => void;
}

const MAX_EDITOR_ROWS = 18;

/** Edits the input as JSON; invalid JSON cannot be sent. */
export function InputEditor({
  text,
  onText,
  fieldErrors,
  hold,
  isBusy,
  approvals,
  onCancel,
}: InputEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  // In a layout effect: otherwise the first letters that the person types go to the card.
  useLayoutEffect(() => field.current?.focus(), []);
  const edited = editedInput(text);
  const problems = edited.ok
    ? Object.entries(fieldErrors).map(([name, message]) => `${name}: ${message}`)
    : [edited.problem];
  return (
    <div class="edit-input">
      <label for={id}>Edit input (JSON)</label>
      <textarea
        ref={field}
        id={id}
        class="code-field"
        rows={Math.min(MAX_EDITOR_ROWS, text.split('\n').length + 1)}
        value={text}
        disabled={isBusy}
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.isComposing) onCancel();
        }}
      />
      <ul id={`${id}-problems`} class="field-problems" aria-live="polite">
        {problems.map((problem) => (
          <li key={problem}>{escapeInvisible(problem)}</li>
        ))}
      </ul>
      <div class="card-actions">
        {approvals.map(({ key = '', label, give }) => (
          <Button
            key={key}
            kind="primary"
            isBusy={isBusy}
            hold={hold}
            disabled={!edited.ok}
            onClick={() => edited.ok && give(edited.input)}
          >
            Approve with changes{label !== undefined && <>: {label}</>}
          </Button>
        ))}
        <Button kind="quiet" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
