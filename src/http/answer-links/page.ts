/**
 * The frame of every page of an answer link, of a refused login and of an unknown path, and its headers: no script
 * runs, nothing is loaded but the stylesheet, the address goes nowhere, and no cache or search engine keeps the page.
 */
import { ERRORS, type Rejection } from '../../protocol/errors.ts';
import { PAGE_HEADERS } from '../response-headers.ts';
import { html, type HtmlValue, NOTHING } from '../../core/html.ts';

const LINK_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const LINK_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': LINK_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** The whole input, as a file, has the address of its page with this query. */
export const DOWNLOAD = 'input';

export interface Page {
  readonly title: string;
  readonly status: number;
  readonly body: HtmlValue;
}

/** `style` is the address of the stylesheet. */
export function pageResponse({ title, status, body }: Page, style: string): Response {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Holdpoint</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main class="link-page">
<p class="link-brand">Holdpoint</p>
${body}
</main>
</body>
</html>
`;
  return new Response(text, { status, headers: LINK_PAGE_HEADERS });
}

/** A refusal in words, for a person who followed a link. */
export function refusalPage(rejection: Rejection): Page {
  const { status } = ERRORS[rejection.code];
  const { title, words } = refusalWords(rejection);
  return {
    title,
    status,
    body: html`<article class="card grey link-end">
<header class="card-head"><h1>${title}</h1></header>
<div class="card-body"><p>${words}</p>
${status >= 500 ? html`<p>Nothing was recorded. Go back, and send it again.</p>` : NOTHING}</div>
</article>`,
  };
}

function refusalWords({ code, message }: Rejection): { title: string; words: string } {
  switch (code) {
    case 'not_found':
    case 'session_deleted':
      return {
        title: 'This link does not work',
        words:
          'It is incomplete or altered, or the session of the request was deleted. Ask for another link.',
      };
    case 'link_expired':
      return { title: 'This link has expired', words: message };
    default:
      return { title: 'This did not work', words: message };
  }
}
