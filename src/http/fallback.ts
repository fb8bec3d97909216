/** Responds where no route does: to a preflight, OPTIONS, a wrong method and a wrong path. */
import { ERRORS, reject } from '../protocol/errors.ts';
import { wantsPage } from './accept.ts';
import { framingRejection } from './body.ts';
import {
  preflightResponse,
  addHeaders,
  commonHeaders,
  PAGE_HEADERS,
  REFERENCE_POLICY,
} from './response-headers.ts';
import { rejectionResponse } from './rejection-response.ts';
import type { HttpPorts } from './ports.ts';
import type { HttpRoute } from './route.ts';

type Fallback = (request: Request, ports: HttpPorts) => Response;

export function createFallback(routes: readonly HttpRoute[]): Fallback {
  const served = routes.map(({ method, path }) => ({ method, matcher: pathMatcher(path) }));
  return (request, ports) => {
    const requestId = ports.freshId();
    const path = new URL(request.url).pathname;
    const methods = served.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method);
    const response = respondUnserved(request, ports, methods, requestId);
    return addHeaders(response, commonHeaders(request, ports.config, requestId));
  };
}

function respondUnserved(
  request: Request,
  { config }: HttpPorts,
  methods: readonly string[],
  requestId: string,
): Response {
  const unclear = framingRejection(request);
  if (unclear !== undefined) return rejectionResponse(unclear, requestId);
  if (request.method === 'OPTIONS') {
    return preflightResponse(request, config) ?? methodsResponse(methods, requestId);
  }
  return methods.length > 0
    ? wrongMethodResponse(request, methods, requestId)
    : notFoundResponse(request, requestId);
}

function methodsResponse(methods: readonly string[], requestId: string): Response {
  if (methods.length === 0) return rejectionResponse(UNKNOWN_PATH, requestId);
  const heads = methods.includes('GET') ? ['HEAD'] : [];
  const allowed = [...methods, ...heads, 'OPTIONS'].join(', ');
  return new Response(null, { status: 204, headers: { Allow: allowed } });
}

function wrongMethodResponse(
  { method }: Request,
  methods: readonly string[],
  requestId: string,
): Response {
  const rejection = reject('method_not_allowed', `${method} is not for this path`);
  const response = rejectionResponse(rejection, requestId);
  response.headers.set('Allow', methods.join(', '));
  return response;
}

function notFoundResponse(request: Request, requestId: string): Response {
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  return isLook && wantsPage(request) ? notFoundPage() : rejectionResponse(UNKNOWN_PATH, requestId);
}

const UNKNOWN_PATH = reject('not_found', 'There is nothing at this path; see /docs');

function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[a-zA-Z]+/g, '[^/]+')}$`);
}

/** For a person who typed an address or followed an old link. */
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

function notFoundPage(): Response {
  return new Response(NOT_FOUND_PAGE, {
    status: ERRORS.not_found.status,
    headers: {
      ...PAGE_HEADERS,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': REFERENCE_POLICY,
    },
  });
}
