/** Waits for an outcome in several long polls, through restarts of the server. */
import { WAIT_SECONDS } from '../../protocol/limits.ts';
import { ClientError } from '../errors.ts';
import type { WaitOptions } from '../transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import { type HttpCalls, readPart } from './http-calls.ts';

export async function interactionAfter(
  calls: HttpCalls,
  path: string,
  { signal, waitSeconds = 0, toolCallId }: WaitOptions,
): Promise<Interaction> {
  const until = Date.now() + waitSeconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
    const wait = Math.min(WAIT_SECONDS, left);
    const query = wait === 0 ? {} : { wait, toolCallId };
    try {
      const reply = await calls.get(path, query, { signal }, wait * 1_000);
      const interaction = readPart<Interaction>(reply, 'interaction');
      const { status, reassignedTo } = interaction;
      const isLost =
        toolCallId !== undefined && (reassignedTo?.toolCallId ?? toolCallId) !== toolCallId;
      if (status === 'settled' || isLost || left <= wait) return interaction;
    } catch (cause) {
      const mayPass = cause instanceof ClientError && cause.retry === 'now';
      if (!mayPass || Date.now() >= until) throw cause;
    }
  }
}
