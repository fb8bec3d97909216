/** The one place where a refusal, or a failure, becomes a response. */
import { ERRORS, type Rejection, reject } from '../protocol/error.ts';

export function refuse(rejection: Rejection, requestId: string): Response {
  const { code, message, details } = rejection;
  // A cache may keep a 404 or a 405 that does not say otherwise.
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
  };
  const wait = details?.retryAfterSeconds;
  if (typeof wait === 'number') headers['Retry-After'] = String(wait);
  if (code === 'unauthenticated') headers['WWW-Authenticate'] = 'Bearer';
  return Response.json(
    { error: { code, message, ...(details !== undefined && { details }), requestId } },
    { status: ERRORS[code].status, headers },
  );
}

/** What a thrown error means to the sender; its text stays in the log. */
export function failure(cause: unknown): Rejection {
  const hints = cause as { overloaded?: boolean; retryable?: boolean } | null;
  if (hints?.overloaded === true || hints?.retryable === true) {
    return reject('unavailable', 'This session is busy; try again with the same key', {
      retryAfterSeconds: 1,
    });
  }
  return reject('internal', 'Something went wrong here; the request can be repeated');
}
