/**
 * The HTTP application, made from the table of routes. `readCall` checks a request; the handler of its
 * route runs only when every check has passed. This file turns the result into a response, whose
 * headers are the same for every route.
 */
import { type Context as HonoContext, Hono } from 'hono';
import type { Rejection } from '../protocol/errors.ts';
import { wantsPage } from './accept.ts';
import { createFallback } from './fallback.ts';
import type { HttpPorts } from './ports.ts';
import { readCall } from './read-call.ts';
import { failureRejection, rejectionResponse } from './rejection-response.ts';
import { addHeaders, commonHeaders, JSON_HEADERS } from './response-headers.ts';
import type { HttpRoute, RouteResult } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { rejectedUpgradeResponse, wantsSocket } from './upgrade.ts';

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
