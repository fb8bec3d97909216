/**
 * Server-sent events to a reader that may have disconnected.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and detects a reader that is gone.
 * A write to such a reader does not fail: it never completes, measured under workerd with clients that
 * hung up. So a reader that accepts nothing between two comments is dropped. A slow reader is dropped
 * before its backlog uses up the memory of the Worker.
 */
const KEEP_ALIVE_MS = 15_000;
/** A quarter of the memory of a Worker. */
const MAX_BACKLOG_CHARS = 32 * 1024 * 1024;

export interface SseStream {
  write(text: string): void;
  /** Ends the stream after everything written has been sent. */
  end(): void;
}

/** `begin` gets the stream, and returns a function that releases the source. */
export function createSseResponse(begin: (stream: SseStream) => () => void): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  let accepted = 0;
  let backlogChars = 0;
  let acceptedBefore = 0;
  let isEnding = false;

  /** The source is released only when the reader has everything: until then it stays in use. */
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    written += 1;
    void writing
      .then(() => writer.close())
      .then(() => {
        clearInterval(keepAlive);
        release();
      })
      .catch(dropReader);
  };
  const dropReader = () => {
    clearInterval(keepAlive);
    release();
    writer.abort().catch(() => undefined);
  };
  const write = (text: string) => {
    if (isEnding) return;
    written += 1;
    backlogChars += text.length;
    if (backlogChars > MAX_BACKLOG_CHARS) return dropReader();
    writing = writing
      .then(() => writer.write(encoder.encode(text)))
      .then(() => {
        accepted += 1;
        backlogChars -= text.length;
      })
      .catch(dropReader);
  };
  const keepAlive = setInterval(() => {
    if (accepted < written && accepted === acceptedBefore) return dropReader();
    acceptedBefore = accepted;
    write(': waiting\n\n');
  }, KEEP_ALIVE_MS);

  const release = begin({ write, end });
  return new Response(readable, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
  });
}

/** One event, its data as JSON text. */
export function formatSseEvent(type: string, json: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${json}\n\n`;
}
