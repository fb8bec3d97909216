/**
 * What the routes that read the log share: a page of it after a cursor, or all that follows the cursor as a stream
 * (LOG-6). Each route turns the events into a form of its own.
 */
import * as z from 'zod';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { wantsStream } from '../accept.ts';
import { LOG_TAG, type RequestHeader, type RouteCall } from '../route.ts';
import { ACCEPT_STREAM, AfterSeq, InSession, PageSize, WholeNumber } from './params.ts';

const LAST_EVENT_ID: RequestHeader = {
  name: 'Last-Event-ID',
  description:
    'The `seq` after which a stream goes on; wins over `after`. Browsers send the header themselves.',
  schema: { type: 'integer', minimum: 0 },
};

const LogQuery = z.strictObject({ after: AfterSeq.optional(), limit: PageSize.optional() });

export const READS_LOG = {
  method: 'GET',
  tag: LOG_TAG,
  access: { in: 'session', anyOf: ['read'] },
  params: InSession,
  query: LogQuery,
  headers: [ACCEPT_STREAM, LAST_EVENT_ID],
  errorCodes: ['cursor_ahead'],
} as const;

export const CURSOR_AHEAD = {
  description: '`cursor_ahead`: the cursor is beyond the head; `details` has the head',
};

interface LogReading {
  readonly ok: true;
  readonly isStream: boolean;
  readonly after: number;
  /** Of a page. */
  readonly limit: number;
}

export function readingOf({
  http,
  query,
}: Pick<RouteCall<unknown, z.output<typeof LogQuery>, unknown>, 'http' | 'query'>):
  | LogReading
  | Rejection {
  const { after = 0, limit = LIMITS.pageDefault } = query;
  const isStream = wantsStream(http.req.raw);
  const last = isStream ? http.req.header('Last-Event-ID') : undefined;
  // A stream resumes after the last event that the client received, wherever its address begins.
  if (last === undefined || last === '') return { ok: true, isStream, after, limit };
  const parsed = WholeNumber.safeParse(last);
  return parsed.success
    ? { ok: true, isStream, after: parsed.data, limit }
    : reject('invalid_request', 'Last-Event-ID: not a cursor');
}
