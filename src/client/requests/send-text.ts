/** A text to a session, and what the session did with it: a turn, an answer, a place in the queue, or a command. */
import type { Routed, WithAttachments, WriteOptions } from '../transport.ts';
import { cancelledBy, type HttpCalls, sessionPath } from './http-calls.ts';
import { resolveRouted } from './late-answer.ts';

interface OutgoingText extends WithAttachments {
  readonly text: string;
  readonly replyTo?: string | undefined;
}

export async function sendText(
  calls: HttpCalls,
  sessionId: string,
  message: OutgoingText,
  how?: WriteOptions,
): Promise<{ routed: Routed; isOld: boolean }> {
  return resolveRouted(message.replyTo, postText(calls, sessionId, message, how));
}

async function postText(
  calls: HttpCalls,
  sessionId: string,
  message: OutgoingText,
  how: WriteOptions | undefined,
) {
  const reply = await calls.post(sessionPath(sessionId, 'messages'), message, how);
  const { body, isOld } = reply;
  const routed =
    body.routed === undefined
      ? { routed: 'command' as const, ...cancelledBy(reply) }
      : (body as unknown as Routed);
  return { routed, isOld };
}
