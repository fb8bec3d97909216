/**
 * An approval on the page of an answer link: approve, deny with a reason, and a rule where the link allows one; or the
 * choices of the agent.
 */
import { linkAnswerOfChoice } from '../../core/answer-links/answer-link.ts';
import { readApproval } from '../../web/model/cards/approval-input.ts';
import { hidesPart, byteCount } from '../../web/model/folding.ts';
import { isShell } from '../../protocol/shell-tools.ts';
import {
  type ApprovalChoice,
  effectOfChoice,
  readChoices,
} from '../../protocol/approval-choices.ts';
import { type Html, html, literal, NOTHING } from '../../core/html.ts';
import { hidesInput } from '../../protocol/interaction-record.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { REASON_CHARS } from '../../protocol/limits.ts';
import type { JsonObject, Interaction } from '../../protocol/types.ts';
import {
  hiddenPartNotice,
  READINGS,
  readingWords,
  type Reading,
  textViewNotice,
} from '../../web/model/cards/large-input.ts';
import {
  foldsInput,
  inputView,
  agentWords,
  errorText,
  SEEN_FIELD,
  seenBox,
} from './request-parts.ts';
import { DOWNLOAD } from './page.ts';
import * as form from './sent-form.ts';
import { type SentForm, sentText } from './sent-form.ts';

export function approvalPage(view: form.OpenView): Html {
  const { record, answers } = view;
  const request = readApproval(record.request);
  const input = request?.input ?? record.request;
  const offers = request?.offers ?? ['once'];
  const choices = readChoices(record.request);
  if (choices !== undefined) {
    return html`${largeInputPart(record)}${inputView(record.toolName, input)}
${agentWords(request?.description)}
<div class="link-answers">${choicesPart(view, choices, seenPart(view, 'decide'))}
${answers.includes('deny') && !choices.some(deniesCall) && denial(view)}</div>`;
  }
  return html`${largeInputPart(record)}${inputView(record.toolName, input)}
${agentWords(request?.description)}
<div class="link-answers">
${
  answers.includes('approve') &&
  offers.includes('once') &&
  form.actForm(view, 'approve', html`${seenPart(view, 'approve')}${form.submitButton('Approve')}`)
}
${answers.includes('deny') && denial(view)}
${answers.includes('allow_for_session') && offers.includes('session') && sessionChoice(view)}
</div>`;
}

function denial(view: form.OpenView): Html {
  const isKept = form.sentAct(view.sent) === 'deny';
  return form.refusalChoice(
    view,
    'deny',
    'Deny',
    stopBox(view, isKept, 'Also stop the agent’s turn'),
  );
}

function seenPart(view: form.OpenView, act: string): Html | false {
  const error = form.sentAct(view.sent) === act ? view.errors[SEEN_FIELD] : undefined;
  if (hidesInput(view.record)) return readingPart(error);
  return mustConfirm(view) && seenBox('input', error);
}

/** Part of the input is folded. */
function mustConfirm({ record }: Pick<form.OpenView, 'record'>): boolean {
  const input = readApproval(record.request)?.input ?? record.request;
  return hidesPart(input) || foldsInput(record.toolName, input);
}

/** Whether this answer lets the agent run an input of which the page folds a part. */
export function approvesFolded(record: Interaction, { decision, choice }: JsonObject): boolean {
  const chosen = readChoices(record.request)?.find(({ id }) => id === choice);
  const approves = (chosen?.decision ?? decision) === 'approve';
  return approves && !hidesInput(record) && mustConfirm({ record });
}

function sessionChoice(view: form.OpenView): Html {
  const { record, sent } = view;
  const isThis = form.sentAct(sent) === 'allow_for_session';
  const isEvery = isThis && form.sentText(sent, 'rule') === 'every';
  const isWide = isShell(record.toolName);
  const tool = html`<bdi>${literal(record.toolName)}</bdi>`;
  const every = isWide ? ANY_COMMAND : 'You are not asked about this tool again in this session.';
  return form.moreChoice(
    'Allow for session…',
    isThis,
    form.actForm(
      view,
      'allow_for_session',
      html`<fieldset class="session-offer"><legend>Allow without asking, for the rest of this session:</legend>
<label class="choice"><input type="radio" name="rule" value="exact"${!isEvery && html` checked`}>
<span><strong>Only this exact ${tool} call</strong><span class="choice-more">You are asked about any other input.</span></span></label>
<label class="choice"><input type="radio" name="rule" value="every"${isEvery && html` checked`}>
<span><strong>Every ${tool} call</strong><span class="choice-more">${every}</span></span></label>
${isWide && everyCommandBox(view, isThis)}</fieldset>
${seenPart(view, 'allow_for_session')}${form.submitButton('Approve for the session')}`,
    ),
  );
}

export function readApprovalAnswer(
  { record }: Pick<form.OpenView, 'record'>,
  sent: form.SentForm,
): form.ReadAnswer {
  const act = form.sentAct(sent);
  if (act === 'deny') {
    return { ok: true, answer: { decision: 'deny', ...form.readReason(sent), ...readStop(sent) } };
  }
  const chosen = act === 'decide' ? readSentChoice(record.request, sent) : undefined;
  if (act === 'decide' && chosen === undefined) {
    return { ok: false, errors: { [CHOICE_FIELD]: 'Choose an answer.' } };
  }
  if (chosen?.decision === 'deny') {
    return { ok: true, answer: { choice: chosen.id, ...form.readReason(sent), ...readStop(sent) } };
  }
  const reading = hidesInput(record) ? readReading(sent) : {};
  if (reading === undefined) {
    return { ok: false, errors: { [SEEN_FIELD]: 'Say what you have read of the input.' } };
  }
  if (!hidesInput(record) && mustConfirm({ record }) && form.sentText(sent, SEEN_FIELD) !== 'yes') {
    return {
      ok: false,
      errors: { [SEEN_FIELD]: 'Open all of the input, read it, and say so here.' },
    };
  }
  const isWide = isShell(record.toolName);
  const confirmed = isWide && form.sentText(sent, EVERY_COMMAND_FIELD) === 'yes';
  if (chosen !== undefined) {
    const keepsAll = isWide && chosen.remember === 'tool';
    if (keepsAll && !confirmed) return NOT_CONFIRMED;
    const every = keepsAll && { everyCommand: true };
    return {
      ok: true,
      answer: { choice: chosen.id, ...every, ...reading, ...form.readReason(sent) },
    };
  }
  if (act === 'approve') return { ok: true, answer: { decision: 'approve', ...reading } };
  if (act !== 'allow_for_session') return { ok: false, errors: { '': 'Choose an answer.' } };
  const exact = form.sentText(sent, 'rule') !== 'every';
  if (!exact && isWide && !confirmed) return NOT_CONFIRMED;
  const rule = exact ? { exact } : isWide && { everyCommand: true };
  return { ok: true, answer: { decision: 'approve', offer: 'session', ...rule, ...reading } };
}

const EVERY_COMMAND_FIELD = 'every-command';
const NOT_CONFIRMED: form.ReadAnswer = {
  ok: false,
  errors: {
    [EVERY_COMMAND_FIELD]: 'Confirm that every command may run, or choose another answer.',
  },
};

/** Beside a rule for any input of a shell: the second step. */
function everyCommandBox({ sent, errors }: form.OpenView, isKept: boolean): Html {
  const isChecked = isKept && form.sentText(sent, EVERY_COMMAND_FIELD) === 'yes';
  const mistake = isKept ? errors[EVERY_COMMAND_FIELD] : undefined;
  return html`<label class="choice"><input type="checkbox" name="${EVERY_COMMAND_FIELD}" value="yes"${isChecked && html` checked`}${
    mistake !== undefined && html` aria-describedby="every-command-error"`
  }>
<span>For “every call”: yes, every command may run without asking</span></label>${errorText(mistake, 'every-command-error')}`;
}

const CHOICE_FIELD = 'choice';

/** Of a rule for every call of a shell. */
const ANY_COMMAND =
  'It runs any command it is given. For the rest of this session it would run every command at once, including one that deletes or uploads files, without asking anyone.';

/**
 * The choices of the agent: one form, in which each choice says in words of this service what it does, beside the label of
 * the agent. `seen` is the confirmation that folded input was read; left out where nothing is folded.
 */
function choicesPart(
  view: form.OpenView,
  choices: readonly ApprovalChoice[],
  seen: Html | false,
): Html | false {
  const { answers, errors, sent } = view;
  const offered = [...choices.entries()].filter(([, choice]) =>
    answers.includes(linkAnswerOfChoice(choice)),
  );
  if (offered.length === 0) return false;
  const chosen = form.sentAct(sent) === 'decide' ? form.sentText(sent, CHOICE_FIELD) : undefined;
  const mistake = errors[CHOICE_FIELD];
  const mayAllowAll =
    isShell(view.record.toolName) && offered.some(([, { remember }]) => remember === 'tool');
  const approves = offered.some(([, choice]) => !deniesCall(choice));
  const mayStop = offered.some(([, choice]) => deniesCall(choice) && choice.stop !== true);
  const stop =
    mayStop && stopBox(view, chosen !== undefined, 'With a denial: also stop the agent’s turn');
  return form.actForm(
    view,
    'decide',
    html`<fieldset class="question"${mistake !== undefined && html` aria-describedby="choice-error"`}>
<legend>What should happen?</legend>
${offered.map(([index, choice]) => choiceRow(view, choice, index, String(index) === chosen))}
${errorText(mistake, 'choice-error')}</fieldset>
<div class="reason"><label><span>Reason (optional, shown to the agent)</span>
<textarea name="reason" rows="2" maxlength="${REASON_CHARS}" dir="auto">
${chosen !== undefined && form.sentText(sent, 'reason')}</textarea></label></div>
${mayAllowAll && everyCommandBox(view, chosen !== undefined)}${stop}${approves && seen}${form.submitButton('Send the answer')}`,
  );
}

/** By its place: a browser would change line breaks in an id. */
function choiceRow(
  { record }: form.OpenView,
  choice: ApprovalChoice,
  index: number,
  isChosen: boolean,
): Html {
  const { label, decision, remember } = choice;
  const toolName = visibleText(record.toolName);
  const isWide = remember === 'tool' && isShell(record.toolName);
  return html`<div class="option"><label class="choice"><input type="radio" name="${CHOICE_FIELD}" value="${index}" required${
    isChosen && html` checked`
  }><span><strong class="${decision}"><bdi>${literal(label)}</bdi></strong>
<span class="choice-more">${effectOfChoice(choice, toolName)}${isWide && ` ${ANY_COMMAND}`}</span></span></label></div>`;
}

function deniesCall({ decision }: ApprovalChoice): boolean {
  return decision === 'deny';
}

const STOP_FIELD = 'stop';

/** Where a denial is possible: the turn ends as well. `isKept`: the form was sent before, and shows what was typed. */
function stopBox({ sent }: form.OpenView, isKept: boolean, label: string): Html {
  const isChecked = isKept && form.sentText(sent, STOP_FIELD) === 'yes';
  return html`<label class="choice"><input type="checkbox" name="${STOP_FIELD}" value="yes"${isChecked && html` checked`}>
<span>${label}</span></label>`;
}

function readStop(sent: form.SentForm): { readonly stop?: true } {
  return form.sentText(sent, STOP_FIELD) === 'yes' ? { stop: true } : {};
}

function readSentChoice(request: JsonObject, sent: form.SentForm): ApprovalChoice | undefined {
  const index = form.sentText(sent, CHOICE_FIELD);
  return readChoices(request)?.find((_, at) => String(at) === index);
}

/**
 * An input that is too large for its record, on the page of an answer link: how much the page leaves out, the whole as
 * a file, and what the person says to have read of it.
 */
function largeInputPart(record: Pick<Interaction, 'wholeInput'>): Html {
  if (record.wholeInput === undefined) return NOTHING;
  const { bytes } = record.wholeInput;
  return html`<p class="card-note">${hiddenPartNotice(record)}${textViewNotice(record)}</p>
<p class="card-actions"><a class="button plain" href="?download=${DOWNLOAD}" download>Download all of it (${byteCount(bytes)})</a></p>`;
}

function readingPart(error: string | undefined): Html {
  return html`<fieldset class="session-offer"${error !== undefined && html` aria-describedby="seen-error"`}><legend>Before you approve:</legend>
${READINGS.map(
  (reading) =>
    html`<label class="choice"><input type="radio" name="${SEEN_FIELD}" value="${reading}" required><span>${readingWords(reading)}</span></label>`,
)}
${errorText(error, 'seen-error')}</fieldset>`;
}

/** Undefined where nothing was said. */
function readReading(sent: SentForm): { readonly read: Reading } | undefined {
  const read = sentText(sent, SEEN_FIELD);
  const said = READINGS.find((reading) => reading === read);
  return said && { read: said };
}
