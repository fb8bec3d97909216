/** A path that is not there, for a person who typed it or followed an old link. */
import { ERRORS } from '../protocol/errors.ts';
import { PAGE_HEADERS, REFERENCE_POLICY } from './response-headers.ts';

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · Holdpoint</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<h1>Page not found</h1>
<p>There is nothing at this address. It may be mistyped, or the page has moved.</p>
</header>
<main>
<section>
<ul>
<li><a href="/">Open the chat</a></li>
<li><a href="/inbox">Open the inbox</a></li>
<li><a href="/docs">Read the API reference</a></li>
</ul>
</section>
</main>
</body>
</html>
`;

export function notFoundPage(): Response {
  return new Response(NOT_FOUND_PAGE, {
    status: ERRORS.not_found.status,
    headers: {
      ...PAGE_HEADERS,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': REFERENCE_POLICY,
    },
  });
}
