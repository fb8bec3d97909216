/** Pieces of text as a body, one at a time and no faster than they are wanted. */
export interface StreamPace {
  /** Between two pieces. 0: none. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

export function pacedStream(
  pieces: Iterable<string>,
  { pauseMs, signal }: StreamPace,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // As a body from the network does; otherwise whoever aborts would hear the scenario to its end.
      const stop = () => {
        isOver = true;
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
    },
    async pull(controller) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (isOver) return;
      const { value, done } = iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      isOver = true;
    },
  });
}
