import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Interaction } from '../../../protocol/types.ts';
import { firstDraft, valuesIn } from '../../model/cards/form-draft.ts';
import { fieldsOf, type Field } from '../../model/cards/form-fields.ts';
import { readForm } from '../../model/cards/form-request.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { isLong } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { withKey } from '../card-keys.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { DeclineForm } from '../parts/reason-form.tsx';
import { useDraft, useReason } from '../use-draft.ts';
import { useArmed } from '../use-armed.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';
import { FormFieldRow } from './form-field-row.tsx';
import { adoptStyle } from '../../styles/adopt-style.ts';
import formStyle from './form.css?inline';

adoptStyle(formStyle);

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
            aria-describedby={seen.isMissing ? hintId : undefined}
          >
            {t('Submit')}
          </Button>
          <Button
            kind="quiet"
            {...withKey('d', props.isInInbox)}
            disabled={isBusy}
            onClick={() => setDeclining(true)}
          >
            {t('Decline…')}
          </Button>
          {seen.isMissing && (
            <ReviewHint id={hintId} onShow={seen.showRest}>
              {t('Review the full form before submitting')}
            </ReviewHint>
          )}
        </div>
      )}
    </form>
  );
}

interface ConsentPromptProps extends CardBodyProps {
  readonly words: string | undefined;
}

/** A form without fields asks only for consent, so Accept is blocked as Approve is (UI-6). */
function ConsentPrompt(props: ConsentPromptProps) {
  const { answering, clock, position, isLive, words = '' } = props;
  const { record, isBusy } = answering;
  const reason = useReason(props);
  const [isDeclining, setDeclining] = useState(reason.wasKept);
  const [isWhole, setWhole] = useState(() => !isLong(words));
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, isMissing, showRest } = useSeen(shown, record.inputDigest, isWhole);
  const isArmed = useArmed(
    clock,
    `${record.inputDigest} ${String(position)} ${isDeclining} ${isSeen}`,
  );
  const hintId = useId();
  return (
    <div class="card-part">
      <div ref={shown}>
        {words !== '' && <AgentExplanation text={words} onWhole={() => setWhole(true)} />}
        <p class="card-hint">{t('There is nothing to fill in.')}</p>
      </div>
      {isLive && isDeclining && (
        <DeclineForm {...{ answering, reason, isBusy }} onCancel={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          <Button
            kind="primary"
            isBusy={isBusy}
            hold={isMissing ? 'missing' : isSeen && isArmed ? undefined : 'arming'}
            onHeld={showRest}
            aria-describedby={isMissing ? hintId : undefined}
            onClick={() => void answering.give({ values: {} })}
          >
            {t('Accept')}
          </Button>
          <Button
            kind="quiet"
            {...withKey('d', props.isInInbox)}
            disabled={isBusy}
            onClick={() => setDeclining(true)}
          >
            {t('Decline…')}
          </Button>
          {isMissing && (
            <ReviewHint id={hintId} onShow={showRest}>
              {t('Review the full text before accepting')}
            </ReviewHint>
          )}
        </div>
      )}
    </div>
  );
}

interface SettledFormProps {
  readonly record: Interaction;
  readonly fields: readonly Field[];
}

/** The submitted values by name, or the reason of a denial. */
function SettledForm({ record, fields }: SettledFormProps) {
  const { values, reason, outcome } = record;
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="given-reason" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      {values !== undefined && fields.length > 0 && (
        <dl class="filled">
          {fields
            .filter(({ name }) => values[name] !== undefined && values[name] !== null)
            .map((field) => (
              <div key={field.name}>
                <dt dir="auto">{escapeInvisible(field.title)}</dt>
                <dd dir="auto">{escapeInvisible(shownValue(field, values[field.name]))}</dd>
              </div>
            ))}
        </dl>
      )}
    </>
  );
}

function shownValue({ input }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const titleOf = (one: unknown) => {
    const choices = 'choices' in input ? input.choices : [];
    return choices.find((choice) => choice.value === one)?.title ?? String(one);
  };
  return Array.isArray(value) ? value.map(titleOf).join(', ') : titleOf(value);
}
