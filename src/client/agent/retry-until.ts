/**
 * Retries a request until it succeeds.
 *
 * An agent that gave up on a restart of the server, a lost network or a full rate limit would lose the answer that a person
 * is about to give. Only a refusal that no repeat can change ends the retries, or the time limit of the caller.
 */
import { requestedPauseMs, ClientError, unreachableError } from '../errors.ts';
import { linkSignals, sleep } from '../requests/signals.ts';
import { backoff, type Timing } from '../backoff.ts';

export interface RetryInfo {
  readonly error: ClientError;
  /** The pause before the next try. */
  readonly pauseMs: number;
}

export interface RetryLimits {
  /** How long requests may fail until the question is opened. Default: without limit. */
  readonly giveUpAfterMs?: number | undefined;
  /** The same once the question is open, for the wait. Default: `giveUpAfterMs`. */
  readonly waitAtMostMs?: number | undefined;
}

export interface RetryOptions {
  readonly giveUpAfterMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Normal duration of one try, which does not count against `giveUpAfterMs`. */
  readonly workMs?: number;
  readonly timing: Pick<Timing, 'baseMs' | 'capMs'>;
  readonly onRetry?: ((info: RetryInfo) => void) | undefined;
}

/** The longest time of a timer; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export async function retryUntil<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { giveUpAfterMs, signal, workMs = 0, timing, onRetry }: RetryOptions,
): Promise<Value> {
  const until = Date.now() + giveUpAfterMs;
  let last: ClientError | undefined;
  for (let tries = 0; ; tries += 1) {
    const left = until - Date.now() + workMs;
    const { signal: either, release } = linkSignals(
      [signal],
      left > TIMER_MAX_MS ? undefined : left,
    );
    try {
      return await work(either);
    } catch (cause) {
      if (signal?.aborted === true || !(cause instanceof ClientError)) throw cause;
      // The time limit aborted this try, not the caller, so the last failure is the reason.
      if (cause.code === 'aborted')
        throw last ?? unreachableError('The server was not reached in time', cause);
      if (!mayPass(cause)) throw cause;
      last = cause;
    } finally {
      release();
    }
    const pauseMs = Math.max(requestedPauseMs(last.details), backoff(tries, Math.random(), timing));
    if (Date.now() + pauseMs > until) throw last;
    onRetry?.({ error: last, pauseMs });
    await sleep(pauseMs, signal ?? new AbortController().signal);
  }
}

/** The limit of open questions passes when one settles; a full log stays full. */
function mayPass({ code, retry, details }: ClientError): boolean {
  const limit = details?.limit;
  if (code !== 'limit_reached') return retry !== 'never';
  return limit !== 'eventsPerSession' && limit !== 'repromptsPerToolCall';
}
