/** A client's end of a session's socket: everything that came, in order, and how it ended. */
import { SELF } from 'cloudflare:test';
import type { ServerFrame } from '../../../src/protocol/schema/frame.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../../src/protocol/frames.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ADMIN, ORIGIN } from './api.ts';
import { Inbox } from './inbox.ts';
import type { TestSession } from './session.ts';

type FrameOf<Type> = Extract<ServerFrame, { type: Type }>;

export interface Connect {
  readonly token?: string;
  readonly after?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response of an upgrade, for tests about the handshake itself. */
export function upgrade(session: TestSession, ask: Connect = {}): Promise<Response> {
  const query = ask.after === undefined ? '' : `?after=${ask.after}`;
  return SELF.fetch(`${ORIGIN}${session.path}/socket${query}`, {
    headers: {
      Upgrade: 'websocket',
      'Sec-WebSocket-Protocol': `${PROTOCOL}, ${TOKEN_SUBPROTOCOL}${ask.token ?? ADMIN}`,
      ...ask.headers,
    },
  });
}

export async function connect(session: TestSession, ask: Connect = {}): Promise<TestSocket> {
  const response = await upgrade(session, ask);
  const { webSocket } = response;
  if (webSocket === null) throw new Error(`No socket: ${response.status} ${await response.text()}`);
  return new TestSocket(webSocket);
}

export class TestSocket {
  readonly #webSocket: WebSocket;
  readonly #frames = new Inbox<string>();
  readonly closed: Promise<{ code: number; reason: string }>;
  /** All events received so far, in order of arrival. */
  readonly events: SessionEvent[] = [];

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
    this.closed = new Promise((resolve) => {
      webSocket.addEventListener('close', ({ code, reason }) => {
        this.#frames.end();
        resolve({ code, reason });
      });
    });
    webSocket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('{"type":"events"')) {
        this.events.push(...(JSON.parse(text) as FrameOf<'events'>).events);
      }
      this.#frames.put(text);
    });
    webSocket.accept();
  }

  send(frame: JsonObject | string): void {
    this.#webSocket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  sendBytes(bytes: ArrayBuffer): void {
    this.#webSocket.send(bytes);
  }

  /** Our half of the closing handshake; `closed` resolves when the other half came. */
  close(code = 1000): void {
    this.#webSocket.close(code, 'done');
  }

  /** The next frame of this type; those before it are passed over. */
  async next<Type extends ServerFrame['type']>(type: Type): Promise<FrameOf<Type>> {
    for (;;) {
      const frame = JSON.parse(await this.nextText()) as ServerFrame;
      if (frame.type === type) return frame as FrameOf<Type>;
    }
  }

  nextText(): Promise<string> {
    return this.#frames.next();
  }

  /** Waits for a fitting event, also among those already received. */
  async heard(fits: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    for (;;) {
      const found = this.events.find(fits);
      if (found !== undefined) return found;
      await this.next('events');
    }
  }

  async ask(frame: JsonObject & { id: string }): Promise<FrameOf<'result'>> {
    this.send(frame);
    for (;;) {
      const result = await this.next('result');
      if (result.id === frame.id) return result;
    }
  }
}
