/** The same frames as server-sent events, for where a WebSocket cannot be had or does not get through. */
import type {
  Link,
  LinkRequest,
  OpenLink,
  ReadFrame,
  ConnectionEvent,
  Refusal,
  Stream,
} from './state.ts';
import { EventStreamParser, type StreamMessage } from './event-stream-parser.ts';
import { readEvent, isObject, isRefusal } from './frames.ts';
import { closeOf, finalCloseOf } from '../../protocol/errors.ts';

type Tell<Carried extends Stream> = (event: ConnectionEvent<Carried>) => void;

/** Where the stream is, and how what it says is read. */
export interface Streamed<Carried extends Stream> {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly read: ReadFrame<Carried>;
}

export function openSseLink<Carried extends Stream>(
  streamed: Streamed<Carried>,
): OpenLink<Carried> {
  return (ask, tell): Link => {
    const stop = new AbortController();
    const tellWhileOn: Tell<Carried> = (event) => {
      if (!stop.signal.aborted) tell(event);
    };
    void follow(streamed, ask, stop.signal, tellWhileOn)
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
async function follow<Carried extends Stream>(
  { fetch, url, read }: Streamed<Carried>,
  { after, token }: LinkRequest,
  signal: AbortSignal,
  tell: Tell<Carried>,
): Promise<number> {
  const readMessage = ({ id, data }: StreamMessage): ConnectionEvent<Carried> =>
    id === undefined ? read(data) : readEvent(data);
  const response = await fetch(url, {
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
    // Without a final refusal the stream just ended, like a socket that broke.
    if (done) return (refusal && finalCloseOf(refusal.code)) ?? 1006;
    tell({ type: 'heard' });
    for (const event of merged(parser.push(value).map(readMessage))) {
      if (event.type === 'refusal') refusal = event.refusal;
      tell(event);
    }
  }
}

async function refused<Carried extends Stream>(
  response: Response,
  tell: Tell<Carried>,
): Promise<number> {
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

/** A stream has a message for every event; those that came together are delivered together. */
function merged<Carried extends Stream>(
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
