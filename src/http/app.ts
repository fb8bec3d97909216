/**
 * The HTTP application, made from the table of routes. `readCall` checks a request; the handler of its
 * route runs only when every check has passed. This file turns the result into a response, whose
 * headers are the same for every route.
 */
import type { Context as HonoContext } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { html } from '../core/html.ts';
import { type Rejection, ERRORS, reject } from '../protocol/errors.ts';
import { wantsPage } from './accept.ts';
import { framingRejection } from './body.ts';
import { type Page, pageResponse } from './answer-links/page.ts';
import type { HttpPorts } from './ports.ts';
import { type AskedRequest, type MatchedRoute, readCall } from './read-call.ts';
import { failureRejection, rejectionResponse } from './rejection-response.ts';
import { preflightResponse, ResponseHeaders } from './response-headers.ts';
import type { HttpRoute, RouteResult } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { rejectedUpgradeResponse, wantsSocket } from './upgrade.ts';

export interface HttpApp {
  /** `keepRunning`: of a platform that stops the work of a request when its client goes away. */
  fetch(request: Request, keepRunning?: AskedRequest['keepRunning']): Promise<Response>;
}

type Http = HonoContext<{ Bindings: Pick<AskedRequest, 'keepRunning'> }>;

export function createApp(ports: HttpPorts, routes: readonly HttpRoute[] = ROUTES): HttpApp {
  // The other routers of Hono, which refuse some of these paths, would be read at each start.
  const app = new HonoBase<{ Bindings: Http['env'] }>({ router: new TrieRouter() });
  const served = { ports, headers: new ResponseHeaders(ports.config) };
  for (const route of routes) {
    app.on(route.method, route.path, (http) => {
      return respond(readAsked(http, ports), { route, params: http.req.param() }, served);
    });
  }
  const methodsOf = methodFinder(routes);
  app.notFound(async (http) => {
    const asked = readAsked(http, ports);
    const methods = methodsOf(new URL(asked.url).pathname);
    return served.headers.addTo(await respondUnserved(asked, methods, ports), asked);
  });
  app.onError((cause, http) => {
    const asked = readAsked(http, ports);
    const rejection = logFailure(cause, asked, ports);
    return served.headers.addTo(rejectionResponse(rejection, asked.requestId), asked);
  });
  return {
    fetch: async (request, keepRunning = NOTHING_STOPS) => app.fetch(request, { keepRunning }),
  };
}

const NOTHING_STOPS = (): void => undefined;

interface Served {
  readonly ports: HttpPorts;
  readonly headers: ResponseHeaders;
}

function readAsked({ req: { raw }, env: { keepRunning } }: Http, ports: HttpPorts): AskedRequest {
  return { request: raw, url: raw.url, requestId: ports.freshId(), keepRunning };
}

async function respond(
  asked: AskedRequest,
  matched: MatchedRoute,
  { ports, headers }: Served,
): Promise<Response> {
  const result = await runRoute(asked, matched, ports);
  if ('status' in result && !(result instanceof Response)) {
    const text = 'text' in result ? result.text : JSON.stringify(result.json);
    return headers.jsonResponse(text, result, asked);
  }
  const response =
    result instanceof Response
      ? result
      : await respondToRejection(result, matched.route, asked, ports);
  return response.status === 101 ? response : headers.addTo(response, asked);
}

async function runRoute(
  asked: AskedRequest,
  matched: MatchedRoute,
  ports: HttpPorts,
): Promise<RouteResult> {
  try {
    const read = await readCall(asked, matched, ports);
    return read.ok ? await matched.route.handle(read.call) : read;
  } catch (cause) {
    return logFailure(cause, asked, ports);
  }
}

function logFailure(cause: unknown, { requestId }: AskedRequest, ports: HttpPorts): Rejection {
  ports.warn(`Request ${requestId} failed`, cause);
  return failureRejection(cause);
}

async function respondToRejection(
  rejection: Rejection,
  { rejectionPage }: HttpRoute,
  { request, requestId }: AskedRequest,
  ports: HttpPorts,
): Promise<Response> {
  if (rejectionPage !== undefined && wantsPage(request)) return rejectionPage(rejection, ports);
  return wantsSocket(request)
    ? rejectedUpgradeResponse(rejection, request, ports)
    : rejectionResponse(rejection, requestId);
}

/** Where no route does: to a preflight, OPTIONS, a wrong method and a wrong path. */
async function respondUnserved(
  { request, requestId }: AskedRequest,
  methods: readonly string[],
  { config, web }: HttpPorts,
): Promise<Response> {
  const unclear = framingRejection(request);
  if (unclear !== undefined) return rejectionResponse(unclear, requestId);
  if (request.method === 'OPTIONS') {
    return preflightResponse(request, config) ?? methodsResponse(methods, requestId);
  }
  if (methods.length > 0) return wrongMethodResponse(request, methods, requestId);
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  return isLook && wantsPage(request)
    ? pageResponse(NOT_FOUND_PAGE, `/assets/${await web.linkStyle()}`)
    : rejectionResponse(UNKNOWN_PATH, requestId);
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

const UNKNOWN_PATH = reject('not_found', 'There is nothing at this path; see /docs');

/** The methods of the routes of a path, for a request with another one. */
function methodFinder(routes: readonly HttpRoute[]): (path: string) => string[] {
  const served = routes.map(({ method, path }) => ({ method, matcher: pathMatcher(path) }));
  return (path) => served.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method);
}

function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[a-zA-Z]+/g, '[^/]+')}$`);
}

/** For a person who typed an address or followed an old link. */
const NOT_FOUND_PAGE: Page = {
  title: 'Page not found',
  status: ERRORS.not_found.status,
  body: html`<article class="card grey link-end">
<header class="card-head"><h1>Page not found</h1></header>
<div class="card-body"><p>There is nothing at this address. It may be mistyped, or the page has moved.</p>
<p><a href="/">Open the chat</a></p>
<p><a href="/inbox">Open the inbox</a></p>
<p><a href="/docs">Read the API reference</a></p></div>
</article>`,
};
