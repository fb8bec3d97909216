/**
 * Retries a request until it succeeds.
 *
 * An agent that gave up on a restart of the server, a lost network or a full rate limit would lose the answer that a person
 * is about to give. Only a refusal that no repeat can change ends the retries, or the time limit of the caller.
 */
import { requestedPauseMs, ClientError, unreachableError } from '../errors.ts';
import { linkSignals, sleep } from '../requests/signals.ts';
import { backoff, type Timing } from '../backoff.ts';
import type { Away } from './away.ts';

export interface RetryInfo {
  readonly error: ClientError;
  /** The pause before the next try. */
  readonly pauseMs: number;
}

export interface RetryLimits {
  /** How long requests may fail until the question is open (GATE-5). Default: 15. */
  readonly giveUpAfterSeconds?: number | undefined;
  /** The same while the question is open. Default: without limit, because the answer of a person would be lost. */
  readonly giveUpOpenAfterSeconds?: number | undefined;
}

/** Without a bound a wrong address would block the agent; a server that restarts is back sooner. */
export const GIVE_UP_AFTER_SECONDS = 15;

export interface RetryOptions {
  readonly giveUpAfterMs: number;
  /** What the process knows of a server that was away, for a request that opens a question or finds one. */
  readonly away?: Away | undefined;
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
  { giveUpAfterMs, away, signal, workMs = 0, timing, onRetry }: RetryOptions,
): Promise<Value> {
  const until = Date.now() + (away?.limit(giveUpAfterMs) ?? giveUpAfterMs);
  let last: ClientError | undefined;
  for (let tries = 0; ; tries += 1) {
    const left = until - Date.now() + workMs;
    const { signal: either, release } = linkSignals(
      [signal],
      left > TIMER_MAX_MS ? undefined : left,
    );
    try {
      const value = await work(either);
      away?.forget();
      return value;
    } catch (cause) {
      if (signal?.aborted === true || !(cause instanceof ClientError)) throw cause;
      // The time limit aborted this try, not the caller, so the last failure is the reason.
      if (cause.code === 'aborted')
        throw givenUp(last ?? unreachableError('The server was not reached in time', cause), away);
      if (cause.origin === 'server') away?.forget();
      if (!mayPass(cause)) throw cause;
      last = cause;
    } finally {
      release();
    }
    const pauseMs = Math.max(requestedPauseMs(last.details), backoff(tries, Math.random(), timing));
    if (Date.now() + pauseMs > until) throw givenUp(last, away);
    onRetry?.({ error: last, pauseMs });
    await sleep(pauseMs, signal ?? new AbortController().signal);
  }
}

function givenUp(error: ClientError, away: Away | undefined): ClientError {
  if (error.code === 'unreachable') away?.remember();
  return error;
}

/** The limit of open questions passes when one settles; a full log stays full. */
function mayPass({ code, retry, details }: ClientError): boolean {
  const limit = details?.limit;
  if (code !== 'limit_reached') return retry !== 'never';
  return limit !== 'eventsPerSession' && limit !== 'repromptsPerToolCall';
}
