/**
 * Server-sent events: the stateless worker holds a socket to the session and translates its frames.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and is how a reader that went
 * away is noticed. Nothing fails then: the write is simply never taken, measured under workerd with
 * clients that hung up. A reader that took nothing from one comment to the next is given up, and the
 * socket to the session given back; if it was only slow, it returns with its `Last-Event-ID`.
 */
import type { SessionEvent } from '../../protocol/event.ts';
import type { HeldSocket } from '../ports.ts';

const KEEP_ALIVE_MS = 15_000;

export function eventStream(socket: HeldSocket): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  let taken = 0;
  let takenBefore = 0;

  const end = () => {
    clearInterval(keepAlive);
    writer.close().catch(() => undefined);
  };
  const giveUp = () => {
    clearInterval(keepAlive);
    socket.close(1000, 'done');
    writer.abort().catch(() => undefined);
  };
  const write = (text: string) => {
    written += 1;
    writing = writing
      .then(() => writer.write(encoder.encode(text)))
      .then(() => {
        taken += 1;
      })
      .catch(giveUp);
  };
  const keepAlive = setInterval(() => {
    if (taken < written && taken === takenBefore) return giveUp();
    takenBefore = taken;
    write(': waiting\n\n');
  }, KEEP_ALIVE_MS);

  socket.hold(
    (text) => write(translate(text)),
    () => void writing.then(end),
  );
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
