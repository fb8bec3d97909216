/** The forms in which handlers return results. */
import * as z from 'zod';
import type { Rejection } from '../protocol/errors.ts';
import type { ResultText } from '../session/view.ts';
import type { ReadResult } from '../protocol/result.ts';
import type { RouteResult } from './route.ts';

/** The result of a command. A repeat gets the first result again, and is marked. */
export function commandResponse(result: ResultText | Rejection, status: number): RouteResult {
  if (!result.ok) return result;
  const { json, isNew, replayed } = result;
  return { status: isNew ? status : 200, text: json, headers: replayed ? REPLAYED_HEADERS : {} };
}

const REPLAYED_HEADERS = { 'Idempotency-Replayed': 'true' };

export function readResponse<Value>(
  read: ReadResult<Value>,
  json: (value: Value) => unknown,
): RouteResult {
  return read.ok ? { status: 200, json: json(read.value) } : read;
}

export function textResponse(read: ReadResult<string>): RouteResult {
  return read.ok ? { status: 200, text: read.value } : read;
}

/** The events are written; `head` is the last `seq` of the log. */
export const HeadReply = z
  .strictObject({ ok: z.literal(true), head: z.number() })
  .meta({ id: 'HeadReply' });

/** How many interactions were cancelled. */
export const Cancelled = z.strictObject({ cancelled: z.number() }).meta({ id: 'Cancelled' });
