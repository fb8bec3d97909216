/**
 * Server-sent events to a reader that may have disconnected.
 *
 * A comment every 15 seconds keeps proxies from closing the stream, and detects a reader that is gone.
 * A write to such a reader does not fail: it never completes, measured under workerd with clients that
 * hung up. So a reader that accepts nothing between two comments is dropped. A slow reader is dropped
 * before its backlog uses up the memory of the Worker.
 */
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { ClientSocket } from '../stubs.ts';

const KEEP_ALIVE_MS = 15_000;
/** A quarter of the memory of a Worker. */
const MAX_BACKLOG_CHARS = 32 * 1024 * 1024;

interface SseStream {
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

/**
 * The log or the inbox as server-sent events: the Worker receives frames over a socket and formats them. A
 * reader that was dropped because it was slow comes back with its `Last-Event-ID`.
 */
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
  const cut = cutEventsFrame(frameText);
  if (cut !== undefined) return cut;
  const frame = JSON.parse(frameText) as { type: string; events?: SessionEvent[] };
  if (frame.type === 'paused') return PAUSED;
  if (frame.type !== 'events' || frame.events === undefined)
    return formatSseEvent(frame.type, frameText);
  return frame.events
    .map((event) => formatSseEvent(event.type, JSON.stringify(event), event.seq))
    .join('');
}

const FRAME_START = '{"type":"events","events":[';
const FRAME_END = ']}';
const EVENT_START = '{"seq":';
const TYPE_START = '"type":"';
const MAX_SEQ_CHARS = 16;

/**
 * Cuts a frame between its events without reading them: to parse and write each event took half of the time of a stream.
 * Undefined for every other frame, and for events that are written in another form.
 *
 * A text inside an event cannot hold `,{"seq":`, because its quotes are escaped; an object inside an event can. Such an
 * object is not cut out as an event: between two events its number breaks the order, and inside the last event it
 * leaves a rest that is not JSON.
 */
function cutEventsFrame(frame: string): string | undefined {
  if (!frame.startsWith(FRAME_START)) return undefined;
  const end = frame.length - FRAME_END.length;
  let start = FRAME_START.length;
  const seqAt = start + EVENT_START.length;
  let seq = Number.parseInt(frame.slice(seqAt, seqAt + MAX_SEQ_CHARS), 10);
  let formatted = '';
  for (;;) {
    const fieldsAt = start + EVENT_START.length;
    const typeAt = frame.indexOf(TYPE_START, fieldsAt);
    // After an object, the next `type` may be one of that object.
    const isForeign = typeAt < 0 || frame.slice(fieldsAt, typeAt).includes('{');
    if (isForeign || !frame.startsWith(`${seq},"at":`, fieldsAt)) return undefined;
    const nameAt = typeAt + TYPE_START.length;
    const type = frame.slice(nameAt, frame.indexOf('"', nameAt));
    const comma = frame.indexOf(`,${EVENT_START}`, nameAt);
    const json = frame.slice(start, comma < 0 ? end : comma);
    formatted += formatSseEvent(type, json, seq);
    if (comma < 0) return isJsonText(json) ? formatted : undefined;
    start = comma + 1;
    seq += 1;
  }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
