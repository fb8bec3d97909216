/**
 * The HTTP application, made from the table of routes. A request passes, in this order: framing,
 * credential, rate limit, access, parameters, body, handler; whatever refuses first answers.
 */
import { Hono, type Context as HonoContext } from 'hono';
import * as z from 'zod';
import { rootOf } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { schemaRejection, unknownId } from '../protocol/schema/rejection.ts';
import { admit, authenticate } from './authenticate.ts';
import { framingProblem, readBody } from './body.ts';
import { failure, refuse } from './errors.ts';
import { readRequestContext } from './request-context.ts';
import type { HttpPorts, Identity } from './ports.ts';
import { findRepeatedParameter } from './query.ts';
import { addHeaders, commonHeaders, JSON_HEADERS } from './response-headers.ts';
import type { Answer, Call, Route } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { refuseUpgrade, wantsSocket } from './upgrade.ts';
import { createFallback } from './unserved.ts';

const NOBODY: Identity = {
  caller: { credential: '', subject: '', via: 'api', scopes: [] },
  workspace: '',
  session: null,
  expiresAt: null,
  chain: [],
};
const EMPTY_BODY = z.strictObject({});

export function createApp(ports: HttpPorts, routes: readonly Route[] = ROUTES): Hono {
  const app = new Hono();
  for (const route of routes) {
    app.on(route.method, route.path, (http) => serve(http, route, ports));
  }
  const answerUnserved = createFallback(routes);
  app.notFound((http) => answerUnserved(http.req.raw, ports));
  app.onError((cause, http) => {
    const requestId = ports.freshId();
    ports.warn(`Request ${requestId} failed`, cause);
    const response = refuse(failure(cause), requestId);
    return addHeaders(response, commonHeaders(http.req.raw, ports.config, requestId));
  });
  return app;
}

async function serve(http: HonoContext, route: Route, ports: HttpPorts): Promise<Response> {
  const requestId = ports.freshId();
  const answer = await answerTo(http, route, ports, requestId).catch((cause: unknown) => {
    ports.warn(`Request ${requestId} failed`, cause);
    return failure(cause);
  });
  const request = http.req.raw;
  const common = commonHeaders(request, ports.config, requestId);
  if ('status' in answer && !(answer instanceof Response)) {
    const { status, headers } = answer;
    const text = 'text' in answer ? answer.text : JSON.stringify(answer.json);
    // All at once: each header that is set later is one more call into the platform.
    const all = { ...JSON_HEADERS, ...headers, ...common };
    return new Response(text, { status, headers: all });
  }
  const response =
    answer instanceof Response ? answer : respondToRejection(answer, request, ports, requestId);
  return response.status === 101 ? response : addHeaders(response, common);
}

function respondToRejection(
  rejection: Rejection,
  request: Request,
  ports: HttpPorts,
  requestId: string,
): Response {
  return wantsSocket(request)
    ? refuseUpgrade(rejection, request, ports)
    : refuse(rejection, requestId);
}

async function answerTo(
  http: HonoContext,
  route: Route,
  ports: HttpPorts,
  requestId: string,
): Promise<Answer> {
  const request = http.req.raw;
  const unclear = framingProblem(request);
  if (unclear !== undefined) return unclear;
  const named = http.req.param();
  const { id } = named;
  const identity = await identify(request, route, id, ports);
  if ('ok' in identity) return identity;

  const params = (route.params ?? z.looseObject({})).safeParse(named);
  if (!params.success) {
    return unknownId(params.error);
  }
  const repeated = route.access === 'public' ? undefined : findRepeatedParameter(request.url);
  if (repeated !== undefined) return repeated;
  const query = (route.query ?? noQuery(route)).safeParse(http.req.query());
  if (!query.success) return schemaRejection(query.error);

  const read = await readBody(request, route);
  if (!read.ok) return read;
  const body = (route.body ?? EMPTY_BODY).safeParse(read.value);
  if (!body.success) return bodyRejection(route, body.error);

  const context = await readRequestContext(request, route, identity, ports, read.text);
  if ('ok' in context) return context;
  const call = {
    http,
    ports,
    requestId,
    params: params.data,
    query: query.data,
    body: body.data,
    identity,
    context,
    session: ports.session(identity.workspace, id ?? ''),
    get workspace() {
      return ports.workspace(identity.workspace);
    },
  };
  return route.handle(call as unknown as Call<never, never, never>);
}

async function identify(
  request: Request,
  { access, beginsSession }: Pick<Route, 'access' | 'beginsSession'>,
  sessionId: string | undefined,
  ports: HttpPorts,
): Promise<Identity | Rejection> {
  if (access === 'public') return NOBODY;
  const identity = await authenticate(request, ports);
  if ('ok' in identity) return identity;
  const root = rootOf(identity.caller);
  const wait = await ports.limiter.take(root);
  if (wait !== undefined) return tooMuch(REQUESTS, wait);
  const refused = admit(identity, access, sessionId);
  if (refused !== undefined) return refused;
  const pause = beginsSession === true ? await ports.sessionLimiter.take(root) : undefined;
  return pause === undefined ? identity : tooMuch(SESSIONS, pause);
}

const OF_THE_LINE = 'with this credential and those of its line';
const REQUESTS = `Too many requests ${OF_THE_LINE}`;
const SESSIONS = `Too many sessions were begun ${OF_THE_LINE}`;

function tooMuch(message: string, retryAfterSeconds: number): Rejection {
  return reject('rate_limited', message, { retryAfterSeconds });
}

/** A page that anybody may open is opened with whatever a link put behind it. */
function noQuery(route: Route): z.ZodObject {
  return route.access === 'public' ? z.looseObject({}) : EMPTY_BODY;
}

/** An event only the session may write is a well-formed request for something that is not given. */
function bodyRejection(route: Route, error: z.ZodError): Rejection {
  const unknownType = error.issues.find(
    (issue) => issue.code === 'invalid_union' && issue.path.at(-1) === 'type',
  );
  return route.path.endsWith('/events') && unknownType !== undefined
    ? schemaRejection(error, 'unknown_event_type')
    : schemaRejection(error);
}
