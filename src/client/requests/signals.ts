/**
 * One signal of many reasons to give up: the caller's, the transport's, and the time.
 *
 * Made by hand: browsers have had `AbortSignal.any` for too short a time to count on it. What was
 * linked is let go in the end, or a signal that lives as long as a page would keep every request.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  release(): void;
}

export function linked(signals: readonly (AbortSignal | undefined)[], ms?: number): Deadline {
  const ours = new AbortController();
  const undo: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const give = () => ours.abort(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give);
    undo.push(() => signal.removeEventListener('abort', give));
  }
  if (ms !== undefined) {
    const timer = setTimeout(() => ours.abort(new Error(`No answer within ${ms} ms`)), ms);
    undo.push(() => clearTimeout(timer));
  }
  return {
    signal: ours.signal,
    release: () => {
      for (const one of undo) one();
    },
  };
}

/** Waits, or rejects with the reason of the signal as soon as it is aborted. */
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
