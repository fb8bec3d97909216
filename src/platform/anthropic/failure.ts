/**
 * Turns an error of the SDK into an outcome: whether a retry can help, and a sentence for a person.
 *
 * Busy, failing and silent servers are tried again later. The API would refuse a refused request again, until a person
 * acts; the message says what to do.
 */
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
} from '@anthropic-ai/sdk/core/error';
import type { FailureReason, ModelFailed } from '../../agent/model.ts';
import { BrokenAnswerError, SilentAnswerError } from './read-answer.ts';
import { MalformedAnswerError } from './wire-events.ts';

type Fault = Pick<ModelFailed, 'reason' | 'retry' | 'message'>;

/** An error response may quote the whole request; the log and the screen need less. */
const DETAIL_CHARS = 500;

const MODEL_BUSY = 'The model is busy.';
const MALFORMED_MESSAGE = 'The answer of the model broke off or made no sense.';
const KEY_REFUSED = 'The key for the model is refused. Check ANTHROPIC_API_KEY.';

/** By the `type` of the error in a body or a stream, which is more exact than a status. */
const BY_TYPE: Readonly<Record<string, Fault>> = {
  overloaded_error: retryLater('overloaded', MODEL_BUSY),
  rate_limit_error: retryLater('rate_limited', 'The limit of the model account is reached.'),
  api_error: retryLater('server_error', 'The model service failed.'),
  timeout_error: retryLater('timeout', 'The model took too long.'),
  authentication_error: neverRetry('not_authorized', KEY_REFUSED),
  permission_error: neverRetry('not_authorized', 'The key may not use this model.'),
  billing_error: neverRetry('not_authorized', 'The model account cannot pay for this call.'),
  not_found_error: neverRetry('not_found', 'The model is not known to the API. Check its name.'),
  request_too_large: neverRetry('too_long', 'The conversation is too large for one request.'),
  invalid_request_error: neverRetry('invalid_request', 'The model service refused the request.'),
};

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'api_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export interface Circumstances {
  /** Removed from messages, also from a response that quotes it. */
  readonly secret: string;
  readonly now: number;
  /** Whether an answer had begun. Before it, what is no failure of the network is one of the settings; after it, of this code. */
  readonly isConnected: boolean;
}

export function failureOf(
  cause: unknown,
  { secret, now, isConnected }: Circumstances,
): ModelFailed {
  const fault = faultOf(cause, isConnected);
  const detail = detailOf(cause);
  const whole = detail === undefined ? fault.message : `${fault.message} (${detail})`;
  const message = secret === '' ? whole : whole.replaceAll(secret, '<redacted>');
  const waitMs = cause instanceof APIError ? retryAfterOf(cause.headers, now) : undefined;
  return {
    type: 'failed',
    reason: fault.reason,
    retry: fault.retry,
    ...(fault.retry === 'later' && waitMs !== undefined && { retryAfterMs: waitMs }),
    message,
  };
}

function faultOf(cause: unknown, isConnected: boolean): Fault {
  if (cause instanceof MalformedAnswerError)
    return retryLater('malformed_answer', MALFORMED_MESSAGE);
  if (cause instanceof APIConnectionTimeoutError)
    return retryLater('timeout', 'The model did not answer in time.');
  if (cause instanceof APIConnectionError)
    return retryLater('connection_lost', 'The model cannot be reached.');
  if (cause instanceof APIError) return faultOfApi(cause);
  if (cause instanceof SilentAnswerError)
    return retryLater('timeout', 'The model fell silent in the middle of its answer.');
  if (cause instanceof BrokenAnswerError)
    return retryLater('connection_lost', 'The connection to the model was lost.');
  return isConnected
    ? neverRetry('internal', 'Something is wrong in Holdpoint itself.')
    : neverRetry('internal', 'The model could not be called. Check its key and its address.');
}

/** The API has no code for it. Gateways say it in other words; without them the turn fails with theirs. */
const TOO_LONG =
  /prompt is too long|exceeds? (?:the )?(?:model'?s? )?(?:maximum )?context|context (?:length|window) exceeded|maximum context length/i;

function faultOfApi(cause: APIError): Fault {
  const { status, type } = cause;
  const known =
    (type === null ? undefined : BY_TYPE[type]) ?? BY_TYPE[BY_STATUS[status ?? 0] ?? ''];
  if (known?.reason === 'invalid_request' && TOO_LONG.test(cause.apiMessage ?? cause.message)) {
    return neverRetry('too_long', 'The conversation is too long for the model.');
  }
  if (known !== undefined) return known;
  const isTheirs = status === undefined || status >= 500 || status < 400;
  return isTheirs
    ? retryLater('server_error', 'The model service failed.')
    : neverRetry('invalid_request', 'The model service refused the request.');
}

function detailOf(cause: unknown): string | undefined {
  const text =
    cause instanceof APIError ? (cause.apiMessage ?? cause.message) : describeCauseOf(cause);
  const clean = text.trim();
  if (clean === '') return undefined;
  return clean.length <= DETAIL_CHARS ? clean : `${clean.slice(0, DETAIL_CHARS)}…`;
}

function describeCauseOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function retryLater(reason: FailureReason, message: string): Fault {
  return { reason, retry: 'later', message };
}

function neverRetry(reason: FailureReason, message: string): Fault {
  return { reason, retry: 'never', message };
}

/** How long the API asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const ms = numberIn(headers?.get('retry-after-ms'));
  if (ms !== undefined) return Math.round(ms);
  const text = headers?.get('retry-after');
  const seconds = numberIn(text);
  if (seconds !== undefined) return Math.round(seconds * 1_000);
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | null | undefined): number | undefined {
  return text != null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
