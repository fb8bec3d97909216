/**
 * Reads the events of an answer from the body of its response, which may not fall silent.
 *
 * The timeout of the SDK ends with the headers: an answer that stalls later would hold its run until the lease ends. The
 * limit counts bytes, not events: some gateways send only comments while the model thinks.
 */
import { EventStreamParser, type StreamMessage } from '../../protocol/event-stream-parser.ts';

export class SilentAnswerError extends Error {
  override readonly name = 'SilentAnswerError';
}

/** The connection broke in the answer. */
export class BrokenAnswerError extends Error {
  override readonly name = 'BrokenAnswerError';
}

/** Rejects with one of the errors above, and with what `take` throws. The connection is free afterwards. */
export async function readAnswer(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
  take: (message: StreamMessage) => void,
): Promise<void> {
  const reader = body.getReader();
  const parser = new EventStreamParser();
  let lastAt = Date.now();
  let isSilent = false;
  let isOver = false;
  // One timer for the whole answer: its pieces are many.
  let timer = setTimeout(watch, idleMs);
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        isOver = true;
        // A cancelled read ends on some platforms and fails on others.
        if (isSilent) throw silence();
        throw new BrokenAnswerError('The connection broke', { cause });
      });
      isOver ||= done;
      if (isSilent) throw silence();
      if (done) return;
      lastAt = Date.now();
      for (const message of parser.push(value)) take(message);
    }
  } finally {
    clearTimeout(timer);
    if (!isOver) release();
  }

  function silence(): SilentAnswerError {
    return new SilentAnswerError(`Nothing came for ${idleMs} ms`);
  }

  function watch(): void {
    const leftMs = lastAt + idleMs - Date.now();
    if (leftMs > 0) {
      timer = setTimeout(watch, leftMs);
      return;
    }
    isSilent = true;
    release();
  }

  /** Ends a read that waits. The cancel may fail on a broken connection; the answer has failed either way. */
  function release(): void {
    reader.cancel().catch(() => undefined);
  }
}
