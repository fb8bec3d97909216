/**
 * An approval on the page of an answer link: approve, deny with a reason, and a rule where the link allows one; or the
 * choices of the agent.
 */
import { readApproval } from '../../web/model/cards/approval-input.ts';
import { hidesPart } from '../../web/model/folding.ts';
import { isShell } from '../../web/model/shell-tools.ts';
import { readChoices } from '../../protocol/approval-choices.ts';
import { type Html, html, literal } from '../../core/html.ts';
import {
  ANY_COMMAND,
  CHOICE_FIELD,
  choicesPart,
  isDenial,
  readSentChoice,
  readStop,
  stopBox,
} from './choices-part.ts';
import { agentWords, seenBox, SEEN_FIELD, valueView } from './request-parts.ts';
import {
  actForm,
  moreChoice,
  type OpenView,
  type ReadAnswer,
  readReason,
  refusalChoice,
  type SentForm,
  sentAct,
  sentText,
  submitButton,
} from './sent-form.ts';

export function approvalPage(view: OpenView): Html {
  const { record, answers } = view;
  const request = readApproval(record.request);
  const input = request?.input ?? record.request;
  const offers = request?.offers ?? ['once'];
  const choices = readChoices(record.request);
  if (choices !== undefined) {
    return html`${valueView(input, `Input of ${record.toolName}`)}
${agentWords(request?.description)}
<div class="link-answers">${choicesPart(view, choices, seenPart(view, 'decide'))}
${answers.includes('deny') && !choices.some(isDenial) && denial(view)}</div>`;
  }
  return html`${valueView(input, `Input of ${record.toolName}`)}
${agentWords(request?.description)}
<div class="link-answers">
${
  answers.includes('approve') &&
  offers.includes('once') &&
  actForm(view, 'approve', html`${seenPart(view, 'approve')}${submitButton('Approve')}`)
}
${answers.includes('deny') && denial(view)}
${answers.includes('allow_for_session') && offers.includes('session') && sessionChoice(view)}
</div>`;
}

function denial(view: OpenView): Html {
  const isKept = sentAct(view.sent) === 'deny';
  return refusalChoice(view, 'deny', 'Deny', stopBox(view, isKept, 'Also stop the agent’s turn'));
}

function seenPart(view: OpenView, act: string): Html | false {
  return (
    mustConfirm(view) &&
    seenBox('input', sentAct(view.sent) === act ? view.errors[SEEN_FIELD] : undefined)
  );
}

/** Part of the input is folded. */
function mustConfirm({ record }: Pick<OpenView, 'record'>): boolean {
  return hidesPart(readApproval(record.request)?.input ?? record.request);
}

function sessionChoice(view: OpenView): Html {
  const { record, sent } = view;
  const isThis = sentAct(sent) === 'allow_for_session';
  const isEvery = isThis && sentText(sent, 'rule') === 'every';
  const tool = html`<bdi>${literal(record.toolName)}</bdi>`;
  const every = isShell(record.toolName)
    ? ANY_COMMAND
    : 'You are not asked about this tool again in this session.';
  return moreChoice(
    'Allow for session…',
    isThis,
    actForm(
      view,
      'allow_for_session',
      html`<fieldset class="session-offer"><legend>Allow without asking, for the rest of this session:</legend>
<label class="choice"><input type="radio" name="rule" value="exact"${!isEvery && html` checked`}>
<span><strong>Only this exact ${tool} call</strong><span class="choice-more">You are asked about any other input.</span></span></label>
<label class="choice"><input type="radio" name="rule" value="every"${isEvery && html` checked`}>
<span><strong>Every ${tool} call</strong><span class="choice-more">${every}</span></span></label></fieldset>
${seenPart(view, 'allow_for_session')}${submitButton('Approve for the session')}`,
    ),
  );
}

export function readApprovalAnswer(
  { record }: Pick<OpenView, 'record'>,
  sent: SentForm,
): ReadAnswer {
  const act = sentAct(sent);
  if (act === 'deny') {
    return { ok: true, answer: { decision: 'deny', ...readReason(sent), ...readStop(sent) } };
  }
  const chosen = act === 'decide' ? readSentChoice(record.request, sent) : undefined;
  if (act === 'decide' && chosen === undefined) {
    return { ok: false, errors: { [CHOICE_FIELD]: 'Choose an answer.' } };
  }
  if (chosen?.decision === 'deny') {
    return { ok: true, answer: { choice: chosen.id, ...readReason(sent), ...readStop(sent) } };
  }
  if (mustConfirm({ record }) && sentText(sent, SEEN_FIELD) !== 'yes') {
    return {
      ok: false,
      errors: { [SEEN_FIELD]: 'Open all of the input, read it, and say so here.' },
    };
  }
  if (chosen !== undefined) {
    return { ok: true, answer: { choice: chosen.id, ...readReason(sent) } };
  }
  if (act === 'approve') return { ok: true, answer: { decision: 'approve' } };
  if (act !== 'allow_for_session') return { ok: false, errors: { '': 'Choose an answer.' } };
  const exact = sentText(sent, 'rule') !== 'every';
  return {
    ok: true,
    answer: { decision: 'approve', offer: 'session', ...(exact && { exact }) },
  };
}
