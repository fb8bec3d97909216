/**
 * Server-sent events: the stateless worker holds a socket to the session and translates its frames.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and is how a reader that went
 * away is noticed: the write fails, and the socket to the session is given back.
 */
import type { SessionEvent } from '../../protocol/event.ts';

const KEEP_ALIVE_MS = 15_000;

export function eventStream(socket: WebSocket): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let writing: Promise<void> = Promise.resolve();

  const end = () => {
    clearInterval(keepAlive);
    try {
      socket.close(1000, 'done');
    } catch {
      // Closed from the other side already.
    }
    writer.close().catch(() => undefined);
  };
  const write = (text: string) => {
    writing = writing.then(() => writer.write(encoder.encode(text))).catch(end);
  };
  const keepAlive = setInterval(() => write(': waiting\n\n'), KEEP_ALIVE_MS);

  socket.addEventListener('message', (message) => write(translate(String(message.data))));
  socket.addEventListener('close', () => void writing.then(end));
  socket.addEventListener('error', end);
  socket.accept();
  return new Response(readable, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
  });
}

/** An event of the log carries its `seq` as the id, so that `Last-Event-ID` is the cursor. */
function translate(frameText: string): string {
  const frame = JSON.parse(frameText) as { type: string; events?: SessionEvent[] };
  if (frame.type !== 'events' || frame.events === undefined) {
    return `event: ${frame.type}\ndata: ${frameText}\n\n`;
  }
  return frame.events
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
