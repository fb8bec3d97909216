/**
 * The HTTP application, made from the table of routes. `readCall` checks a request; the handler of its
 * route runs only when every check has passed. This file turns the result into a response, whose
 * headers are the same for every route.
 */
import { type Context as HonoContext, Hono } from 'hono';
import { type Rejection, ERRORS, reject } from '../protocol/errors.ts';
import { wantsPage } from './accept.ts';
import type { HttpPorts } from './ports.ts';
import { readCall } from './read-call.ts';
import { failureRejection, rejectionResponse } from './rejection-response.ts';
import {
  addHeaders,
  commonHeaders,
  JSON_HEADERS,
  preflightResponse,
  PAGE_HEADERS,
  REFERENCE_POLICY,
} from './response-headers.ts';
import type { HttpRoute, RouteResult } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { rejectedUpgradeResponse, wantsSocket } from './upgrade.ts';
import { framingRejection } from './body.ts';

export function createApp(ports: HttpPorts, routes: readonly HttpRoute[] = ROUTES): Hono {
  const app = new Hono();
  for (const route of routes) {
    app.on(route.method, route.path, (http) => serve(http, route, ports));
  }
  const respondUnserved = createFallback(routes);
  app.notFound((http) => respondUnserved(http.req.raw, ports));
  app.onError((cause, http) => {
    const requestId = ports.freshId();
    const response = rejectionResponse(logFailure(cause, requestId, ports), requestId);
    return addHeaders(response, commonHeaders(http.req.raw, ports.config, requestId));
  });
  return app;
}

async function serve(http: HonoContext, route: HttpRoute, ports: HttpPorts): Promise<Response> {
  const request = http.req.raw;
  const requestId = ports.freshId();
  const result = await runRoute(http, route, ports, requestId).catch((cause: unknown) =>
    logFailure(cause, requestId, ports),
  );
  const common = commonHeaders(request, ports.config, requestId);
  if ('status' in result && !(result instanceof Response)) {
    const { status, headers } = result;
    const text = 'text' in result ? result.text : JSON.stringify(result.json);
    // All at once: each header that is set later is one more call into the platform.
    return new Response(text, { status, headers: { ...JSON_HEADERS, ...headers, ...common } });
  }
  const response =
    result instanceof Response
      ? result
      : respondToRejection(result, route, request, ports, requestId);
  return response.status === 101 ? response : addHeaders(response, common);
}

async function runRoute(
  http: HonoContext,
  route: HttpRoute,
  ports: HttpPorts,
  requestId: string,
): Promise<RouteResult> {
  const read = await readCall(http, route, ports, requestId);
  return read.ok ? route.handle(read.call) : read;
}

function logFailure(cause: unknown, requestId: string, ports: HttpPorts): Rejection {
  ports.warn(`Request ${requestId} failed`, cause);
  return failureRejection(cause);
}

function respondToRejection(
  rejection: Rejection,
  { rejectionPage }: HttpRoute,
  request: Request,
  ports: HttpPorts,
  requestId: string,
): Response {
  if (rejectionPage !== undefined && wantsPage(request)) return rejectionPage(rejection, ports);
  return wantsSocket(request)
    ? rejectedUpgradeResponse(rejection, request, ports)
    : rejectionResponse(rejection, requestId);
}

type Fallback = (request: Request, ports: HttpPorts) => Response;

/** Responds where no route does: to a preflight, OPTIONS, a wrong method and a wrong path. */
function createFallback(routes: readonly HttpRoute[]): Fallback {
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
