/** Reads the events of an answer from the body of its response, which may not fall silent. */
import { EventStreamParser, type StreamMessage } from '../../protocol/event-stream-parser.ts';
import type { AnswerWatch } from './answer-watch.ts';

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
  watch: AnswerWatch,
  take: (message: StreamMessage) => void,
): Promise<void> {
  const reader = body.getReader();
  const parser = new EventStreamParser();
  let isOver = false;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        isOver = true;
        if (watch.isSilent) throw new SilentAnswerError('Nothing came for too long');
        throw new BrokenAnswerError('The connection broke', { cause });
      });
      isOver ||= done;
      if (done) return;
      watch.noteBytes();
      for (const message of parser.push(value)) take(message);
    }
  } finally {
    // The cancel may fail on a broken connection; the answer has failed either way.
    if (!isOver) reader.cancel().catch(() => undefined);
  }
}
