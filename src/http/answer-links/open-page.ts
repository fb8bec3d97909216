/** The page of an open request: what is asked, who asks, until when, and the forms that answer it. */
import type { AnswerLink } from '../../core/answer-links/answer-link.ts';
import type { Interaction } from '../../protocol/types.ts';
import { describeVotes } from '../../protocol/describe-votes.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { addressOf } from '../../web/model/location.ts';
import { approvalPage, readApprovalAnswer } from './approval-page.ts';
import { formPage, readSentFields } from './form-page.ts';
import { type Html, html, literal, NOTHING } from '../../core/html.ts';
import { linkPage, readLinkAnswer } from './link-page.ts';
import type { Page } from './page.ts';
import { planPage, readPlanAnswer } from './plan-page.ts';
import { questionPage, readQuestionAnswer } from './question-page.ts';
import { nameKind, requestTitle, titleText, valueView } from './request-parts.ts';
import type { FormErrors, OpenView, ReadAnswer, SentForm } from './sent-form.ts';
import { shownTime } from './utc-time.ts';

interface KindPage {
  readonly show: (view: OpenView) => Html;
  readonly read: (view: Pick<OpenView, 'record'>, sent: SentForm) => ReadAnswer;
}

const KIND_PAGES: Readonly<Record<string, KindPage>> = {
  approval: { show: approvalPage, read: readApprovalAnswer },
  question: { show: questionPage, read: readQuestionAnswer },
  plan_review: { show: planPage, read: readPlanAnswer },
  form: { show: formPage, read: readSentFields },
  link: { show: linkPage, read: readLinkAnswer },
};

/** The answer that a sent page stands for, or what is wrong with it. */
export function readSentAnswer(record: Interaction, sent: SentForm): ReadAnswer {
  const page = KIND_PAGES[record.kind];
  return page === undefined
    ? { ok: false, errors: { '': 'A request of this kind cannot be answered here.' } }
    : page.read({ record }, sent);
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
export function aboutRequest(link: AnswerLink, record: Interaction): Html {
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
