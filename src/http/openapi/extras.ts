/**
 * What a route reads or sends that its declaration has no place for: headers, forms of an answer
 * other than JSON, the refusals of its command. Keyed by method and path; a test finds stale keys.
 */
import type * as z from 'zod';
import type { ErrorCode } from '../../protocol/error.ts';
import { ClientFrame, ServerFrame } from '../../protocol/frame.ts';
import { InboxFrame } from '../../protocol/inbox-frame.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Media, Parameter } from './document.ts';

export interface Extra {
  readonly headers?: readonly Parameter[];
  /** By media type, for the successful answer; JSON comes from the route. */
  readonly media?: Readonly<Record<string, Media>>;
  readonly refusals?: readonly ErrorCode[];
  /** The frames of a socket. */
  readonly socket?: { readonly sends?: z.ZodType; readonly receives: z.ZodType };
}

const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `\`wait=55\`: the response waits up to so many seconds for the outcome, ${LIMITS.waitSeconds} at most.`,
  schema: { type: 'string' },
  example: `wait=${LIMITS.waitSeconds}`,
};

const ACCEPT: Parameter = {
  name: 'Accept',
  in: 'header',
  required: false,
  description: '`text/event-stream` follows live instead of reading one page.',
  schema: { type: 'string' },
};

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `seq` a stream goes on after; it wins over `after`. Browsers send it themselves.',
  schema: { type: 'integer', minimum: 0 },
};

const EVENT_STREAM: Media = {
  schema: {
    type: 'string',
    description:
      'The log from the cursor, then live: `id` is the `seq`, `event` the type, `data` a `SessionEvent`.',
  },
};

const TURN_STREAM: Media = {
  schema: {
    type: 'string',
    description:
      'What follows from the message, one event each: `text_delta`, `tool_call_start`, `tool_call_delta`, `tool_call_end`, `tool_result`, `approval_required`, `question_prompt`, `plan_review_required`, `form_required`, `interaction_resolved`, `session_status`, `error`, and `done` at the end.',
  },
};

const INBOX_STREAM: Media = {
  schema: {
    type: 'string',
    description: 'The first page, then what changes: `event` the type, `data` an `InboxFrame`.',
  },
};

const EXPORT: Media = {
  schema: { type: 'string', description: 'One `SessionEvent` as JSON in each line.' },
};

const ANSWERING = ['invalid_answer', 'already_settled', 'not_offered', 'invalid_values'] as const;

const SHORT_FORMS = Object.fromEntries(
  ['submit-answers', 'approve', 'deny'].map((name) => [
    `POST /v1/sessions/:id/${name}`,
    { refusals: ['invalid_answer', 'already_settled', 'input_changed'] satisfies ErrorCode[] },
  ]),
);

export const EXTRAS: Readonly<Record<string, Extra>> = {
  ...SHORT_FORMS,
  'POST /v1/sessions': { refusals: ['session_exists', 'session_deleted'] },
  'POST /v1/sessions/:id/interactions': {
    headers: [PREFER],
    refusals: ['unknown_kind', 'limit_reached'],
  },
  'POST /v1/sessions/:id/interactions/:iid/answer': {
    refusals: [...ANSWERING, 'input_changed', 'step_moved', 'wrong_kind', 'limit_reached'],
  },
  'DELETE /v1/sessions/:id/interactions/:iid': { refusals: ['already_settled'] },
  'POST /v1/sessions/:id/interactions/:iid/extend': {
    refusals: ['already_settled', 'already_extended'],
  },
  'GET /v1/sessions/:id/events': {
    headers: [ACCEPT, LAST_EVENT_ID],
    media: { 'text/event-stream': EVENT_STREAM },
    refusals: ['cursor_ahead'],
  },
  'POST /v1/sessions/:id/events': { refusals: ['unknown_event_type', 'limit_reached'] },
  'GET /v1/sessions/:id/socket': {
    socket: { sends: ClientFrame, receives: ServerFrame },
    refusals: ['upgrade_required', 'cursor_ahead', 'limit_reached'],
  },
  'GET /v1/sessions/:id/export': { media: { 'application/x-ndjson': EXPORT } },
  'POST /v1/sessions/:id/messages': {
    headers: [ACCEPT],
    media: { 'text/event-stream': TURN_STREAM },
    refusals: ['ambiguous_text', 'text_not_an_answer', 'limit_reached', 'model_not_configured'],
  },
  'POST /v1/sessions/:id/retry': { refusals: ['nothing_to_retry', 'model_not_configured'] },
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result': { refusals: ['not_waiting'] },
  'GET /v1/inbox': {
    headers: [ACCEPT],
    media: { 'text/event-stream': INBOX_STREAM },
    refusals: ['limit_reached'],
  },
  'GET /v1/inbox/socket': {
    socket: { receives: InboxFrame },
    refusals: ['upgrade_required', 'limit_reached'],
  },
};
