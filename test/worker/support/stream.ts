/** A reader of server-sent events that keeps the fields of an EventSource: id, name, data. */
import { SELF } from 'cloudflare:test';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { ORIGIN, headersOf } from './api.ts';
import { Inbox } from './inbox.ts';
import type { TestSession } from './session.ts';

export interface StreamMessage {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

export interface Listen {
  readonly token?: string | null;
  readonly after?: number;
  readonly lastEventId?: string;
}

export function requestStream(session: TestSession, ask: Listen = {}): Promise<Response> {
  const query = ask.after === undefined ? '' : `?after=${ask.after}`;
  const headers = headersOf(ask.token === undefined ? {} : { token: ask.token });
  headers.set('Accept', 'text/event-stream');
  if (ask.lastEventId !== undefined) headers.set('Last-Event-ID', ask.lastEventId);
  return SELF.fetch(`${ORIGIN}${session.path}/events${query}`, { headers });
}

export async function listen(session: TestSession, ask: Listen = {}): Promise<TestStream> {
  const response = await requestStream(session, ask);
  if (response.status !== 200 || response.body === null) {
    throw new Error(`No stream: ${response.status} ${await response.text()}`);
  }
  return new TestStream(response.body);
}

export class TestStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #messages = new Inbox<StreamMessage>();
  /** Signs of life that say nothing. */
  comments = 0;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
    // A reader that leaves sees its own read fail; that is an end like any other.
    this.ended = this.#read()
      .catch(() => undefined)
      .finally(() => this.#messages.end());
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) this.comments += 1;
        else this.#messages.put(messageIn(block));
      }
    }
  }

  next(): Promise<StreamMessage> {
    return this.#messages.next();
  }

  /** The next fitting event of the log; earlier events are skipped. */
  async heard(fits: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    for (;;) {
      const message = await this.next();
      if (message.id === undefined) continue;
      const event = JSON.parse(message.data) as SessionEvent;
      if (fits(event)) return event;
    }
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

function messageIn(block: string): StreamMessage {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get('id');
  const { event = 'message', data = '' } = Object.fromEntries(fields);
  return { ...(id !== undefined && { id }), event, data };
}
