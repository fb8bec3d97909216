/**
 * The page of a link. An open request: what is asked, who asks, until when, and the forms that answer it. A settled one: by
 * whom, how and when; after a reprompt, what changed between the request of the link and the present one. A request that
 * another person handed over: that this person is no longer asked.
 */
import { type AnswerLink, callerOfLink } from '../../core/answer-links/answer-link.ts';
import { readChoices } from '../../protocol/approval-choices.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { readApproval } from '../../web/model/cards/approval-input.ts';
import { type Field, fieldsOf } from '../../web/model/cards/form-fields.ts';
import { readForm } from '../../web/model/cards/form-request.ts';
import {
  asksForChanges,
  deciderWords,
  outcomeWords,
  type Tone,
} from '../../web/model/cards/outcome-words.ts';
import { chosenPlanDecision } from '../../web/model/cards/plan-choices.ts';
import { readLink } from '../../web/model/cards/link-request.ts';
import { readQuestions } from '../../web/model/cards/question-request.ts';
import { differencesBetween } from '../../display/request-differences.ts';
import { type Html, html, literal, NOTHING } from '../../core/html.ts';
import { describeVotes } from '../../protocol/deciding.ts';
import { addressOf } from '../../web/model/location.ts';
import { isAsked, membershipOf } from '../../core/audience.ts';
import type { HttpPorts } from '../ports.ts';
import * as parts from './request-parts.ts';
import {
  diffLine,
  nameKind,
  requestTitle,
  titleText,
  valueView,
  shownTime,
} from './request-parts.ts';
import { addressView, linkPage, readLinkAnswer } from './link-page.ts';
import type { Page } from './page.ts';
import { approvalPage, approvesFolded, readApprovalAnswer } from './approval-page.ts';
import { acceptsFolded, formPage, readSentFields } from './form-page.ts';
import { approvesFoldedPlan, planPage, readPlanAnswer } from './plan-page.ts';
import { questionPage, readQuestionAnswer } from './question-page.ts';
import type { FormErrors, OpenView, ReadAnswer, SentForm } from './sent-form.ts';
import type { Linked } from './find-linked.ts';

interface KindPage {
  readonly show: (view: OpenView) => Html;
  readonly read: (view: Pick<OpenView, 'record'>, sent: SentForm) => ReadAnswer;
  /** Whether this answer lets the agent go on with a text that the page folds. */
  readonly passesFolded?: (record: Interaction, answer: JsonObject) => boolean;
}

const KIND_PAGES: Readonly<Record<string, KindPage>> = {
  approval: { show: approvalPage, read: readApprovalAnswer, passesFolded: approvesFolded },
  question: { show: questionPage, read: readQuestionAnswer },
  plan_review: { show: planPage, read: readPlanAnswer, passesFolded: approvesFoldedPlan },
  form: { show: formPage, read: readSentFields, passesFolded: acceptsFolded },
  link: { show: linkPage, read: readLinkAnswer },
};

/** The answer that a sent page stands for, or what is wrong with it. */
export function readSentAnswer(record: Interaction, sent: SentForm): ReadAnswer {
  const page = KIND_PAGES[record.kind];
  return page === undefined
    ? { ok: false, errors: { '': 'A request of this kind cannot be answered here.' } }
    : page.read({ record }, sent);
}

/** As the form is refused without its tick. */
export function rejectUnread(record: Interaction, answer: JsonObject): Rejection | undefined {
  const isFolded = KIND_PAGES[record.kind]?.passesFolded?.(record, answer) === true;
  if (record.status !== 'open' || !isFolded) return undefined;
  const message =
    'The page of this link folds a part of the request. Read all of it, and send "read": true beside the answer';
  return reject('invalid_values', message, { fieldErrors: { read: message } });
}

export interface SentPage {
  readonly sent: SentForm | undefined;
  readonly errors: FormErrors;
  readonly status: number;
}

const FRESH: SentPage = { sent: undefined, errors: {}, status: 200 };

export function openPage(link: AnswerLink, record: Interaction, page: SentPage = FRESH): Page {
  const { sent, errors, status } = page;
  const { answers, inputDigest } = link;
  const show = KIND_PAGES[record.kind]?.show ?? showUnknown;
  const hasErrors = Object.keys(errors).length > 0;
  return {
    title: `${hasErrors ? 'Not sent: ' : ''}${nameKind(record)}: ${titleText(record)}`,
    status,
    body: html`<article class="card amber open" aria-labelledby="title">
<header class="card-head"><p class="card-kind">${nameKind(record)}<span class="card-waits">Waiting for you</span></p>
<h1 id="title">${requestTitle(record)}</h1></header>
${hasErrors && errorNote(errors)}
${record.errorSummary !== undefined && html`<p class="card-note" dir="auto">${escapeInvisible(record.errorSummary)}</p>`}
${votesNote(record, link.subject)}
<div class="card-body">${show({ record, answers, inputDigest, sent, errors })}</div>
${aboutRequest(link, record)}
</article>`,
  };
}

/** Where several people must approve: how far that is, and whether the approval of this person is among them. */
function votesNote({ quorum, votes = [] }: Interaction, subject: string): Html {
  if (quorum === undefined) return NOTHING;
  const isAmong = votes.some(({ by }) => by.subject === subject);
  const own = isAmong
    ? '. Your approval counts; others are still missing.'
    : '. One denial ends it.';
  return html`<p class="card-note" role="status" dir="auto">${escapeInvisible(describeVotes(quorum, votes) + own)}</p>`;
}

function errorNote(errors: FormErrors): Html {
  const whole = errors[''];
  const words =
    whole === undefined ? 'Nothing was sent yet. Please look at what is marked below.' : whole;
  return html`<p class="card-failure" role="alert" tabindex="-1" autofocus>${escapeInvisible(words)}</p>`;
}

function showUnknown({ record }: OpenView): Html {
  return html`${valueView(record.request, `Request of ${record.toolName}`)}
<p class="card-note">This page can’t answer a “${record.kind}”. Another one may.</p>`;
}

/** By whom, until when and in whose name; and the digest, by which two people can compare what they see. */
function aboutRequest(link: AnswerLink, record: Interaction): Html {
  const { sessionId, interactionId, subject, expiresAt } = link;
  return html`<footer class="link-about"><h2>About this request</h2><dl>
<div><dt>Asked by</dt><dd><bdi>${literal(record.openedBy.subject)}</bdi>, ${shownTime(record.openedAt)}</dd></div>
${deadlineRow(record)}
${
  record.status === 'open' &&
  html`<div><dt>You answer as</dt><dd><bdi>${literal(subject)}</bdi></dd></div>
<div><dt>This link works until</dt><dd>${shownTime(expiresAt)}</dd></div>`
}
<div><dt>Session</dt><dd><a href="${addressOf({ session: sessionId, interaction: interactionId })}">${literal(sessionId)}</a></dd></div>
<div><dt>Digest of the input</dt><dd><code class="digest">${record.inputDigest}</code></dd></div>
</dl></footer>`;
}

function deadlineRow({ status, expiresAt, overdue }: Interaction): Html {
  if (status !== 'open') return NOTHING;
  const until =
    expiresAt === null
      ? 'No deadline'
      : overdue === true
        ? `${shownTime(expiresAt)}: overdue, still open`
        : shownTime(expiresAt);
  return html`<div><dt>Answer by</dt><dd>${until}</dd></div>`;
}

/** The page names everyone: the holder of the link may not be the person who decided. */
const STRANGER = { subject: '', credential: '', key: '', via: 'web' } as const;

interface SettledOptions {
  readonly status: number;
  /** The answer of this very request settled it. */
  readonly isOwn?: boolean;
  /** The request that replaced it, and what became of that. */
  readonly newest?: Interaction | undefined;
}

export function settledPage(
  link: AnswerLink,
  record: Interaction,
  { status, isOwn = false, newest }: SettledOptions,
): Page {
  const who = deciderWords(record, STRANGER);
  const words = outcomeWords(record);
  return {
    title: `${words}: ${parts.titleText(record)}`,
    status,
    body: html`<article class="card settled ${cardTone(record)}" aria-labelledby="title">
<header class="card-head"><h1 id="title"><span class="unseen">${parts.nameKind(record)}: </span>${parts.requestTitle(record)}</h1>
<p class="settled-line"><strong>${words}</strong> ${who !== '' && html`<span>${escapeInvisible(who)}</span>`}
${record.settledAt !== null && html`<span class="when">${shownTime(record.settledAt)}</span>`}</p></header>
<div class="card-body">
<p class="link-note" role="${isOwn ? 'status' : 'note'}">${settledNote(record, isOwn, newest)}</p>
${newest !== undefined && changedPart(record, newest)}
${record.outcome !== 'superseded' && settledContent(record)}
</div>
${aboutRequest(link, record)}
</article>`,
  };
}

function cardTone(record: Interaction): Tone {
  if (asksForChanges(record)) return 'grey';
  if (record.outcome === 'approved' || record.outcome === 'answered') return 'emerald';
  return record.outcome === 'denied' ? 'red' : 'grey';
}

function settledNote(
  { outcome }: Interaction,
  isOwn: boolean,
  newest: Interaction | undefined,
): string {
  if (isOwn) return 'Your answer is recorded. You can close this page.';
  if (newest !== undefined) {
    return 'The agent changed its request after this link was made. The link cannot answer the changed one: open it in the chat, or ask for another link.';
  }
  return outcome === 'expired' || outcome === 'cancelled'
    ? 'This request is no longer open. Nothing can be answered here.'
    : 'This request was answered before. Nothing more can be answered here.';
}

function changedPart(record: Interaction, newest: Interaction): Html {
  const differences = differencesBetween(record, newest);
  const now =
    newest.status === 'open'
      ? 'The changed request is waiting for an answer.'
      : `The changed request: ${outcomeWords(newest)} ${deciderWords(newest, STRANGER)}`.trim();
  return html`<section class="changed"><h2>What the agent changed</h2>
${
  differences.length === 0
    ? html`<p>It is what was asked at first.</p>`
    : html`<dl>${differences.map(
        ({ name, lines, more }) =>
          html`<div><dt>${literal(name)}</dt><dd>${lines.map(diffLine)}${
            more > 0 && html`<p class="card-hint">… and ${more} more lines</p>`
          }</dd></div>`,
      )}</dl>`
}
<p>${escapeInvisible(now)}</p></section>`;
}

function settledContent(record: Interaction): Html {
  const { kind, reason, outcome } = record;
  const given =
    reason !== undefined && (outcome === 'denied' || outcome === 'approved')
      ? html`<p class="given-reason" dir="auto">${escapeInvisible(reason)}</p>`
      : NOTHING;
  switch (kind) {
    case 'approval':
      return html`${chosenLabel(record)}${given}${settledApproval(record)}`;
    case 'question':
      return html`${given}${settledAnswers(record)}`;
    case 'plan_review': {
      const chosen = chosenPlanDecision(record);
      return html`${chosen !== undefined && html`<p class="card-hint">${chosen.name}</p>`}${given}
<details class="card-more"><summary>Show the plan</summary>${parts.planView(record.request)}</details>`;
    }
    case 'form':
      return html`${given}${settledValues(record)}`;
    case 'link': {
      const shown = readLink(record.request);
      return html`${given}${shown !== undefined && addressView(shown)}`;
    }
    default:
      return html`${given}${parts.valueView(record.request, `Request of ${record.toolName}`)}`;
  }
}

function chosenLabel({ request, decision }: Interaction): Html | false {
  const chosen = readChoices(request)?.find(({ id }) => id === decision?.choice);
  return chosen !== undefined && html`<p class="card-hint"><bdi>${literal(chosen.label)}</bdi></p>`;
}

function settledApproval({ request, toolName, outcome, updatedInput }: Interaction): Html {
  const approval = readApproval(request);
  const input = approval?.input ?? request;
  const isEdited =
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input);
  return html`<details class="card-more"><summary>${isEdited ? 'Approved with edits' : 'Show the input'}</summary>
${isEdited && html`${parts.valueView(updatedInput, `Input of ${toolName}, as approved`)}<p class="card-hint">Asked for</p>`}
${parts.valueView(input, `Input of ${toolName}`)}${parts.agentWords(approval?.description)}</details>`;
}

function settledAnswers({ request, answers, partialAnswers }: Interaction): Html {
  const shown = answers ?? partialAnswers ?? {};
  return html`<ul class="answers">${(readQuestions(request) ?? []).map((asked, index) => {
    const value = shown[index];
    const words = value === undefined ? 'No answer' : `Selected: ${[value].flat().join(', ')}`;
    return html`<li>${asked.header !== undefined && html`<span class="chip">${escapeInvisible(asked.header)}</span>`}<span><span class="question-text" dir="auto">${escapeInvisible(asked.question)}</span>
<span class="choice-more" dir="auto">${escapeInvisible(words)}</span></span></li>`;
  })}</ul>`;
}

function settledValues({ request, values }: Interaction): Html {
  const form = readForm(request);
  const fields = form === undefined ? [] : fieldsOf(form.schema);
  const filled = fields.filter(({ name }) => (values?.[name] ?? null) !== null);
  if (filled.length === 0) return NOTHING;
  return html`<dl class="filled">${filled.map(
    (field) =>
      html`<div><dt dir="auto">${escapeInvisible(field.title)}</dt><dd dir="auto">${escapeInvisible(valueWords(field, values?.[field.name]))}</dd></div>`,
  )}</dl>`;
}

function valueWords({ input }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const choices = 'choices' in input ? input.choices : [];
  const titleOf = (one: unknown) =>
    choices.find((choice) => choice.value === one)?.title ?? String(one);
  return Array.isArray(value) ? value.map(titleOf).join(', ') : titleOf(value);
}

/** As the session decides it, from the same copy of the workspace. */
export async function isHandedOver(
  { link, record }: Linked,
  { audiences }: Pick<HttpPorts, 'audiences'>,
): Promise<boolean> {
  if (record.handover === undefined) return false;
  const caller = callerOfLink(link);
  const membership = membershipOf(await audiences.get(link.workspace), caller);
  return !isAsked({ caller, membership }, record);
}

export function handedOverPage(link: AnswerLink, record: Interaction, status = 200): Page {
  const by = record.handover?.by.subject ?? '';
  return {
    title: `Handed over: ${titleText(record)}`,
    status,
    body: html`<article class="card settled grey" aria-labelledby="title">
<header class="card-head"><h1 id="title"><span class="unseen">${nameKind(record)}: </span>${requestTitle(record)}</h1>
<p class="settled-line"><strong>Handed over</strong> <span>by <bdi>${literal(by)}</bdi></span></p></header>
<div class="card-body">
<p class="link-note" role="note">Others are asked now. There is nothing left for you to do here.</p>
</div>
${aboutRequest(link, record)}
</article>`,
  };
}
