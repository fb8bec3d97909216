/**
 * A route, declared once: its input, its scopes, its responses, and its descriptions for the reference.
 *
 * The application, the API reference and the authorization tests are all made from these values, so
 * a route that is served is a route that is documented and checked.
 */
import * as z from '../protocol/schema/zod.ts';
import type { Scope } from '../protocol/schema/actor.ts';
import type { Context } from '../protocol/schema/command.ts';
import { type ErrorCode, type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { ResultText } from '../session/command-result.ts';
import { actsAsAgent, mayAct, provesPerson } from '../protocol/caller.ts';
import type { BodyLimits, FormPairs } from './body.ts';
import type { Parameter, Tag } from './openapi/document.ts';
import type { HttpPorts, Identity } from './ports.ts';
import type { SessionConnections, SessionStub, WorkspaceStub } from './stubs.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Public, or for credentials with any of these scopes (none listed: admin alone). */
export type Access =
  | 'public'
  /** `either`: of the workspace; the token of one session receives what concerns that session. */
  | { readonly in: 'session' | 'workspace' | 'either'; readonly anyOf: readonly Scope[] };

/** Only a path with an `id` names a session. */
type OfSession<Params, Value> = Params extends { readonly id: string } ? Value : undefined;

export interface RouteCall<Params, Query, Body> {
  readonly request: Request;
  /** Work that goes on when the client has gone away: a Worker stops everything else of its request. */
  readonly keepRunning: (work: Promise<unknown>) => void;
  readonly ports: HttpPorts;
  readonly requestId: string;
  /** On a route with a `socket`: the subprotocol that the response echoes. */
  readonly subprotocol: string | undefined;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The exact text of the body, which a signature covers. */
  readonly bodyText: string;
  /** On a route that takes forms: the fields of one. */
  readonly form: FormPairs | undefined;
  /** On a route with `oddInput`: an input that only text carries without loss. */
  readonly inputText: string | undefined;
  readonly identity: Identity;
  /** The session that the path names, in the workspace of the credential. */
  readonly session: OfSession<Params, SessionStub>;
  readonly connections: OfSession<Params, SessionConnections>;
  readonly workspace: WorkspaceStub;
  /** Goes with every command: caller, idempotency key, defaults of the workspace. */
  readonly context: Context;
}

interface ReplyHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A rejection, JSON with a status, or a finished response (a stream, a page, a socket). */
export type RouteResult =
  | Rejection
  | Response
  | (ReplyHead & { readonly json: unknown })
  /** JSON that is text already. */
  | (ReplyHead & { readonly text: string });

/** An optional header that changes the response. */
export type RequestHeader = Omit<Parameter, 'in' | 'required'>;

interface RouteFields {
  readonly method: Method;
  /** For example `/v1/sessions/:id`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Absent: a request with a body is rejected. */
  readonly body?: z.ZodType;
  /** The body is text of any type, not JSON: its sender signs the exact text. */
  readonly bodyIsText?: boolean;
  /** The body is a file of any type; it arrives as its bytes. */
  readonly bodyIsBytes?: boolean;
  /** For the reference, where the handler accepts less than `body` does. */
  readonly documentedBody?: z.ZodType;
  /** A POST that creates or decides; it takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Counts against the limit on new sessions too. */
  readonly createsSession?: boolean;
  /** Larger or smaller than other bodies. */
  readonly bodyLimits?: BodyLimits;
  /** The way to the member of the body that may hold a tool input which strict JSON refuses; it arrives as `inputText`. */
  readonly oddInput?: readonly string[];
  /** A missing or empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** Also reads what a browser sends from a form. */
  readonly takesForm?: boolean;
  /** For a client that wants pages: a rejection as one, whatever it comes from. */
  readonly rejectionPage?: (rejection: Rejection, ports: HttpPorts) => Promise<Response>;
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly schema?: z.ZodType }>
  >;
  /** The codes of this route, beside those that all routes of its form share. */
  readonly errorCodes?: readonly ErrorCode[];
  readonly headers?: readonly RequestHeader[];
  /** Forms of a successful response other than JSON: media type and a sentence. */
  readonly media?: Readonly<Record<string, string>>;
  /** The frames of a WebSocket. */
  readonly socket?: { readonly sends?: z.ZodType; readonly receives: z.ZodType };
  readonly handle: (call: RouteCall<never, never, never>) => Promise<RouteResult>;
}

/** The name that generated clients give the operation; a published name stays. */
interface ListedFields {
  readonly operationId: string;
  readonly unlisted?: never;
}

/** Served but not described: a page or a second path, which a generated client would not call. */
interface UnlistedFields {
  readonly operationId?: never;
  readonly unlisted: true;
}

export type ListedHttpRoute = RouteFields & ListedFields;
export type HttpRoute = ListedHttpRoute | (RouteFields & UnlistedFields);

export function isListed(route: HttpRoute): route is ListedHttpRoute {
  return route.unlisted !== true;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

/** Ties the types of the schemas to the types of the handler's call. */
export function route<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  definition: Omit<RouteFields, 'handle' | 'params' | 'query' | 'body'> &
    (ListedFields | UnlistedFields) & {
      readonly params?: Params;
      readonly query?: Query;
      readonly body?: Body;
      readonly handle: (
        call: RouteCall<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
      ) => Promise<RouteResult>;
    },
): HttpRoute {
  return definition as unknown as HttpRoute;
}

/** For example "1,000". `toLocaleString` would load the tables of a language while the Worker starts. */
export function inThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The sections of the reference, in the order in which the routes first name them. */
export const SESSIONS_TAG: Tag = {
  name: 'Sessions',
  description: 'One session is one conversation of one agent, with its own log.',
};
export const INTERACTIONS_TAG: Tag = {
  name: 'Interactions',
  description: 'One question put to a person on behalf of one tool call.',
};
export const AGENT_TAG: Tag = {
  name: 'Agent',
  description: 'The built-in agent of a session: its files, its client tools, retries.',
};
export const SHORT_FORMS_TAG: Tag = {
  name: 'Short forms',
  description:
    'Answers by tool call, for clients that do not know interaction ids. Older clients find the same routes under `/api/sessions/{id}/…`.',
};
export const LOG_TAG: Tag = {
  name: 'Log',
  description: 'All events of a session, in order.',
};
export const HISTORY_TAG: Tag = {
  name: 'History',
  description: 'Conversations of command-line agents, and their transcripts.',
};
export const HOOKS_TAG: Tag = {
  name: 'Hooks',
  description: 'What coding agents call by themselves before they run a tool.',
};
export const CREDENTIALS_TAG: Tag = {
  name: 'Credentials',
  description: 'Keys for programs, and the tokens made from them.',
};
export const WORKSPACE_TAG: Tag = {
  name: 'Workspace',
  description: 'The inbox, the audit list and the settings of the workspace.',
};
export const TARGETS_TAG: Tag = {
  name: 'Targets',
  description: 'Webhooks: what is announced to receivers outside, and what they answer.',
};
export const LINKS_TAG: Tag = {
  name: 'Answer links',
  description: 'Addresses that answer one interaction, in a browser without an account.',
};
export const DEVICES_TAG: Tag = {
  name: 'Devices',
  description: 'Browsers that a person has allowed to be notified by push.',
};
export const PEOPLE_TAG: Tag = {
  name: 'People',
  description: 'Who a credential is, groups of people, and the quiet hours of people.',
};
export const RULES_TAG: Tag = {
  name: 'Rules',
  description: 'What is allowed, asked about or denied in every session of the workspace.',
};
export const SERVICE_TAG: Tag = {
  name: 'Service',
  description: 'The state of the service, and this reference.',
};

/** The result of a command. A repeat gets the first result again, and is marked. */
export function commandResponse(result: ResultText | Rejection, status: number): RouteResult {
  if (!result.ok) return result;
  const { json, isNew, replayed } = result;
  return { status: isNew ? status : 200, text: json, headers: replayed ? REPLAYED_HEADERS : {} };
}

const REPLAYED_HEADERS = { 'Idempotency-Replayed': 'true' };

export function readResponse<Value>(
  read: ReadResult<Value>,
  json: (value: Value) => unknown,
): RouteResult {
  return read.ok ? { status: 200, json: json(read.value) } : read;
}

export function textResponse(read: ReadResult<string>): RouteResult {
  return read.ok ? { status: 200, text: read.value } : read;
}

/** Of a route that answers an interaction. */
export const ANSWER_CODES: readonly ErrorCode[] = [
  'invalid_answer',
  'already_settled',
  'not_offered',
  'invalid_values',
  'input_changed',
  'step_moved',
  'wrong_kind',
  'limit_reached',
];
export const ANSWER_REFUSALS = {
  409: { description: 'Already settled; `details` says by whom, how and when' },
  422: { description: 'The values do not fit; the interaction stays open' },
};

/** The events are written; `head` is the last `seq` of the log. */
export const HeadReply = z
  .strictObject({ ok: z.literal(true), head: z.number() })
  .meta({ id: 'HeadReply' });

/** How many interactions were cancelled. */
export const Cancelled = z.strictObject({ cancelled: z.number() }).meta({ id: 'Cancelled' });

/** Who may use a route of the workspace: administrators alone, or persons about themselves. */
export const BY_ADMIN = { in: 'workspace', anyOf: [] } as const;

/** A token of one session says nothing about its person beyond that session. */
export const BY_MEMBER = { in: 'workspace', anyOf: ['read', 'answer'] } as const;

/**
 * `what` belongs to persons, for example "Quiet hours": to those who prove who they are, because a key chooses the subjects
 * of its tokens. An administrator's key acts for its own subject alone.
 */
export function personProblem({ caller }: Identity, what: string): Rejection | undefined {
  if (actsAsAgent(caller)) {
    return reject('forbidden', `${what} belong to persons; an agent has none`);
  }
  if (provesPerson(caller) || mayAct(caller, 'admin')) return undefined;
  return reject(
    'forbidden',
    `${what} belong to a person, and this credential does not prove who that is: a key made it. Sign in, or use a token that an administrator made for you.`,
    { needs: 'person' },
  );
}
