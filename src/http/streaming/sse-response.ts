/**
 * Server-sent events to somebody who may be gone.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and is how a reader that went
 * away is noticed. Nothing fails then: the write is simply never taken, measured under workerd with
 * clients that hung up. A reader that took nothing from one comment to the next is given up, and so is
 * one that takes less than it is sent for so long that the worker would run out of memory.
 */
const KEEP_ALIVE_MS = 15_000;
/** A quarter of what a worker may use in all. */
const MAX_UNTAKEN_CHARS = 32 * 1024 * 1024;

export interface SseStream {
  write(text: string): void;
  /** Nothing more comes; what was written is still sent. */
  end(): void;
}

/** `begin` is given the ends, and returns how to let go of the source when the reader is given up. */
export function createSseResponse(begin: (ends: SseStream) => () => void): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  let taken = 0;
  let untakenChars = 0;
  let takenBefore = 0;
  let isEnding = false;

  /** The source is let go of only when the reader has everything: until then it counts as held. */
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    written += 1;
    void writing
      .then(() => writer.close())
      .then(() => {
        clearInterval(keepAlive);
        letGo();
      })
      .catch(giveUp);
  };
  const giveUp = () => {
    clearInterval(keepAlive);
    letGo();
    writer.abort().catch(() => undefined);
  };
  const write = (text: string) => {
    if (isEnding) return;
    written += 1;
    untakenChars += text.length;
    if (untakenChars > MAX_UNTAKEN_CHARS) return giveUp();
    writing = writing
      .then(() => writer.write(encoder.encode(text)))
      .then(() => {
        taken += 1;
        untakenChars -= text.length;
      })
      .catch(giveUp);
  };
  const keepAlive = setInterval(() => {
    if (taken < written && taken === takenBefore) return giveUp();
    takenBefore = taken;
    write(': waiting\n\n');
  }, KEEP_ALIVE_MS);

  const letGo = begin({ write, end });
  return new Response(readable, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
  });
}

/** One event, its data as JSON text. */
export function formatSseEvent(type: string, json: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${json}\n\n`;
}
