/**
 * The log as server-sent events: the Worker receives frames of the session over a socket and formats
 * them. A reader that was dropped because it was slow comes back with its `Last-Event-ID`.
 */
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { ClientSocket } from '../ports.ts';
import { createSseResponse, formatSseEvent } from './sse-response.ts';

export function createEventStream(socket: ClientSocket): Response {
  return createSseResponse(({ write, end }) => {
    socket.listen((text) => {
      const translated = formatFrame(text);
      if (translated === PAUSED) end();
      else write(translated);
    }, end);
    return () => socket.close(1000, 'done');
  });
}

/** The session sends nothing more on this socket; the reader reconnects for the rest. */
const PAUSED = Symbol('paused');

/** An event of the log carries its `seq` as the id, so that `Last-Event-ID` is the cursor. */
function formatFrame(frameText: string): string | typeof PAUSED {
  const frame = JSON.parse(frameText) as { type: string; events?: SessionEvent[] };
  if (frame.type === 'paused') return PAUSED;
  if (frame.type !== 'events' || frame.events === undefined)
    return formatSseEvent(frame.type, frameText);
  return frame.events
    .map((event) => formatSseEvent(event.type, JSON.stringify(event), event.seq))
    .join('');
}
