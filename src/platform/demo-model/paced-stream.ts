/** A body of text pieces, one at a time, at the pace of the scenario or of a slower reader. */
export interface StreamPace {
  /** Between two pieces; 0 for no pause. */
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
      // An abort ends the body at once, as it does over the network.
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
