/** An approval on the page of an answer link: approve, deny with a reason, and a rule where the link allows one. */
import { readApproval } from '../../web/model/cards/approval-input.ts';
import { hidesPart } from '../../web/model/folding.ts';
import { isShell } from '../../web/model/tool-names.ts';
import { type Html, html, literal } from '../../core/html.ts';
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
  return html`${valueView(input, `Input of ${record.toolName}`)}
${agentWords(request?.description)}
<div class="link-answers">
${
  answers.includes('approve') &&
  offers.includes('once') &&
  actForm(view, 'approve', html`${seenPart(view, 'approve')}${submitButton('Approve')}`)
}
${answers.includes('deny') && refusalChoice(view, 'deny', 'Deny')}
${answers.includes('allow_for_session') && offers.includes('session') && sessionChoice(view)}
</div>`;
}

function seenPart({ record, errors, sent }: OpenView, act: string): Html | false {
  const input = readApproval(record.request)?.input ?? record.request;
  if (!hidesPart(input)) return false;
  return seenBox('input', sentAct(sent) === act ? errors[SEEN_FIELD] : undefined);
}

function sessionChoice(view: OpenView): Html {
  const { record, sent } = view;
  const isThis = sentAct(sent) === 'allow_for_session';
  const isEvery = isThis && sentText(sent, 'rule') === 'every';
  const tool = html`<bdi>${literal(record.toolName)}</bdi>`;
  const every = isShell(record.toolName)
    ? html`It runs any command it is given. For the rest of this session it would run every command at once, including one that deletes or uploads files, without asking anyone.`
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
  if (act === 'deny') return { ok: true, answer: { decision: 'deny', ...readReason(sent) } };
  const input = readApproval(record.request)?.input ?? record.request;
  if (hidesPart(input) && sentText(sent, SEEN_FIELD) !== 'yes') {
    return {
      ok: false,
      errors: { [SEEN_FIELD]: 'Open all of the input, read it, and say so here.' },
    };
  }
  if (act === 'approve') return { ok: true, answer: { decision: 'approve' } };
  if (act !== 'allow_for_session') return { ok: false, errors: { '': 'Choose an answer.' } };
  const exact = sentText(sent, 'rule') !== 'every';
  return {
    ok: true,
    answer: { decision: 'approve', offer: 'session', ...(exact && { exact }) },
  };
}
