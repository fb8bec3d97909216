/**
 * Every way a request can be refused, in one table.
 *
 * `status` is the HTTP status, `close` the close code where the refusal ends a socket, `retry` what a
 * client may do: `never` without changing the request, `now` with the same idempotency key, `later`
 * after waiting. A status is chosen here and nowhere else.
 */
import * as z from 'zod';
import { NOT_AN_INTERACTION_ID } from './ids.ts';
import type { JsonObject, JsonResult } from './json.ts';
import { MAX_ISSUES, plainIssues } from './schema-issues.ts';

export const ERRORS = {
  invalid_json: { status: 400, close: 1008, retry: 'never' },
  invalid_request: { status: 400, close: 1008, retry: 'never' },
  invalid_answer: { status: 400, close: 1008, retry: 'never' },
  cursor_ahead: { status: 400, close: 4409, retry: 'never' },
  unauthenticated: { status: 401, close: 4401, retry: 'never' },
  forbidden: { status: 403, close: 4403, retry: 'never' },
  not_found: { status: 404, close: 4404, retry: 'never' },
  method_not_allowed: { status: 405, close: 1008, retry: 'never' },
  session_exists: { status: 409, close: 1008, retry: 'never' },
  session_deleted: { status: 409, close: 4404, retry: 'never' },
  already_settled: { status: 409, close: 1008, retry: 'never' },
  input_changed: { status: 409, close: 1008, retry: 'never' },
  step_moved: { status: 409, close: 1008, retry: 'never' },
  ambiguous_text: { status: 409, close: 1008, retry: 'never' },
  already_extended: { status: 409, close: 1008, retry: 'never' },
  nothing_to_retry: { status: 409, close: 1008, retry: 'never' },
  not_waiting: { status: 409, close: 1008, retry: 'never' },
  too_large: { status: 413, close: 1009, retry: 'never' },
  unsupported_media_type: { status: 415, close: 1008, retry: 'never' },
  wrong_kind: { status: 422, close: 1008, retry: 'never' },
  unknown_kind: { status: 422, close: 1008, retry: 'never' },
  invalid_values: { status: 422, close: 1008, retry: 'never' },
  text_not_an_answer: { status: 422, close: 1008, retry: 'never' },
  not_offered: { status: 422, close: 1008, retry: 'never' },
  unknown_event_type: { status: 422, close: 1008, retry: 'never' },
  idempotency_key_reused: { status: 422, close: 1008, retry: 'never' },
  upgrade_required: { status: 426, close: 1008, retry: 'never' },
  limit_reached: { status: 429, close: 1013, retry: 'later' },
  rate_limited: { status: 429, close: 1013, retry: 'later' },
  internal: { status: 500, close: 1011, retry: 'now' },
  not_configured: { status: 500, close: 1011, retry: 'later' },
  model_not_configured: { status: 503, close: 1013, retry: 'later' },
  write_failed: { status: 503, close: 1011, retry: 'now' },
  unavailable: { status: 503, close: 1013, retry: 'now' },
} as const satisfies Record<
  string,
  { status: number; close: number; retry: 'never' | 'now' | 'later' }
>;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal as a value; `details` is the evidence a person or a client needs to do better. */
export interface Rejection {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
}

export function reject(code: ErrorCode, message: string, details?: JsonObject): Rejection {
  return details === undefined
    ? { ok: false, code, message }
    : { ok: false, code, message, details };
}

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error', description: 'Every refusal has this shape.' });

/** What a schema found, as paths that a person can follow; the message is the first of it. */
export function schemaRejection(error: z.ZodError, code: ErrorCode = 'invalid_request'): Rejection {
  const found = plainIssues(error.issues);
  const [first] = found;
  if (first === undefined) return reject(code, 'This does not fit');
  const where = first.path === '' ? '' : `${first.path}: `;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  const issues = found.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path, message }));
  const isCut = found.length > MAX_ISSUES;
  return reject(code, `${where}${first.message}${more}`, {
    issues,
    ...(isCut && { total: found.length }),
  });
}

/** What is no JSON, or not JSON that everybody reads the same way. */
export function jsonRejection(result: Extract<JsonResult, { ok: false }>): Rejection {
  const { ok: _ok, problem, ...place } = result;
  return Object.keys(place).length === 0
    ? reject('invalid_json', problem)
    : reject('invalid_json', problem, place);
}

/** Of an id that cannot be one: as if nothing had it, but with what is wrong where that helps. */
export function unknownId(error: z.ZodError): Rejection {
  const issues = plainIssues(error.issues).slice(0, MAX_ISSUES);
  const isInteraction = issues[0]?.message === NOT_AN_INTERACTION_ID;
  const message = isInteraction ? NOT_AN_INTERACTION_ID : 'There is nothing with this id';
  return reject('not_found', message, { issues: issues.map((issue) => ({ ...issue })) });
}
