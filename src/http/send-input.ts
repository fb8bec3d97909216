/**
 * The exact input of an interaction, as a file to save.
 *
 * A large one is read part by part while the reader takes it. It is never shown as a page: an agent wrote it.
 */
import * as z from '../protocol/schema/zod.ts';
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import { streamParts } from './streaming/stream-parts.ts';
import type { InputPart } from '../session/queries.ts';
import type { SessionStub } from './stubs.ts';

export const InputFile = z
  .looseObject({})
  .meta({ id: 'InputFile', description: 'The exact input as canonical JSON.' });

export type FindSession = () => Promise<
  { readonly ok: true; readonly session: SessionStub } | Rejection
>;

/** `findSession` is called for each part: the reader decides how long this takes. */
export async function sendInput(
  findSession: FindSession,
  interactionId: string,
  onEnd: () => void,
): Promise<Response | Rejection> {
  const read = async (part: number): Promise<ReadResult<InputPart>> => {
    const found = await findSession();
    return found.ok ? found.session.inputPart(interactionId, part) : found;
  };
  const first = await read(0);
  if (!first.ok) return first;
  const encoder = new TextEncoder();
  const whole = { bytes: first.value.bytes, first: first.value };
  const body = streamParts(whole, read, ({ text }) => encoder.encode(text), onEnd);
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': 'attachment; filename="input.json"',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });
}
