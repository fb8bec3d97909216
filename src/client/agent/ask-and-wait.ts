/**
 * One question, from asking to its end, through restarts of the server and lost networks.
 *
 * 1. It is asked once, however often the asking is repeated: by its tool call id and by one key.
 * 2. Whoever waits hears the outcome, also if it came while nobody could be reached.
 * 3. An abort leaves nothing open that nobody waits for (CAN-4). If the abort came while the asking
 *    was under way, nobody knows whether it was asked; it is asked once more to learn its name. The
 *    error has the record in `details.interaction`.
 */
import { abortedError, ClientError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { Transport } from '../transport.ts';
import type { Interaction, InteractionRequest, JsonObject } from '../../protocol/types.ts';
import { retryUntil, type RetryOptions } from './retry-until.ts';
import type { EnsuredSession } from './ensure-session.ts';

export interface Asking {
  readonly transport: Transport;
  readonly session: EnsuredSession;
  readonly pace: RetryOptions['pace'];
  readonly onRetry: RetryOptions['onRetry'];
  readonly giveUpAfterMs: number;
  readonly waitAtMostMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onOpened: ((interaction: Interaction) => void) | undefined;
}

/** A person's outcome, or what a rule or the mode said without asking one. */
export type Ended =
  | { readonly type: 'interaction'; readonly interaction: Interaction }
  | { readonly type: 'decided'; readonly decision: JsonObject };

/** The server waits no longer at a time. */
const POLL_SECONDS = 55;
const CANCEL_MS = 10_000;
const REASON = 'The agent no longer waits for this';

export async function askAndWait(asking: Asking, request: InteractionRequest): Promise<Ended> {
  const { session, signal, giveUpAfterMs } = asking;
  if (hasGivenUp(asking)) throw abortedError(signal?.reason);
  const idempotencyKey = freshKey();
  const how = { ...asking, giveUpAfterMs };
  const open = (until: AbortSignal) => session.open(request, { idempotencyKey, signal: until });
  let name: string | undefined;
  try {
    const opened = await retryUntil(open, how);
    if (opened.type === 'decided') return opened;
    name = opened.interaction.interactionId;
    if (opened.interaction.status === 'open') await tell(asking, opened.interaction);
    return { type: 'interaction', interaction: await ended(asking, opened.interaction) };
  } catch (cause) {
    if (!hasGivenUp(asking)) throw cause;
    throw await takenBack(asking, name, open);
  }
}

/** Whoever cannot be told that a question is open does not wait for it, so it may not stay open. */
async function tell(asking: Asking, opened: Interaction): Promise<void> {
  try {
    asking.onOpened?.(opened);
  } catch (cause) {
    const sessionId = await asking.session.id();
    const failed = await asking.transport.cancel(sessionId, opened.interactionId, REASON).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    throw failed === undefined
      ? cause
      : new AggregateError([cause, failed], 'Not told, still open');
  }
}

function hasGivenUp({ signal }: Asking): boolean {
  return signal?.aborted === true;
}

async function ended(asking: Asking, opened: Interaction): Promise<Interaction> {
  const { transport, session, waitAtMostMs } = asking;
  const sessionId = await session.id();
  const waitSeconds = Math.min(POLL_SECONDS, Math.max(1, Math.ceil(waitAtMostMs / 1_000)));
  const how = { ...asking, giveUpAfterMs: waitAtMostMs, workMs: waitSeconds * 1_000 };
  let interaction = opened;
  while (interaction.status === 'open') {
    interaction = await retryUntil(
      (signal) => transport.interaction(sessionId, opened.interactionId, { waitSeconds, signal }),
      how,
    );
  }
  return interaction;
}

/** The error to reject with; what went wrong with the cancel is its cause. */
async function takenBack(
  asking: Asking,
  known: string | undefined,
  open: (signal: AbortSignal) => ReturnType<EnsuredSession['open']>,
): Promise<ClientError> {
  const { transport, session, pace, signal } = asking;
  const gaveUp = abortedError(signal?.reason);
  const how = { pace, onRetry: asking.onRetry, giveUpAfterMs: CANCEL_MS };
  try {
    const name = known ?? (await nameOf(retryUntil(open, how)));
    if (name === undefined) return gaveUp;
    const sessionId = await session.id();
    const cancel = (until: AbortSignal) =>
      beforeAbort(transport.cancel(sessionId, name, REASON), until);
    const { interaction } = await retryUntil(cancel, how);
    const details = { interaction } as unknown as JsonObject;
    return new ClientError({ ...gaveUp, message: gaveUp.message, details, cause: gaveUp.cause });
  } catch (cause) {
    const message = 'Given up, and the question could not be cancelled: it may still be open';
    return new ClientError({ ...gaveUp, message, cause });
  }
}

/** A cancel cannot be stopped on its way, but whoever waits for it can stop waiting. */
function beforeAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortedError(signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function nameOf(opening: ReturnType<EnsuredSession['open']>): Promise<string | undefined> {
  const opened = await opening;
  return opened.type === 'decided' ? undefined : opened.interaction.interactionId;
}
