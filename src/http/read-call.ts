/**
 * What a request asks of its route. The checks run in this order: framing, credential, rate limit,
 * access, parameters, body, idempotency key, upgrade, session. The first check that fails is the response.
 */
import * as z from '../protocol/schema/zod.ts';
import { hashText } from '../core/digest.ts';
import { rootOf, type Caller } from '../protocol/caller.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { Context } from '../protocol/schema/command.ts';
import type { Policy } from '../protocol/schema/workspace.ts';
import { IdempotencyKey } from '../protocol/schema/ids.ts';
import { schemaRejection, unknownId } from '../protocol/schema/rejection.ts';
import { accessRejection, authenticate } from './authenticate.ts';
import { framingRejection, readBody, largeBodiesOf } from './body.ts';
import type { Config, HttpPorts, Identity } from './ports.ts';
import type { HttpRoute, RouteCall } from './route.ts';
import type { WorkspaceStub } from './stubs.ts';
import { readUpgrade } from './upgrade.ts';

type CheckedCall = RouteCall<never, never, never>;

const PUBLIC_IDENTITY: Identity = {
  caller: { credential: '', subject: '', via: 'api', scopes: [] },
  workspace: '',
  session: null,
  expiresAt: null,
  chain: [],
};
const NO_QUERY = z.strictObject({});
const NONE: Readonly<Record<string, never>> = {};
const MAX_NAME_CHARS = 100;

/** A request, with what is read from it once. */
export interface AskedRequest {
  readonly request: Request;
  readonly url: string;
  readonly requestId: string;
  readonly keepRunning: RouteCall<unknown, unknown, unknown>['keepRunning'];
}

export interface MatchedRoute {
  readonly route: HttpRoute;
  readonly params: Readonly<Record<string, string>>;
}

export async function readCall(
  asked: AskedRequest,
  { route, params: pathParams }: MatchedRoute,
  ports: HttpPorts,
): Promise<{ readonly ok: true; readonly call: CheckedCall } | Rejection> {
  const { request, url, requestId, keepRunning } = asked;
  const unclear = framingRejection(request);
  if (unclear !== undefined) return unclear;
  const { id } = pathParams;
  const identity = await identify(request, route, id, ports);
  if ('ok' in identity) return identity;

  const params = route.params?.safeParse(pathParams);
  if (params?.success === false) return unknownId(params.error);
  const query = readQuery(url, route);
  if (!query.ok) return query;

  const read = await readBody(request, route, largeBodiesOf(rootOf(identity.caller)));
  if (!read.ok) return read;
  const body = read.form === undefined ? route.body?.safeParse(read.value) : undefined;
  if (body?.success === false) return bodyRejection(route, body.error);

  const { caller, workspace } = identity;
  const { policy, config } = ports;
  const context =
    route.access === 'public'
      ? { caller, timeouts: config.timeouts }
      : commandContext(caller, await policy.get(workspace), config);
  const repeatable = readIdempotencyKey(asked, route, read.text);
  if (repeatable?.ok === false) return repeatable;
  const upgrade = route.socket && readUpgrade(request, config);
  if (upgrade?.ok === false) return upgrade;
  const found = id === undefined ? undefined : await ports.findSession(workspace, id);
  if (found?.ok === false) return found;
  const call = Object.assign(new WorkspaceCall(ports, identity), {
    request,
    keepRunning,
    requestId,
    params: params?.data ?? NONE,
    query: query.value,
    body: body?.data ?? NONE,
    bodyText: read.text,
    form: read.form,
    inputText: read.inputText,
    context: repeatable === undefined ? context : { ...context, idempotency: repeatable.value },
    subprotocol: upgrade?.echo,
    session: found?.session,
    connections: found?.connections,
  });
  return { ok: true, call: call as unknown as CheckedCall };
}

/** Makes the stub of the workspace where a handler asks for it: few requests of a session do. */
class WorkspaceCall {
  readonly ports: HttpPorts;
  readonly identity: Identity;

  constructor(ports: HttpPorts, identity: Identity) {
    this.ports = ports;
    this.identity = identity;
  }

  get workspace(): WorkspaceStub {
    return this.ports.workspace(this.identity.workspace);
  }
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

function readQuery(
  url: string,
  { access, query: schema }: Pick<HttpRoute, 'access' | 'query'>,
): ReadResult<unknown> {
  const start = url.indexOf('?');
  // Public pages ignore what they do not know: links often add parameters of their own.
  const isPublic = access === 'public';
  if (schema === undefined && (start < 0 || isPublic)) return { ok: true, value: NONE };
  const given = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    if (!given.has(name)) given.set(name, value);
    else if (!isPublic) return repeatedRejection(name);
  }
  const query = (schema ?? NO_QUERY).safeParse(Object.fromEntries(given));
  return query.success ? { ok: true, value: query.data } : schemaRejection(query.error);
}

/** Some programs read the first value of a repeated parameter and others the last, so none counts. */
function repeatedRejection(name: string): Rejection {
  const path = name.slice(0, MAX_NAME_CHARS);
  const message = 'Give it once';
  return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
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

function readIdempotencyKey(
  { request, url }: AskedRequest,
  route: HttpRoute,
  bodyText: string,
): ReadResult<NonNullable<Context['idempotency']>> | undefined {
  if (route.access === 'public' || route.idempotent !== true) return undefined;
  const key = request.headers.get('Idempotency-Key');
  if (key === null) return undefined;
  const parsed = IdempotencyKey.safeParse(key);
  if (!parsed.success) {
    return reject('invalid_request', 'Idempotency-Key: use 8 to 128 of A-Z a-z 0-9 _ -');
  }
  const path = new URL(url).pathname;
  const bodyHash = hashText(`${request.method} ${path}\n${bodyText}`);
  return { ok: true, value: { key: `${route.method} ${route.path} ${parsed.data}`, bodyHash } };
}

/** What goes with a command besides its caller: the defaults of the workspace, over those of the deployment. */
export function commandContext(
  caller: Caller,
  { settings }: Policy,
  { timeouts, forbidSelfApproval }: Pick<Config, 'timeouts' | 'forbidSelfApproval'>,
): Context {
  return {
    caller,
    timeouts: { ...timeouts, ...settings.timeouts },
    forbidSelfApproval: settings.forbidSelfApproval ?? forbidSelfApproval,
    ...(settings.permissionMode !== undefined && { permissionMode: settings.permissionMode }),
  };
}
