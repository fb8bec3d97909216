/**
 * Trying until somebody answers.
 *
 * A server that restarts, a network that is gone, a rate limit that is full: an agent that gave up on
 * these would lose an answer that a person is about to give. Only a refusal that no repeat can change
 * ends it, or the patience of whoever asks.
 */
import { askedPause, ClientError, unreachable } from '../errors.ts';
import { linked, sleep } from '../requests/signals.ts';
import { backoff, type Timing } from '../backoff.ts';

export interface RetryInfo {
  readonly error: ClientError;
  /** How long nothing is tried now. */
  readonly pauseMs: number;
}

export interface RetryLimits {
  /** How long an ask may fail to get through before it is given up; left out, for ever. */
  readonly giveUpAfterMs?: number | undefined;
  /** The same once it is asked, for the waiting; left out, as long as `giveUpAfterMs`. */
  readonly waitAtMostMs?: number | undefined;
}

export interface RetryOptions {
  readonly giveUpAfterMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What one try takes when nothing is wrong: a wait is no trouble. */
  readonly workMs?: number;
  readonly pace: Pick<Timing, 'baseMs' | 'capMs'>;
  readonly onRetry?: ((trouble: RetryInfo) => void) | undefined;
}

/** The longest that a timer can be set for; more than this would ring at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export async function retryUntil<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { giveUpAfterMs, signal, workMs = 0, pace, onRetry }: RetryOptions,
): Promise<Value> {
  const until = Date.now() + giveUpAfterMs;
  let last: ClientError | undefined;
  for (let tries = 0; ; tries += 1) {
    const left = until - Date.now() + workMs;
    const { signal: either, release } = linked([signal], left > TIMER_MAX_MS ? undefined : left);
    try {
      return await work(either);
    } catch (cause) {
      if (signal?.aborted === true || !(cause instanceof ClientError)) throw cause;
      // Ours ended it, not the caller's: the patience is over, and the last reason is the one to say.
      if (cause.code === 'aborted')
        throw last ?? unreachable('The server was not reached in time', cause);
      if (!mayPass(cause)) throw cause;
      last = cause;
    } finally {
      release();
    }
    const pauseMs = Math.max(askedPause(last.details), backoff(tries, Math.random(), pace));
    if (Date.now() + pauseMs > until) throw last;
    onRetry?.({ error: last, pauseMs });
    await sleep(pauseMs, signal ?? new AbortController().signal);
  }
}

/** Too many questions at once go away by themselves; a log that is full does not. */
function mayPass({ code, retry, details }: ClientError): boolean {
  const limit = details?.limit;
  if (code !== 'limit_reached') return retry !== 'never';
  return limit !== 'eventsPerSession' && limit !== 'repromptsPerToolCall';
}
