/** What handlers say, in the few forms they say it. */
import * as z from 'zod';
import { LIMITS } from '../protocol/limits.ts';
import type { Handled } from '../session/session.ts';
import type { Read } from './ports.ts';
import type { Answer } from './route.ts';

/** The outcome of a command; a repeat is marked, and says what the first one said. */
export function handled(result: Handled, status: number): Answer {
  if (!result.ok) return result;
  const created =
    result.reply.type === 'interaction' && result.reply.created === false ? 200 : status;
  return {
    status: result.reply.type === 'gate' ? 200 : created,
    json: result.body,
    headers: result.replayed ? { 'Idempotency-Replayed': 'true' } : {},
  };
}

export function found<Value>(read: Read<Value>, json: (value: Value) => unknown): Answer {
  return read.ok ? { status: 200, json: json(read.value) } : read;
}

export function jsonText(read: Read<string>): Answer {
  if (!read.ok) return read;
  return new Response(read.value, {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  });
}

/** Written; `head` is where the log ends now. */
export const Logged = z.strictObject({ ok: z.literal(true), head: z.number() });

/** A whole number in a query, as digits only; anything else is a mistake, not a zero. */
export const WholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'Use a whole number')
  .transform(Number);

export const PageSize = WholeNumber.refine(
  (value) => value >= 1 && value <= LIMITS.pageMax,
  `Use 1 to ${LIMITS.pageMax}`,
);
