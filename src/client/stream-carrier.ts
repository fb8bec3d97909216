/** The same frames as server-sent events, for where a WebSocket cannot be had or does not get through. */
import type { Carrier, CarrierAsk, OpenCarrier } from './carrier.ts';
import type { ConnectionEvent, Refusal } from './connection-state.ts';
import { EventStreamParser, type StreamMessage } from './event-stream-parser.ts';
import { readEvent, readFrame } from './frames.ts';
import { isObject, isRefusal } from './guards.ts';
import { closeAfter, closeOf } from './refused.ts';

type Tell = (event: ConnectionEvent) => void;

export function streamCarrier(fetch: typeof globalThis.fetch, base: string): OpenCarrier {
  return (ask, tell): Carrier => {
    const stop = new AbortController();
    const tellWhileOn: Tell = (event) => {
      if (!stop.signal.aborted) tell(event);
    };
    void follow(fetch, base, ask, stop.signal, tellWhileOn)
      .catch(() => 1006)
      .then((code) => tellWhileOn({ type: 'closed', code }));
    return {
      // Comments come by themselves; silence is all there is to notice.
      ping: () => undefined,
      drop: () => stop.abort(),
    };
  };
}

/** Resolves with the code that the close of a socket would have had. */
async function follow(
  fetch: typeof globalThis.fetch,
  base: string,
  { sessionId, after, token }: CarrierAsk,
  signal: AbortSignal,
  tell: Tell,
): Promise<number> {
  const response = await fetch(`${base}/v1/sessions/${encodeURIComponent(sessionId)}/events`, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      'Last-Event-ID': String(after),
    },
    signal,
  });
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status !== 200 || response.body === null || !type.includes('event-stream')) {
    return refused(response, tell);
  }
  tell({ type: 'opened' });
  const parser = new EventStreamParser();
  const reader = response.body.getReader();
  let refusal: Refusal | undefined;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return closeAfter(refusal);
    tell({ type: 'heard' });
    for (const event of merged(parser.push(value).map(read))) {
      if (event.type === 'refusal') refusal = event.refusal;
      tell(event);
    }
  }
}

async function refused(response: Response, tell: Tell): Promise<number> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (isObject(body) && isRefusal(body.error)) {
    tell({ type: 'refusal', refusal: body.error });
    return closeOf(body.error.code, status);
  }
  // A gateway that has nobody behind it at the moment says so in its own way.
  if (status < 500 && status !== 429) tell({ type: 'nonsense' });
  return 1006;
}

function read({ id, data }: StreamMessage): ConnectionEvent {
  return id === undefined ? readFrame(data) : readEvent(data);
}

/** A stream has a message for every event; those that came together are delivered together. */
function merged(events: readonly ConnectionEvent[]): ConnectionEvent[] {
  const all: ConnectionEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === 'events' && last?.type === 'events') {
      all[all.length - 1] = { type: 'events', events: [...last.events, ...event.events] };
    } else all.push(event);
  }
  return all;
}
