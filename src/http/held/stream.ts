/**
 * Server-sent events: the stateless worker holds a socket to the session and translates its frames.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and is how a reader that went
 * away is noticed. Nothing fails then: the write is simply never taken, measured under workerd with
 * clients that hung up. A reader that took nothing from one comment to the next is given up, and the
 * socket to the session given back. So is one that takes less than it is sent for so long that the
 * worker would run out of memory. One that was only slow returns with its `Last-Event-ID`.
 */
import type { SessionEvent } from '../../protocol/event.ts';
import type { HeldSocket } from '../ports.ts';

const KEEP_ALIVE_MS = 15_000;
/** A quarter of what a worker may use in all. */
const MAX_UNTAKEN_CHARS = 32 * 1024 * 1024;

export function eventStream(socket: HeldSocket): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  let taken = 0;
  let untakenChars = 0;
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
