/**
 * The HTTP surface as a client of it sees it, through the Worker and never past it.
 *
 * Every body is read to its end here: an unread one keeps a request alive, and an object with a live
 * request cannot be evicted.
 */
import { SELF, env } from 'cloudflare:test';
import type { ErrorCode } from '../../../src/protocol/errors.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { TargetView } from '../../../src/protocol/schema/target.ts';
import type {
  AuditEntry,
  InboxEntry,
  KeyView,
  SessionEntry,
  TokenView,
} from '../../../src/protocol/schema/workspace.ts';

/** Whatever a body may say; a test asks for the part it is about. */
export interface Body {
  readonly interaction?: InteractionView;
  /** Of a session, or of the inbox, which shows fewer fields and adds the session. */
  readonly interactions?: (InteractionView & InboxEntry)[];
  readonly settled?: boolean;
  readonly events?: SessionEvent[];
  readonly head?: number;
  readonly more?: boolean;
  readonly next?: string;
  readonly token?: string;
  readonly id?: string;
  readonly expiresAt?: number;
  readonly secret?: string;
  readonly key?: KeyView;
  readonly keys?: KeyView[];
  readonly target?: TargetView;
  readonly tokens?: TokenView[];
  readonly entries?: AuditEntry[];
  readonly total?: number;
  readonly now?: number;
  readonly cancelled?: number;
  readonly decision?: JsonObject;
  readonly results?: { readonly ok: boolean; readonly interaction?: InteractionView }[];
  readonly session?: JsonObject;
  readonly sessions?: SessionEntry[];
  readonly open?: InteractionView[];
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: JsonObject;
    readonly requestId: string;
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export const ORIGIN = 'https://holdpoint.example';
export const ADMIN = env.HOLDPOINT_ADMIN_KEY;

let used = 0;

/** Storage outlives a test, so no two tests may share a name. */
export function freshName(prefix: string): string {
  used += 1;
  return `${prefix}-${Date.now().toString(36)}-${used}`;
}

export interface Ask {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function call(method: string, path: string, ask: Ask = {}): Promise<Reply> {
  const response = await SELF.fetch(`${ORIGIN}${path}`, {
    method,
    redirect: 'manual',
    headers: headersOf(ask),
    ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  const body = isJson ? (JSON.parse(text) as Body) : {};
  return { status: response.status, headers: response.headers, body, text };
}

/** Null sends no credential at all; left out, it is the administrator's. */
export function headersOf({ token = ADMIN, body, headers }: Ask): Headers {
  const all = new Headers(headers);
  if (token !== null && !all.has('Authorization')) all.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) all.set('Content-Type', 'application/json');
  return all;
}

/** For the preparation of a test; a failure shows the reply of the server. */
export async function must(method: string, path: string, ask: Ask = {}): Promise<Body> {
  const reply = await call(method, path, ask);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}
