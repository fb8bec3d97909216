/** A form on the page of an answer link: every type of field, with its errors and with what was typed. */
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { FormRequest } from '../../protocol/schema/kinds/form.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import {
  firstDraft,
  type FormDraft,
  type Typed,
  valuesIn,
} from '../../web/model/cards/form-draft.ts';
import {
  areDescribed,
  type Field,
  type FieldChoice,
  fieldsOf,
} from '../../web/model/cards/form-fields.ts';
import { readForm } from '../../web/model/cards/form-request.ts';
import { isLong } from '../../web/model/folding.ts';
import { type Html, html } from '../../core/html.ts';
import {
  agentWords,
  errorText,
  foldedText,
  seenBox,
  SEEN_FIELD,
  fieldTime,
} from './request-parts.ts';
import {
  actForm,
  type OpenView,
  type ReadAnswer,
  readReason,
  refusalChoice,
  type SentForm,
  sentAct,
  sentText,
  submitButton,
} from './sent-form.ts';

export function formPage(view: OpenView): Html {
  const { record, answers } = view;
  const form = readForm(record.request);
  const fields = form === undefined ? [] : fieldsOf(form.schema);
  const words = fieldExplanation(form);
  return html`${words !== undefined && isLong(words) ? longWords(words) : agentWords(words)}
<div class="link-answers">
${answers.includes('submit') && (fields.length === 0 ? consentForm(view, words) : valuesForm(view, fields))}
${answers.includes('decline') && refusalChoice(view, 'decline', 'Decline')}
</div>`;
}

function fieldExplanation(form: FormRequest | undefined): string | undefined {
  return form?.description ?? form?.schema.description;
}

function longWords(words: string): Html {
  return html`<figure class="agent-words"><figcaption>Agent’s explanation (not verified)</figcaption>
<div class="literal">${foldedText(words)}</div></figure>`;
}

/** A form without fields asks only for consent. */
function consentForm(view: OpenView, words = ''): Html {
  return actForm(
    view,
    'submit',
    html`<p class="card-hint">There is nothing to fill in.</p>
${isLong(words) && seenBox('text', view.errors[SEEN_FIELD])}${submitButton('Accept')}`,
  );
}

function valuesForm(view: OpenView, fields: readonly Field[]): Html {
  const { record, sent } = view;
  const isSent = sentAct(sent) === 'submit';
  const draft = isSent && sent !== undefined ? draftFrom(sent, fields) : shownDraft(record, fields);
  const errors = isSent ? view.errors : (record.fieldErrors ?? {});
  return actForm(
    view,
    'submit',
    html`${fields.map((field, index) =>
      fieldRow(field, {
        id: fieldId(index),
        typed: draft[field.name] ?? '',
        error: errors[field.name],
      }),
    )}${submitButton('Submit')}`,
  );
}

function shownDraft(record: Interaction, fields: readonly Field[]): FormDraft {
  const draft: Record<string, Typed> = { ...firstDraft(fields, record.typedValues, undefined) };
  for (const { name, input, initial } of fields) {
    if (input.type !== 'text' || input.as !== 'datetime-local') continue;
    const before = record.typedValues?.[name] ?? initial;
    draft[name] = typeof before === 'string' ? fieldTime(before) : '';
  }
  return draft;
}

/** Fields have numbers here: the names are the agent's, and any text. */
function fieldId(index: number): string {
  return `f${index}`;
}

function draftFrom(sent: SentForm, fields: readonly Field[]): FormDraft {
  return Object.fromEntries(
    fields.map(({ name, input }, index): [string, Typed] => {
      const texts = sent.get(fieldId(index)) ?? [];
      return [name, input.type === 'many' ? texts : (texts[0] ?? '')];
    }),
  );
}

interface RowState {
  readonly id: string;
  readonly typed: Typed;
  readonly error: string | undefined;
}

function fieldRow(field: Field, state: RowState): Html {
  const { title, description, isRequired, hint, input } = field;
  const { id, error } = state;
  const isTime = input.type === 'text' && input.as === 'datetime-local';
  const name = html`<bdi>${escapeInvisible(title)}</bdi>${!isRequired && html`<span class="card-hint"> optional</span>`}`;
  const about = html`<div id="${id}-about" class="field-about">${
    description !== undefined && html`<p dir="auto">${escapeInvisible(description)}</p>`
  }${hint !== '' && html`<p>${hint}</p>`}${isTime && html`<p>In UTC</p>`}${errorText(error, `${id}-error`)}</div>`;
  const isList = input.type === 'one' && areDescribed(input.choices);
  if (input.type === 'many' || input.type === 'yes-no' || isList) {
    return html`<fieldset class="field" aria-describedby="${id}-about"><legend>${name}</legend>${groupInput(field, state)}${about}</fieldset>`;
  }
  return html`<div class="field"><label for="${id}">${name}</label>${control(field, state)}${about}</div>`;
}

function groupInput({ input, isRequired }: Field, { id, typed, error }: RowState): Html {
  const wrong = error !== undefined && html` aria-invalid="true"`;
  if (input.type === 'many' || input.type === 'one') {
    const isMany = input.type === 'many';
    const none = isMany || isRequired ? [] : [{ value: '', title: 'No answer' }];
    return html`${[...input.choices, ...none].map(
      ({ value, title, description }: FieldChoice) =>
        html`<label class="choice"><input type="${isMany ? 'checkbox' : 'radio'}" name="${id}" value="${value}"${
          (isMany ? typed.includes(value) : typed === value) && html` checked`
        }${wrong}><span><span dir="auto">${escapeInvisible(title)}</span>${
          description !== undefined &&
          html`<span class="choice-more" dir="auto">${escapeInvisible(description)}</span>`
        }</span></label>`,
    )}`;
  }
  const choices = [['yes', 'Yes'] as const, ['no', 'No'] as const, ['', 'No answer'] as const];
  return html`<div class="choices-in-line">${choices
    .slice(0, isRequired ? 2 : 3)
    .map(
      ([value, title]) =>
        html`<label class="choice"><input type="radio" name="${id}" value="${value}"${typed === value && html` checked`}${wrong}><span>${title}</span></label>`,
    )}</div>`;
}

function control({ input, isRequired }: Field, { id, typed, error }: RowState): Html {
  const marks = html` id="${id}" name="${id}" aria-describedby="${id}-about"${isRequired && html` required`}${
    error !== undefined && html` aria-invalid="true"`
  }`;
  const text = String(typed);
  if (input.type === 'one') {
    return html`<select${marks}><option value="">${isRequired ? 'Choose…' : 'No answer'}</option>${input.choices.map(
      ({ value, title }) =>
        html`<option value="${value}"${value === text && html` selected`}>${escapeInvisible(title)}</option>`,
    )}</select>`;
  }
  if (input.type === 'text' && (input.as === 'date' || input.as === 'datetime-local')) {
    return html`<input type="${input.as}"${marks} value="${text}">`;
  }
  // A number field discards text that is no number; a text field keeps it, and the error explains it.
  const keyboard =
    input.type === 'number'
      ? input.isWhole
        ? 'numeric'
        : 'decimal'
      : input.type === 'text'
        ? input.as
        : 'text';
  return html`<input type="text" dir="auto" inputmode="${keyboard}"${marks} value="${text}">`;
}

/** A form without fields is a consent to its text. */
export function acceptsFolded({ request }: Interaction, { values }: JsonObject): boolean {
  const form = readForm(request);
  const isConsent =
    values !== undefined && (form === undefined || fieldsOf(form.schema).length === 0);
  return isConsent && isLong(fieldExplanation(form) ?? '');
}

export function readSentFields({ record }: Pick<OpenView, 'record'>, sent: SentForm): ReadAnswer {
  if (sentAct(sent) === 'decline') {
    return { ok: true, answer: { decline: true, ...readReason(sent) } };
  }
  const form = readForm(record.request);
  const fields = form === undefined ? [] : fieldsOf(form.schema);
  if (fields.length === 0) {
    const isRead = !isLong(fieldExplanation(form) ?? '') || sentText(sent, SEEN_FIELD) === 'yes';
    return isRead
      ? { ok: true, answer: { values: {} } }
      : { ok: false, errors: { [SEEN_FIELD]: 'Open all of the text, read it, and say so here.' } };
  }
  const draft = { ...draftFrom(sent, fields) };
  for (const { name, input } of fields) {
    const typed = draft[name];
    const isTime = input.type === 'text' && input.as === 'datetime-local';
    if (isTime && typeof typed === 'string' && WITHOUT_ZONE.test(typed)) draft[name] = `${typed}Z`;
  }
  const filled = valuesIn(fields, draft);
  return filled.ok
    ? { ok: true, answer: { values: filled.values } }
    : { ok: false, errors: filled.fieldErrors };
}

const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;
