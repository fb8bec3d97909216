import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { Button } from '../../ui/button.tsx';
import { editableJson, editedInput } from '../../model/cards/edited-input.ts';
import { t } from '../../model/language.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { InputChanges } from '../input/input-changes.tsx';
import { InputFieldEditors } from '../input/input-field-editors.tsx';

interface InputEditorProps {
  /** The input as the agent sent it. */
  readonly original: JsonObject;
  /** Of the tool, where it is known. */
  readonly schema: JsonObject | undefined;
  /** The edited input as JSON; undefined while the person has changed nothing. */
  readonly draft: string | undefined;
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

/** Edits the input by its fields or as JSON, beside the differences; an invalid input cannot be sent. */
export function InputEditor(props: InputEditorProps) {
  const { original, schema, onText, fieldErrors, hold, isBusy, approvals, onCancel } = props;
  const text = props.draft ?? editableJson(original);
  const editor = useRef<HTMLDivElement>(null);
  const id = useId();
  const edited = editedInput(text);
  const [wantsJson, setWantsJson] = useState(!edited.ok);
  const [unfinished, setUnfinished] = useState<Readonly<Record<string, string>>>({});
  const isJson = wantsJson || !edited.ok;
  // In a layout effect: otherwise the first letters that the person types go to the card.
  useLayoutEffect(() => {
    editor.current?.querySelector<HTMLElement>('textarea, input, select')?.focus();
  }, [isJson]);
  const problems = !edited.ok
    ? [edited.problem]
    : isJson
      ? Object.entries(fieldErrors).map(([name, message]) => `${name}: ${message}`)
      : Object.entries(fieldErrors)
          .filter(([name]) => !Object.hasOwn(edited.input, name))
          .map(([name, message]) => `${name}: ${message}`);
  const isUnfinished = !isJson && Object.values(unfinished).some((problem) => problem !== '');
  return (
    <div
      class="edit-input"
      ref={editor}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.isComposing) onCancel();
      }}
    >
      {isJson ? (
        <JsonField {...{ id, text, onText, isBusy }} isWrong={problems.length > 0} />
      ) : (
        <InputFieldEditors
          {...{ schema, isBusy }}
          input={edited.input}
          errors={{ ...fieldErrors, ...unfinished }}
          onInput={(input) => onText(editableJson(input))}
          onProblem={(name, problem) => setUnfinished({ ...unfinished, [name]: problem })}
        />
      )}
      <ul id={`${id}-problems`} class="field-problems" aria-live="polite">
        {problems.map((problem) => (
          <li key={problem}>{escapeInvisible(problem)}</li>
        ))}
      </ul>
      <button
        type="button"
        class="link"
        disabled={!edited.ok}
        onClick={() => {
          setWantsJson(!isJson);
          setUnfinished({});
        }}
      >
        {isJson ? t('Edit by field') : t('Edit as JSON')}
      </button>
      {edited.ok && <InputChanges before={original} after={edited.input} />}
      <div class="card-actions">
        {approvals.map(({ key = '', label, give }) => (
          <Button
            key={key}
            kind="primary"
            isBusy={isBusy}
            hold={hold}
            disabled={!edited.ok || isUnfinished}
            onClick={() => edited.ok && give(edited.input)}
          >
            {t('Approve with changes')}
            {label !== undefined && <>: {label}</>}
          </Button>
        ))}
        <Button kind="quiet" disabled={isBusy} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </div>
  );
}

const MAX_EDITOR_ROWS = 18;

interface JsonFieldProps extends Pick<InputEditorProps, 'onText' | 'isBusy'> {
  readonly text: string;
  readonly id: string;
  readonly isWrong: boolean;
}

function JsonField({ id, text, onText, isBusy, isWrong }: JsonFieldProps) {
  return (
    <>
      <label for={id}>{t('Edit input (JSON)')}</label>
      <textarea
        id={id}
        class="code-field"
        rows={Math.min(MAX_EDITOR_ROWS, text.split('\n').length + 1)}
        value={text}
        disabled={isBusy}
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={isWrong}
        aria-describedby={`${id}-problems`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </>
  );
}
