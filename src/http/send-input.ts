/**
 * The exact input of an interaction, as a file to save.
 *
 * A large one is read part by part while the reader takes it, so no more than a part of it is in memory, and it is never shown as a
 * page: an agent wrote it.
 */
import * as z from '../protocol/schema/zod.ts';
import type { ReadResult, Rejection } from '../protocol/errors.ts';
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
): Promise<Response | Rejection> {
  const read = async (part: number): Promise<ReadResult<{ text: string; isLast: boolean }>> => {
    const found = await findSession();
    return found.ok ? found.session.inputPart(interactionId, part) : found;
  };
  const first = await read(0);
  if (!first.ok) return first;
  const encoder = new TextEncoder();
  let part = 0;
  let next: typeof first.value | undefined = first.value;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === undefined) {
        part += 1;
        const further = await read(part);
        // Half of an input must not look like all of it, so the transfer breaks.
        if (!further.ok) throw new Error(further.message);
        next = further.value;
      }
      controller.enqueue(encoder.encode(next.text));
      if (next.isLast) controller.close();
      next = undefined;
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': 'attachment; filename="input.json"',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });
}
