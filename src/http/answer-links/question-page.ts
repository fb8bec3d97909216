/** Questions on the page of an answer link: all of them at once, each with its options and room for other words. */
import { escapeInvisible } from '../../protocol/escapes.ts';
import { FEEDBACK_CHARS } from '../../protocol/limits.ts';
import {
  answerOfChoice,
  type QuestionChoice,
  choiceOf,
} from '../../web/model/cards/question-draft.ts';
import { type AskedQuestion, readQuestions } from '../../web/model/cards/question-request.ts';
import { type Html, html, pre } from '../../core/html.ts';
import { errorText } from './request-parts.ts';
import * as form from './sent-form.ts';

const OTHER = 'other';

export function questionPage(view: form.OpenView): Html {
  const { record, answers } = view;
  const questions = readQuestions(record.request) ?? [];
  return html`<div class="link-answers">
${
  answers.includes('answer') &&
  form.actForm(
    view,
    'answer',
    html`${questions.map((asked, index) => oneQuestion(view, asked, index))}${form.submitButton('Submit')}`,
  )
}
${!answers.includes('answer') && questions.map(({ question }) => html`<p dir="auto">${escapeInvisible(question)}</p>`)}
${answers.includes('decline') && form.refusalChoice(view, 'decline', 'Decline')}
</div>`;
}

function oneQuestion(view: form.OpenView, asked: AskedQuestion, index: number): Html {
  const { record, sent, errors } = view;
  const name = fieldName(index);
  const isSent = form.sentAct(sent) === 'answer';
  const choice =
    isSent && sent !== undefined
      ? choiceFrom(sent, asked, index)
      : choiceOf({}, index, asked, record.partialAnswers);
  const type = asked.multiSelect ? 'checkbox' : 'radio';
  const error = isSent ? errors[name] : undefined;
  return html`<fieldset class="question"${error !== undefined && html` aria-describedby="${name}-error"`}>
<legend>${
    asked.header !== undefined &&
    html`<span class="chip">${escapeInvisible(asked.header)}</span>
`
  }<span class="question-text" dir="auto">${escapeInvisible(asked.question)}</span>${
    asked.multiSelect && html`<span class="choice-more">Choose all that apply.</span>`
  }</legend>
${errorText(error, `${name}-error`)}
${asked.options.map(
  ({ label, description, preview }, at) => html`<div class="option"><label class="choice">
<input type="${type}" name="${name}" value="${at}"${choice.labels.includes(label) && html` checked`}>
<span><strong dir="auto">${escapeInvisible(label)}</strong>${
    description !== undefined &&
    html`<span class="choice-more" dir="auto">${escapeInvisible(description)}</span>`
  }</span></label>${
    preview !== undefined &&
    html`<details class="link-preview"><summary>Preview of ${escapeInvisible(label)}</summary>${pre(preview, 'preview')}</details>`
  }</div>`,
)}
${
  asked.options.length === 0
    ? openField(asked, name, choice)
    : html`<div class="option"><div class="choice">
<input type="${type}" name="${name}" value="${OTHER}" id="${name}-own"${choice.isOther && html` checked`}>
<span class="own-words"><label for="${name}-own"><strong>Other</strong></label>
<input type="text" name="${name}-${OTHER}" dir="auto" maxlength="${FEEDBACK_CHARS}" value="${choice.other}" placeholder="Type your answer"
aria-label="Your own answer to: ${escapeInvisible(asked.question)}"></span></div></div>`
}
</fieldset>`;
}

/** Without options there is nothing but words. */
function openField({ question }: AskedQuestion, name: string, { other }: QuestionChoice): Html {
  return html`<textarea class="open-answer" name="${name}-${OTHER}" rows="4" maxlength="${FEEDBACK_CHARS}" dir="auto"
aria-label="Your answer to: ${escapeInvisible(question)}">
${other}</textarea>`;
}

function fieldName(index: number): string {
  return `q${index}`;
}

function choiceFrom(sent: form.SentForm, asked: AskedQuestion, index: number): QuestionChoice {
  const chosen = sent.get(fieldName(index)) ?? [];
  const labels = asked.options
    .map(({ label }) => label)
    .filter((_label, at) => chosen.includes(String(at)));
  const other = form.sentText(sent, `${fieldName(index)}-${OTHER}`);
  const isTyped = other.trim() !== '' && (asked.multiSelect || labels.length === 0);
  return { labels, isOther: chosen.includes(OTHER) || isTyped, other };
}

export function readQuestionAnswer(
  { record }: Pick<form.OpenView, 'record'>,
  sent: form.SentForm,
): form.ReadAnswer {
  if (form.sentAct(sent) === 'decline') {
    return { ok: true, answer: { decline: true, ...form.readReason(sent) } };
  }
  const answers: Record<string, string | string[]> = {};
  const errors: Record<string, string> = {};
  for (const [index, asked] of (readQuestions(record.request) ?? []).entries()) {
    const choice = choiceFrom(sent, asked, index);
    const answer = answerOfChoice(choice, asked);
    // Without a script, what is typed does not select its button: it may be meant, or left over.
    const isUnclear = !asked.multiSelect && !choice.isOther && choice.other.trim() !== '';
    if (isUnclear) {
      errors[fieldName(index)] =
        `You chose “${choice.labels.join()}” and typed another answer. Choose Other, or clear what you typed.`;
    } else if (answer === undefined) {
      errors[fieldName(index)] =
        choice.isOther || asked.options.length === 0 ? 'Type your answer.' : 'Choose an answer.';
    } else answers[index] = answer;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, answer: { answers } };
}
