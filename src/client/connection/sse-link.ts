/** A link over server-sent events, for clients without WebSockets and networks that block them. */
import { credentialHeaders } from '../../protocol/credential-headers.ts';
import { isObject } from '../../protocol/types.ts';
import type {
  Link,
  LinkStart,
  OpenLink,
  ReadFrame,
  ConnectionEvent,
  ServerRefusal,
  Stream,
} from './state.ts';
import { EventStreamParser, type StreamMessage } from '../../protocol/event-stream-parser.ts';
import { readLogEvent, isRefusal } from './frames.ts';
import { closeOf, finalCloseOf } from '../../protocol/errors.ts';

type SendEvent<Carried extends Stream> = (event: ConnectionEvent<Carried>) => void;

/** The address of the stream, and the reader of its frames. */
export interface SseSource<Carried extends Stream> {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly read: ReadFrame<Carried>;
}

export function openSseLink<Carried extends Stream>(source: SseSource<Carried>): OpenLink<Carried> {
  return (request, send): Link => {
    const stop = new AbortController();
    const sendUntilDropped: SendEvent<Carried> = (event) => {
      if (!stop.signal.aborted) send(event);
    };
    void readStream(source, request, stop.signal, sendUntilDropped)
      .catch(() => 1006)
      .then((code) => sendUntilDropped({ type: 'closed', code }));
    return {
      // A stream takes no pings. The server sends comments, so silence alone shows a lost stream.
      drop: () => stop.abort(),
    };
  };
}

/** Resolves with the close code that a socket would have had. */
async function readStream<Carried extends Stream>(
  { fetch, url, read }: SseSource<Carried>,
  { after, token }: LinkStart,
  signal: AbortSignal,
  send: SendEvent<Carried>,
): Promise<number> {
  const readMessage = ({ id, data }: StreamMessage): ConnectionEvent<Carried> =>
    id === undefined ? read(data) : readLogEvent(data);
  const isTail = after < 0;
  const response = await fetch(isTail ? `${url}?last=${-after}` : url, {
    headers: {
      Accept: 'text/event-stream',
      ...credentialHeaders(token),
      ...(!isTail && { 'Last-Event-ID': String(after) }),
    },
    signal,
  });
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status !== 200 || response.body === null || !type.includes('event-stream')) {
    return readRefusal(response, send);
  }
  send({ type: 'opened' });
  const parser = new EventStreamParser();
  const reader = response.body.getReader();
  let refusal: ServerRefusal | undefined;
  for (;;) {
    const { done, value } = await reader.read();
    // A stream that ends without a final refusal counts as a lost socket.
    if (done) return (refusal && finalCloseOf(refusal.code)) ?? 1006;
    send({ type: 'alive' });
    for (const event of mergeEvents(parser.push(value).map(readMessage))) {
      if (event.type === 'refusal') refusal = event.refusal;
      send(event);
    }
  }
}

async function readRefusal<Carried extends Stream>(
  response: Response,
  send: SendEvent<Carried>,
): Promise<number> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (isObject(body) && isRefusal(body.error)) {
    send({ type: 'refusal', refusal: body.error });
    return closeOf(body.error.code, status);
  }
  // A gateway without a server behind it answers in its own format.
  if (status < 500 && status !== 429) send({ type: 'nonsense' });
  return 1006;
}

/** A stream has one message for each event; events that arrive together are delivered together. */
function mergeEvents<Carried extends Stream>(
  events: readonly ConnectionEvent<Carried>[],
): ConnectionEvent<Carried>[] {
  const all: ConnectionEvent<Carried>[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === 'events' && last?.type === 'events') {
      all[all.length - 1] = { type: 'events', events: [...last.events, ...event.events] };
    } else all.push(event);
  }
  return all;
}
