/**
 * Every way a request can be refused, in one table.
 *
 * `status` is the HTTP status, `retry` what a client may do (`never` without changing the request, `now` with the same
 * idempotency key, `later` after waiting), `close` the close code where the refusal ends a socket, `meaning` the
 * sentence of the reference. A status is chosen here and nowhere else. The file is long because every code has its row.
 */
import type { JsonObject, JsonResult } from './json.ts';

export type Retry = 'never' | 'now' | 'later';

export const ERRORS = {
  invalid_json: {
    status: 400,
    retry: 'never',
    close: 1008,
    meaning:
      'The body is not JSON that every parser reads the same way; `details.path` says where.',
  },
  invalid_request: {
    status: 400,
    retry: 'never',
    close: 1008,
    meaning: 'The request does not fit its schema; `details.issues` lists the faults.',
  },
  invalid_answer: {
    status: 400,
    retry: 'never',
    close: 1008,
    meaning: 'The answer does not fit the interaction, which stays open.',
  },
  cursor_ahead: {
    status: 400,
    retry: 'never',
    close: 4409,
    meaning: 'The cursor is beyond the end of the log; `details` has the head.',
  },
  unauthenticated: {
    status: 401,
    retry: 'never',
    close: 4401,
    meaning: 'The credential is missing, not valid, expired or revoked.',
  },
  forbidden: {
    status: 403,
    retry: 'never',
    close: 4403,
    meaning:
      'The credential lacks a scope of `details.scopes`, `details.setting` excludes it, or the request is for `details.audience`.',
  },
  not_found: {
    status: 404,
    retry: 'never',
    close: 4404,
    meaning: 'The resource does not exist, or this credential may not see it.',
  },
  method_not_allowed: {
    status: 405,
    retry: 'never',
    close: 1008,
    meaning: 'The path exists, but has no such method.',
  },
  too_slow: {
    status: 408,
    retry: 'never',
    close: 1008,
    meaning: 'The body took too long to arrive, and was dropped; `details` has the limits.',
  },
  session_exists: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'A session with this id exists already.',
  },
  person_exists: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'A person with this address is in the workspace already.',
  },
  last_admin: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The person is the last administrator; make another one first.',
  },
  session_deleted: {
    status: 409,
    retry: 'never',
    close: 4404,
    meaning: 'The session was deleted; its id is never used again.',
  },
  session_interrupted: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'The session was cleared or interrupted before the request opened; ask again if it is still needed.',
  },
  tool_call_exists: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'Another tool call was reported under this id.',
  },
  already_settled: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'The interaction was settled before; `details` says by whom, how and when, with `yours` if by the caller.',
  },
  still_open: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The interaction has no outcome yet that could be acknowledged.',
  },
  reassigned: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'Another call of the same agent has the interaction by now; the call that is named may run nothing.',
  },
  input_changed: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'The `inputDigest` is not that of the current input, or is missing after a change; show the input and ask again.',
  },
  step_moved: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The interaction is at another question; `details.current` says which.',
  },
  ambiguous_text: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'Several open interactions take text; name one with `replyTo`.',
  },
  already_extended: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The deadline was extended before; it can be extended once.',
  },
  not_undoable: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'The decision can no longer be taken back; `details.because` says why: an agent has it, time has passed, or work went on.',
  },
  no_vote: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The caller has not approved the request, so there is nothing to withdraw.',
  },
  nothing_to_retry: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'No turn has failed, or another turn runs.',
  },
  not_restorable: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning:
      'The summary cannot be taken back; `details.because` says why: a turn runs, a later summary replaced it, or there is none.',
  },
  cli_session_taken: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'Another session has this CLI session; `details.session` says which.',
  },
  history_gap: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'Entries before this page are missing; send from `details.entries` on.',
  },
  history_changed: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The history is another one than the caller knows; begin at its first entry.',
  },
  message_repeated: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'A signed message with this `webhook-id` was received before.',
  },
  not_waiting: {
    status: 409,
    retry: 'never',
    close: 1008,
    meaning: 'The turn does not wait for a result of this tool call; `details.status` says why.',
  },
  link_expired: {
    status: 410,
    retry: 'never',
    close: 1008,
    meaning: 'The answer link has expired, or its maker was revoked or deleted.',
  },
  too_large: {
    status: 413,
    retry: 'never',
    close: 1009,
    meaning: 'The body is larger than `details.maxBytes`.',
  },
  unsupported_media_type: {
    status: 415,
    retry: 'never',
    close: 1008,
    meaning: 'The body is encoded, or not JSON in UTF-8; the message says what to send.',
  },
  wrong_kind: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The request does not fit the kind of the interaction.',
  },
  unknown_kind: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The server does not know this kind of interaction.',
  },
  invalid_values: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning:
      'Some values do not fit; `details.fieldErrors` says which. The interaction stays open.',
  },
  text_not_an_answer: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The text is not an answer to the interaction in `replyTo`.',
  },
  not_offered: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The answer has a choice or an edit that was not offered.',
  },
  unknown_attachment: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning:
      'The session has no file of an id in `attachments`; `details.attachments` says which. Send the file again; nothing else happened.',
  },
  unknown_event_type: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The session alone may write events of this type.',
  },
  idempotency_key_reused: {
    status: 422,
    retry: 'never',
    close: 1008,
    meaning: 'The idempotency key was used before, for a different request.',
  },
  upgrade_required: {
    status: 426,
    retry: 'never',
    close: 1008,
    meaning: 'This path takes WebSocket connections only.',
  },
  limit_reached: {
    status: 429,
    retry: 'later',
    close: 1013,
    meaning: 'A limit of the session is reached; the message names it.',
  },
  rate_limited: {
    status: 429,
    retry: 'later',
    close: 1013,
    meaning: 'The credential made too many requests; wait as `Retry-After` says.',
  },
  internal: {
    status: 500,
    retry: 'now',
    close: 1011,
    meaning: 'The server failed. The request can be repeated.',
  },
  not_configured: {
    status: 500,
    retry: 'later',
    close: 1011,
    meaning: 'The deployment lacks a secret or setting, or a setting is wrong.',
  },
  model_not_configured: {
    status: 503,
    retry: 'later',
    close: 1013,
    meaning: 'The deployment has neither a key for a model nor the demo model.',
  },
  write_failed: {
    status: 503,
    retry: 'now',
    close: 1011,
    meaning:
      'The server could not store the command, and nothing happened. The request can be repeated.',
  },
  unavailable: {
    status: 503,
    retry: 'now',
    close: 1013,
    meaning: 'The server is too busy at the moment. The request can be repeated.',
  },
} as const satisfies Record<
  string,
  { status: number; retry: Retry; close: number; meaning: string }
>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * The client's reading of a code and a status, also for codes of a newer server. A page loads these functions without the
 * table; `test/protocol/errors.test.ts` compares each row of the table with them.
 */
export function retryOf(code: string, status: number): Retry {
  if (status === 429 || code.endsWith('not_configured')) return 'later';
  return status >= 500 ? 'now' : 'never';
}

/** The close codes that say more than "the request was wrong" (1008). */
const OWN_CLOSES: Readonly<Record<string, number>> = {
  unauthenticated: 4401,
  forbidden: 4403,
  not_found: 4404,
  session_deleted: 4404,
  cursor_ahead: 4409,
  too_large: 1009,
};

/** The close code of a socket after this refusal; 1013 for every refusal that a later try may change. */
export function closeOf(code: string, status: number): number {
  return retryOf(code, status) === 'never' ? (OWN_CLOSES[code] ?? 1008) : 1013;
}

/** Undefined if the code never ends an open stream. */
export function finalCloseOf(code: string): number | undefined {
  return OWN_CLOSES[code];
}

/** A refusal as a value; `details` has the evidence for a person or a client to correct the request. */
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

/** For a text that is not JSON, or that programs could read differently. */
export function jsonRejection(result: Extract<JsonResult, { ok: false }>): Rejection {
  const { ok: _ok, problem, ...place } = result;
  return Object.keys(place).length === 0
    ? reject('invalid_json', problem)
    : reject('invalid_json', problem, place);
}

/** The value that was read, or the reason for the refusal. */
export type ReadResult<Value> = { readonly ok: true; readonly value: Value } | Rejection;
