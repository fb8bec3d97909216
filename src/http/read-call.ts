/**
 * What a request asks of its route. The checks run in this order: framing, credential, rate limit,
 * access, parameters, body, idempotency key, upgrade, session. The first check that fails is the response.
 */
import type { Context as HonoContext } from 'hono';
import * as z from '../protocol/schema/zod.ts';
import { hashText } from '../core/digest.ts';
import { rootOf, type Caller } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Context } from '../protocol/schema/command.ts';
import { IdempotencyKey } from '../protocol/schema/ids.ts';
import { schemaRejection, unknownId } from '../protocol/schema/rejection.ts';
import { accessRejection, authenticate } from './authenticate.ts';
import { framingRejection, readBody, largeBodiesOf } from './body.ts';
import type { HttpPorts, Identity } from './ports.ts';
import type { HttpRoute, RouteCall } from './route.ts';
import { readUpgrade } from './upgrade.ts';

type CheckedCall = RouteCall<never, never, never>;

const PUBLIC_IDENTITY: Identity = {
  caller: { credential: '', subject: '', via: 'api', scopes: [] },
  workspace: '',
  session: null,
  expiresAt: null,
  chain: [],
};
const EMPTY_BODY = z.strictObject({});
const MAX_NAME_CHARS = 100;

export async function readCall(
  http: HonoContext,
  route: HttpRoute,
  ports: HttpPorts,
  requestId: string,
): Promise<{ readonly ok: true; readonly call: CheckedCall } | Rejection> {
  const request = http.req.raw;
  const unclear = framingRejection(request);
  if (unclear !== undefined) return unclear;
  const pathParams = http.req.param();
  const { id } = pathParams;
  const identity = await identify(request, route, id, ports);
  if ('ok' in identity) return identity;

  const params = (route.params ?? z.looseObject({})).safeParse(pathParams);
  if (!params.success) return unknownId(params.error);
  const repeated = route.access === 'public' ? undefined : findRepeatedParameter(request.url);
  if (repeated !== undefined) return repeated;
  const query = (route.query ?? noQuery(route)).safeParse(http.req.query());
  if (!query.success) return schemaRejection(query.error);

  const read = await readBody(request, route, largeBodiesOf(rootOf(identity.caller)));
  if (!read.ok) return read;
  const schema = read.form === undefined ? (route.body ?? EMPTY_BODY) : EMPTY_BODY;
  const body = schema.safeParse(read.value);
  if (!body.success) return bodyRejection(route, body.error);

  const context = await readContext(request, route, identity, ports, read.text);
  if ('ok' in context) return context;
  const upgrade = route.socket && readUpgrade(request, ports.config);
  if (upgrade?.ok === false) return upgrade;
  const found = id === undefined ? undefined : await ports.findSession(identity.workspace, id);
  if (found?.ok === false) return found;
  const call = {
    http,
    ports,
    requestId,
    params: params.data,
    query: query.data,
    body: body.data,
    bodyText: read.text,
    form: read.form,
    inputText: read.inputText,
    identity,
    context,
    subprotocol: upgrade?.echo,
    session: found?.session,
    connections: found?.connections,
    get workspace() {
      return ports.workspace(identity.workspace);
    },
  };
  return { ok: true, call: call as unknown as CheckedCall };
}

async function identify(
  request: Request,
  { access, createsSession }: Pick<HttpRoute, 'access' | 'createsSession'>,
  sessionId: string | undefined,
  ports: HttpPorts,
): Promise<Identity | Rejection> {
  if (access === 'public') return PUBLIC_IDENTITY;
  const identity = await authenticate(request, ports);
  if ('ok' in identity) return identity;
  const root = rootOf(identity.caller);
  const wait = await ports.limiter.take(root);
  if (wait !== undefined) return rateLimited(TOO_MANY_REQUESTS, wait);
  const denied = accessRejection(identity, access, sessionId);
  if (denied !== undefined) return denied;
  const sessionWait = createsSession === true ? await ports.sessionLimiter.take(root) : undefined;
  return sessionWait === undefined ? identity : rateLimited(TOO_MANY_SESSIONS, sessionWait);
}

const WITH_THESE_CREDENTIALS = 'with this credential and those of its line';
const TOO_MANY_REQUESTS = `Too many requests ${WITH_THESE_CREDENTIALS}`;
const TOO_MANY_SESSIONS = `Too many sessions were begun ${WITH_THESE_CREDENTIALS}`;

function rateLimited(message: string, retryAfterSeconds: number): Rejection {
  return reject('rate_limited', message, { retryAfterSeconds });
}

/** Some programs read the first value of a repeated parameter and others the last, so none counts. */
function findRepeatedParameter(url: string): Rejection | undefined {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return undefined;
  const seen = new Set<string>();
  for (const [name] of new URLSearchParams(url.slice(queryStart + 1))) {
    if (seen.has(name)) {
      const path = name.slice(0, MAX_NAME_CHARS);
      const message = 'Give it once';
      return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
    }
    seen.add(name);
  }
  return undefined;
}

/** Public pages ignore unknown query parameters: links often add tracking parameters. */
function noQuery(route: HttpRoute): z.ZodObject {
  return route.access === 'public' ? z.looseObject({}) : EMPTY_BODY;
}

/** An event type that only the session may write is well formed, and has an error code of its own. */
function bodyRejection(route: HttpRoute, error: z.ZodError): Rejection {
  const unknownType = error.issues.find(
    (issue) => issue.code === 'invalid_union' && issue.path.at(-1) === 'type',
  );
  return route.path.endsWith('/events') && unknownType !== undefined
    ? schemaRejection(error, 'unknown_event_type')
    : schemaRejection(error);
}

async function readContext(
  request: Request,
  route: HttpRoute,
  identity: Identity,
  ports: HttpPorts,
  bodyText: string,
): Promise<Context | Rejection> {
  const { caller, workspace } = identity;
  if (route.access === 'public') return { caller, timeouts: ports.config.timeouts };
  const context = await commandContext(caller, workspace, ports);
  const key = request.headers.get('Idempotency-Key');
  if (key === null || route.idempotent !== true) return context;
  const parsed = IdempotencyKey.safeParse(key);
  if (!parsed.success) {
    return reject('invalid_request', 'Idempotency-Key: use 8 to 128 of A-Z a-z 0-9 _ -');
  }
  const path = new URL(request.url).pathname;
  const bodyHash = hashText(`${request.method} ${path}\n${bodyText}`);
  const scopedKey = `${route.method} ${route.path} ${parsed.data}`;
  return { ...context, idempotency: { key: scopedKey, bodyHash } };
}

/** What goes with a command besides its caller: the defaults of the workspace, over those of the deployment. */
export async function commandContext(
  caller: Caller,
  workspace: string,
  { config, policy }: Pick<HttpPorts, 'config' | 'policy'>,
): Promise<Context> {
  const { settings } = await policy.get(workspace);
  return {
    caller,
    timeouts: { ...config.timeouts, ...settings.timeouts },
    forbidSelfApproval: settings.forbidSelfApproval ?? config.forbidSelfApproval,
    ...(settings.permissionMode !== undefined && { permissionMode: settings.permissionMode }),
  };
}
