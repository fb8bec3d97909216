/** What came back, read: a body of ours, or the error it means. */
import { ClientError, notHoldpoint, unreachable } from '../errors.ts';
import type { Refusal } from '../connection/state.ts';
import { isObject, isRefusal } from '../connection/guards.ts';
import { retryOf } from '../../protocol/errors.ts';
import type { ErrorCode, JsonObject } from '../../protocol/types.ts';

export interface Reply {
  readonly body: JsonObject;
  /** The server had done this long before, for the same key. */
  readonly isOld: boolean;
}

export async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  const body = status === 204 ? {} : parsed(text);
  if (response.ok && isObject(body)) {
    return { body, isOld: headers.get('Idempotency-Replayed') === 'true' };
  }
  if (isObject(body) && isRefusal(body.error)) throw refusalError(response, body.error);
  // A gateway with nobody behind it at the moment speaks HTML, and means "later".
  if (status >= 500 || status === 429) throw unreachable(`The server answered ${status}`);
  throw notHoldpoint(`The answer (${status}) is not one of Holdpoint.`);
}

function refusalError(
  response: Response,
  error: Refusal & { readonly requestId?: unknown },
): ClientError {
  const { status, headers } = response;
  const code = error.code as ErrorCode;
  const { message, details, requestId } = error;
  const seconds = Number(headers.get('Retry-After') ?? '');
  return new ClientError({
    code,
    status,
    message,
    retry: retryOf(code, status),
    // A browser of another origin, or a proxy, may have only one of the two.
    details: seconds > 0 ? { retryAfterSeconds: seconds, ...details } : details,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
