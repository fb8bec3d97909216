/**
 * Waiting that an abort can end.
 *
 * `linkSignals` is written by hand because `AbortSignal.any` is too new in browsers.
 */

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Must be called in the end: a signal that lives as long as a page would otherwise keep every request in memory. */
  release(): void;
}

/** How the reason of a timeout begins; the warning in `connect.ts` looks for it. */
export const NO_ANSWER = 'No answer within';

/** Aborts with the first of the signals, or after `ms`. */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  ms?: number,
): LinkedSignal {
  const linked = new AbortController();
  const undo: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const abort = () => linked.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    undo.push(() => signal.removeEventListener('abort', abort));
  }
  if (ms !== undefined) {
    const timer = setTimeout(() => linked.abort(new Error(`${NO_ANSWER} ${ms} ms`)), ms);
    undo.push(() => clearTimeout(timer));
  }
  return {
    signal: linked.signal,
    release: () => {
      for (const step of undo) step();
    },
  };
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** The result of the promise, or an error made from the reason of the signal if the abort comes first. */
export function orAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  toError: (reason: unknown) => Error = (reason) => reason as Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError(signal.reason));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
