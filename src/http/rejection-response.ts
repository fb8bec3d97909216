/** The one place where a rejection or a failure becomes a response. */
import { ERRORS, type Rejection, reject } from '../protocol/errors.ts';

export function rejectionResponse(rejection: Rejection, requestId: string): Response {
  const { code, message, details } = rejection;
  // Without this header a cache may keep a 404 or a 405.
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

/** What the platform adds to the error of a failed call to an object. */
interface BrokenCall {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  /** The object restarted during the call, and accepts the next one. */
  readonly durableObjectReset?: boolean;
}

/** A commit fails after the command has returned; the call then fails with the text of the database. */
const NOT_WRITTEN_TEXT = /\bSQLITE_(FULL|IOERR|READONLY)/;
/** The platform's own failure, for example when a new file cannot be made. */
const NOT_REACHED_TEXT = /^internal error; reference = /;
/** The advice of `platform/sqlite/migrate.ts`: the file of a session is another version's. */
const NOT_SERVED_TEXT = /Run the version that wrote it/;

/** The rejection that the sender of the request gets for a thrown error. The text of the error stays in the log. */
export function failureRejection(cause: unknown): Rejection {
  const { overloaded, retryable, durableObjectReset }: BrokenCall = Object(cause);
  const text = cause instanceof Error ? cause.message : '';
  if (NOT_WRITTEN_TEXT.test(text)) {
    return reject('write_failed', 'This could not be written, and nothing changed. Try again.');
  }
  if (
    overloaded ||
    retryable ||
    durableObjectReset ||
    NOT_REACHED_TEXT.test(text) ||
    NOT_SERVED_TEXT.test(text)
  ) {
    return reject('unavailable', 'This cannot be reached just now; try again with the same key', {
      retryAfterSeconds: 1,
    });
  }
  return reject('internal', 'Something went wrong here; the request can be repeated');
}
