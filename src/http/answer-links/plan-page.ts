/** A plan on the page of an answer link: the ways to approve it, and feedback. */
import { FEEDBACK_CHARS } from '../../protocol/limits.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { planChoices, readPlan } from '../../web/model/cards/plan-choices.ts';
import { isLong } from '../../web/model/folding.ts';
import { type Html, html } from '../../core/html.ts';
import { errorText, planView, seenBox, SEEN_FIELD } from './request-parts.ts';
import * as form from './sent-form.ts';

const APPROVALS = planChoices().filter(({ decision }) => decision !== 'adjust');

export function planPage(view: form.OpenView): Html {
  const { record, answers } = view;
  const offered = APPROVALS.filter(({ decision }) => answers.includes(decision));
  return html`${planView(record.request)}
<div class="link-answers">
${offered.length > 0 && approvalForm(view, offered)}
${answers.includes('adjust') && feedbackForm(view, offered.length === 0)}
</div>`;
}

function approvalForm(view: form.OpenView, offered: typeof APPROVALS): Html {
  const { record, sent, errors } = view;
  const chosen = form.sentText(sent, 'decision');
  const mistake = errors.decision;
  return form.actForm(
    view,
    'decide',
    html`<fieldset class="question"${mistake !== undefined && html` aria-describedby="decision-error"`}>
<legend>How should the agent go on?</legend>
${offered.map(
  ({ decision, name, effect }) =>
    html`<div class="option"><label class="choice"><input type="radio" name="decision" value="${decision}" required${
      decision === chosen && html` checked`
    }><span><strong>${name}</strong><span class="choice-more">${effect}</span></span></label></div>`,
)}
${errorText(mistake, 'decision-error')}</fieldset>
${isLong(readPlan(record.request)) && seenBox('plan', errors[SEEN_FIELD])}
${form.submitButton('Approve the plan')}`,
  );
}

function feedbackForm(view: form.OpenView, isOnly: boolean): Html {
  const { record, sent } = view;
  const isThis = form.sentAct(sent) === 'adjust';
  return form.moreChoice(
    'Request changes…',
    isThis || isOnly || record.awaitingFeedback === true,
    form.actForm(
      view,
      'adjust',
      html`<label class="feedback"><span>What should change?</span>
<textarea name="feedback" rows="4" maxlength="${FEEDBACK_CHARS}" dir="auto">
${isThis && form.sentText(sent, 'feedback')}</textarea></label>
${form.submitButton('Send feedback')}`,
    ),
  );
}

export function approvesFoldedPlan({ request }: Interaction, { decision }: JsonObject): boolean {
  return decision !== 'adjust' && isLong(readPlan(request));
}

export function readPlanAnswer(
  { record }: Pick<form.OpenView, 'record'>,
  sent: form.SentForm,
): form.ReadAnswer {
  if (form.sentAct(sent) === 'adjust') {
    return { ok: true, answer: { decision: 'adjust', feedback: form.sentText(sent, 'feedback') } };
  }
  const chosen = APPROVALS.find(({ decision }) => decision === form.sentText(sent, 'decision'));
  if (chosen === undefined) return { ok: false, errors: { decision: 'Choose how to go on.' } };
  if (isLong(readPlan(record.request)) && form.sentText(sent, SEEN_FIELD) !== 'yes') {
    return {
      ok: false,
      errors: { [SEEN_FIELD]: 'Open all of the plan, read it, and say so here.' },
    };
  }
  return { ok: true, answer: { decision: chosen.decision } };
}
