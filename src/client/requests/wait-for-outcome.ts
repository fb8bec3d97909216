/** Waiting for an outcome, in waits of the length a server gives; a restart in between ends none. */
import { ClientError } from '../errors.ts';
import type { RequestOptions } from '../transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import { type Calls, part } from './http-calls.ts';

/** The server waits no longer at a time. */
const POLL_SECONDS = 55;

export async function interactionAfter(
  calls: Calls,
  path: string,
  { signal, waitSeconds = 0 }: RequestOptions & { readonly waitSeconds?: number | undefined },
): Promise<Interaction> {
  const until = Date.now() + waitSeconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
    const wait = Math.min(POLL_SECONDS, left);
    const query = wait === 0 ? {} : { wait };
    try {
      const answer = await calls.get(path, query, { signal }, wait * 1_000);
      const interaction = part<Interaction>(answer, 'interaction');
      if (interaction.status === 'settled' || left <= wait) return interaction;
    } catch (cause) {
      const mayPass = cause instanceof ClientError && cause.retry === 'now';
      if (!mayPass || Date.now() >= until) throw cause;
    }
  }
}
