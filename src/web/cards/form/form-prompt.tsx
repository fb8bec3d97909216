import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { firstDraft, valuesIn } from '../../model/cards/form-draft.ts';
import { fieldsOf } from '../../model/cards/form-fields.ts';
import { readForm } from '../../model/cards/form-request.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { DeclineForm } from '../parts/reason-form.tsx';
import { ReviewHint } from '../parts/review-hint.tsx';
import { useDraft } from '../use-draft.ts';
import { useReason } from '../use-reason.ts';
import { useSeen } from '../use-seen.ts';
import { ConsentPrompt } from './consent-prompt.tsx';
import { FormFieldRow } from './form-field-row.tsx';
import { SettledForm } from './settled-form.tsx';

type Errors = Readonly<Record<string, string>>;

/** A form of typed fields. Each error is shown at its field, and typed values are never lost. */
export function FormPrompt(props: CardBodyProps) {
  const { answering, isLive } = props;
  const { record, isBusy, failure } = answering;
  const form = readForm(record.request);
  const fields = useMemo(() => (form === undefined ? [] : fieldsOf(form.schema)), [form]);
  const [draft, setDraft] = useDraft(props, (kept) => firstDraft(fields, record.typedValues, kept));
  const [own, setOwn] = useState<Errors>();
  const reason = useReason(props);
  const [isDeclining, setDeclining] = useState(reason.wasKept);
  const element = useRef<HTMLFormElement>(null);
  const asked = useRef<HTMLFieldSetElement>(null);
  const seen = useSeen(asked, record.inputDigest, true);
  const hintId = useId();
  // The newest check wins: of this page, of the server, or of the tool that asked again.
  const errors = own ?? failure?.fieldErrors ?? record.fieldErrors ?? {};
  const refused = own ?? failure;
  useEffect(() => {
    if (refused !== undefined) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [refused]);
  if (form === undefined || record.status === 'settled') {
    return <SettledForm record={record} fields={fields} />;
  }
  const words = form.description ?? form.schema.description;
  if (fields.length === 0) return <ConsentPrompt {...props} words={words} />;
  const send = () => {
    // Enter in the first field would submit fields that the person has not seen.
    if (!seen.isSeenNow()) return seen.showRest();
    const filled = valuesIn(fields, draft);
    setOwn(filled.ok ? undefined : filled.fieldErrors);
    if (filled.ok) void answering.give({ values: filled.values });
  };
  return (
    <form
      ref={element}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isLive && !isBusy && !isDeclining) send();
      }}
    >
      {words !== undefined && <AgentExplanation text={words} />}
      <fieldset ref={asked} disabled={!isLive || isBusy}>
        {fields.map((field) => (
          <FormFieldRow
            key={field.name}
            field={field}
            typed={draft[field.name] ?? ''}
            error={errors[field.name]}
            onType={(typed) => setDraft({ ...draft, [field.name]: typed })}
          />
        ))}
      </fieldset>
      {isLive && isDeclining && (
        <DeclineForm {...{ answering, reason, isBusy }} onCancel={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            aria-describedby={seen.isSeen ? undefined : hintId}
          >
            Submit
          </Button>
          <Button kind="quiet" disabled={isBusy} onClick={() => setDeclining(true)}>
            Decline…
          </Button>
          {!seen.isSeen && (
            <ReviewHint id={hintId} what="form" action="submitting" onShow={seen.showRest} />
          )}
        </div>
      )}
    </form>
  );
}
