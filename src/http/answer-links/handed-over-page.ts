/** The page of a link whose person is no longer asked: another person handed the request over. */
import { type AnswerLink, callerOfLink } from '../../core/answer-links/answer-link.ts';
import { isAsked, membershipOf } from '../../core/audience.ts';
import { html, literal } from '../../core/html.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { HttpPorts } from '../ports.ts';
import type { Linked } from './find-linked.ts';
import { aboutRequest } from './open-page.ts';
import type { Page } from './page.ts';
import { nameKind, requestTitle, titleText } from './request-parts.ts';

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
