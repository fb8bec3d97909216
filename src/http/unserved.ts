/** What no route serves: a preflight, a question for the methods of a path, a wrong method, a wrong path. */
import { reject } from '../protocol/errors.ts';
import { wantsPage } from './accept.ts';
import { framingProblem } from './body.ts';
import { preflight } from './cors.ts';
import { refuse } from './errors.ts';
import { notFoundPage } from './not-found-page.ts';
import type { HttpPorts } from './ports.ts';
import { addHeaders, commonHeaders } from './response-headers.ts';
import type { Route } from './route.ts';

type Answering = (request: Request, ports: HttpPorts) => Response;

export function createFallback(routes: readonly Route[]): Answering {
  const served = routes.map(({ method, path }) => ({ method, matcher: pathMatcher(path) }));
  return (request, ports) => {
    const requestId = ports.freshId();
    const path = new URL(request.url).pathname;
    const methods = served.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method);
    const response = answerTo(request, ports, methods, requestId);
    return addHeaders(response, commonHeaders(request, ports.config, requestId));
  };
}

function answerTo(
  request: Request,
  { config }: HttpPorts,
  methods: readonly string[],
  requestId: string,
): Response {
  const unclear = framingProblem(request);
  if (unclear !== undefined) return refuse(unclear, requestId);
  if (request.method === 'OPTIONS') {
    return preflight(request, config) ?? optionsOf(methods, requestId);
  }
  return methods.length > 0
    ? wrongMethod(request, methods, requestId)
    : nothingThere(request, requestId);
}

function optionsOf(methods: readonly string[], requestId: string): Response {
  if (methods.length === 0) return refuse(NOTHING_THERE, requestId);
  const heads = methods.includes('GET') ? ['HEAD'] : [];
  const allowed = [...methods, ...heads, 'OPTIONS'].join(', ');
  return new Response(null, { status: 204, headers: { Allow: allowed } });
}

function wrongMethod({ method }: Request, methods: readonly string[], requestId: string): Response {
  const rejection = reject('method_not_allowed', `${method} is not for this path`);
  const response = refuse(rejection, requestId);
  response.headers.set('Allow', methods.join(', '));
  return response;
}

function nothingThere(request: Request, requestId: string): Response {
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  return isLook && wantsPage(request) ? notFoundPage() : refuse(NOTHING_THERE, requestId);
}

const NOTHING_THERE = reject('not_found', 'There is nothing at this path; see /docs');

function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[a-zA-Z]+/g, '[^/]+')}$`);
}
