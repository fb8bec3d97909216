/**
 * One try of a request against a server that may die at any moment.
 *
 * Only a refused connection proves that the server got no request. Every other failure leaves open whether the server
 * executed it, and the request is repeated with the same idempotency key.
 */
import type { AuditEntry, InboxEntry } from '../../src/protocol/schema/workspace.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Rule } from '../../src/protocol/schema/rule.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly token: string;
  readonly body?: JsonObject;
  readonly key?: string;
  /** `Prefer: wait`, in seconds. */
  readonly wait?: number;
  readonly timeoutMs?: number;
}

/** The body of any answer. */
export interface Body {
  readonly interaction?: InteractionView;
  readonly interactions?: readonly (InteractionView & InboxEntry)[];
  readonly entries?: readonly AuditEntry[];
  readonly rules?: readonly Rule[];
  readonly settled?: boolean;
  readonly decision?: JsonObject;
  readonly cancelled?: number;
  readonly routed?: 'turn' | 'queued' | 'interaction';
  readonly messageId?: string;
  readonly interactionId?: string;
  readonly results?: readonly (Body & { readonly ok: boolean })[];
  readonly head?: number;
  readonly more?: boolean;
  readonly total?: number;
  readonly next?: string;
  readonly token?: string;
  readonly secret?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: JsonObject;
  };
}

export interface Answered {
  readonly type: 'answered';
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly replayed: boolean;
}

export type Attempt =
  | Answered
  | { readonly type: 'not-tried' }
  | { readonly type: 'in-doubt'; readonly cause: string; readonly timedOut: boolean };

/** A local server that was not killed and takes longer hangs. */
const HANG_MS = 60_000;

export async function attempt(origin: string, ask: Ask): Promise<Attempt> {
  const { method, path, token, body, key, wait } = ask;
  try {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(wait !== undefined && { Prefer: `wait=${wait}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ask.timeoutMs ?? HANG_MS + (wait ?? 0) * 1_000),
    });
    const text = await response.text();
    return {
      type: 'answered',
      status: response.status,
      body: bodyOf(text),
      text,
      replayed: response.headers.get('Idempotency-Replayed') === 'true',
    };
  } catch (error) {
    if (causesOf(error).includes('ECONNREFUSED')) return { type: 'not-tried' };
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return { type: 'in-doubt', cause: causesOf(error).join(' '), timedOut };
  }
}

function bodyOf(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

function causesOf(error: unknown): string[] {
  const found: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    found.push('code' in at ? String(at.code) : at.message);
  }
  return found;
}
