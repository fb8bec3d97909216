/**
 * The choices of an approval on the page of an answer link: one form, in which each choice says in words of this service
 * what it does, beside the label of the agent.
 */
import { linkAnswerOfChoice } from '../../core/answer-links/answer-link.ts';
import { type Html, html, literal } from '../../core/html.ts';
import {
  type ApprovalChoice,
  effectOfChoice,
  readChoices,
} from '../../protocol/approval-choices.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { REASON_CHARS } from '../../protocol/limits.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { isShell } from '../../web/model/shell-tools.ts';
import { errorText } from './request-parts.ts';
import {
  actForm,
  type OpenView,
  type SentForm,
  sentAct,
  sentText,
  submitButton,
} from './sent-form.ts';

export const CHOICE_FIELD = 'choice';

/** Of a rule for every call of a shell. */
export const ANY_COMMAND =
  'It runs any command it is given. For the rest of this session it would run every command at once, including one that deletes or uploads files, without asking anyone.';

/** `seen` is the confirmation that folded input was read; left out where nothing is folded. */
export function choicesPart(
  view: OpenView,
  choices: readonly ApprovalChoice[],
  seen: Html | false,
): Html | false {
  const { answers, errors, sent } = view;
  const offered = [...choices.entries()].filter(([, choice]) =>
    answers.includes(linkAnswerOfChoice(choice)),
  );
  if (offered.length === 0) return false;
  const chosen = sentAct(sent) === 'decide' ? sentText(sent, CHOICE_FIELD) : undefined;
  const mistake = errors[CHOICE_FIELD];
  const approves = offered.some(([, choice]) => !isDenial(choice));
  const mayStop = offered.some(([, choice]) => isDenial(choice) && choice.stop !== true);
  const stop =
    mayStop && stopBox(view, chosen !== undefined, 'With a denial: also stop the agent’s turn');
  return actForm(
    view,
    'decide',
    html`<fieldset class="question"${mistake !== undefined && html` aria-describedby="choice-error"`}>
<legend>What should happen?</legend>
${offered.map(([index, choice]) => choiceRow(view, choice, index, String(index) === chosen))}
${errorText(mistake, 'choice-error')}</fieldset>
<div class="reason"><label><span>Reason (optional, shown to the agent)</span>
<textarea name="reason" rows="2" maxlength="${REASON_CHARS}" dir="auto">
${chosen !== undefined && sentText(sent, 'reason')}</textarea></label></div>
${stop}${approves && seen}${submitButton('Send the answer')}`,
  );
}

/** By its place: a browser would change line breaks in an id. */
function choiceRow(
  { record }: OpenView,
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

export function isDenial({ decision }: ApprovalChoice): boolean {
  return decision === 'deny';
}

const STOP_FIELD = 'stop';

/** Where a denial is possible: the turn ends as well. `isKept`: the form was sent before, and shows what was typed. */
export function stopBox({ sent }: OpenView, isKept: boolean, label: string): Html {
  const isChecked = isKept && sentText(sent, STOP_FIELD) === 'yes';
  return html`<label class="choice"><input type="checkbox" name="${STOP_FIELD}" value="yes"${isChecked && html` checked`}>
<span>${label}</span></label>`;
}

export function readStop(sent: SentForm): { readonly stop?: true } {
  return sentText(sent, STOP_FIELD) === 'yes' ? { stop: true } : {};
}

export function readSentChoice(request: JsonObject, sent: SentForm): ApprovalChoice | undefined {
  const index = sentText(sent, CHOICE_FIELD);
  return readChoices(request)?.find((_, at) => String(at) === index);
}
