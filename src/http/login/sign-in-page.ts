/** The page for a person whose login did not work: what happened, and what to do. */
import { ERRORS, type Rejection } from '../../protocol/errors.ts';
import { html, NOTHING } from '../../core/html.ts';
import { type Page, pageResponse } from '../answer-links/page.ts';
import type { HttpPorts } from '../ports.ts';

export function signInRefusal(rejection: Rejection, ports: Pick<HttpPorts, 'web'>): Response {
  return pageResponse(refusedPage(rejection), `/assets/${ports.web.linkStyle()}`);
}

/** Only the message of the rejection is shown: what the provider wrote about a fault is in the log. */
function refusedPage({ code, message }: Rejection): Page {
  const title = code === 'forbidden' ? 'No access yet' : 'The sign-in did not work';
  return {
    title,
    status: ERRORS[code].status,
    body: html`<article class="card grey link-end">
<header class="card-head"><h1>${title}</h1></header>
<div class="card-body"><p>${message}.</p>
${code === 'not_found' ? NOTHING : html`<p><a class="button" href="/auth/login">Try again</a></p>`}
<p><a href="/">Go to the start page</a></p></div>
</article>`,
  };
}
