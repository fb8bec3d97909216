/** What each error code means to whoever gets it; status and retry come from the one table. */
import { type ErrorCode, ERRORS } from '../../protocol/error.ts';
import type { ErrorNote } from './document.ts';

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON that everyone reads the same way; `details.path` says where.',
  invalid_request: 'Something does not fit its schema; `details.issues` lists what.',
  invalid_answer: 'The answer does not fit what was asked; the interaction stays open.',
  cursor_ahead: 'The cursor is beyond the end of the log; `details` has the head.',
  unauthenticated: 'No credential, or one that is not valid, has expired or was revoked.',
  forbidden: 'The credential lacks a scope; `details.scopes` names those that would do.',
  not_found: 'It does not exist, or not for this credential.',
  method_not_allowed: 'The path exists, but not with this method.',
  session_exists: 'There is a session with this id already.',
  session_deleted: 'The session was deleted; its id is never used again.',
  already_settled:
    'Somebody was faster; `details` says who, how and when, and `yours` that it was the caller.',
  input_changed: 'What was seen is no longer what would run; look again.',
  step_moved: 'Another question is the one to answer now; `details.current` says which.',
  ambiguous_text: 'Several open interactions take text; name one with `replyTo`.',
  already_extended: 'It was given its time once more already.',
  nothing_to_retry: 'No turn has failed, or another one runs already.',
  not_waiting: 'Nobody waits for a result of this tool call; `details.status` says why.',
  too_large: 'The body is larger than `details.maxBytes`.',
  unsupported_media_type:
    'The body is encoded, or no JSON in UTF-8; the message says what to send.',
  wrong_kind: 'The interaction is of another kind than this request is for.',
  unknown_kind: 'There is no such kind of interaction here.',
  invalid_values: 'Some values do not fit; `details.fieldErrors` says which. It is still open.',
  text_not_an_answer: 'These words are not an answer to what `replyTo` names.',
  not_offered: 'What was chosen was not offered.',
  unknown_event_type: 'Only the session itself may write events of this type.',
  idempotency_key_reused: 'The key was used before, for a different request.',
  upgrade_required: 'This path takes WebSocket connections only.',
  limit_reached: 'A limit of the session is reached; the message names it.',
  rate_limited: 'Too many requests with this credential; wait as `Retry-After` says.',
  internal: 'Something went wrong here. The request can be repeated.',
  not_configured: 'The service lacks a setting it needs.',
  model_not_configured: 'The deployment has neither a key for a model nor the demo model.',
  write_failed: 'It could not be stored, and nothing happened. The request can be repeated.',
  unavailable: 'Too busy at the moment. The request can be repeated.',
};

export function meaningOf(code: ErrorCode): string {
  return MEANINGS[code];
}

export const ERROR_NOTES = Object.fromEntries(
  Object.entries(ERRORS).map(([code, { status, retry, close }]) => [
    code,
    { status, retry, close, meaning: MEANINGS[code as ErrorCode] },
  ]),
) as Record<ErrorCode, ErrorNote>;
