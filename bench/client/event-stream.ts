/** A stream of server-sent events over a bare TCP connection; reads nothing but the data of each event. */
import { connect, type Socket } from 'node:net';

export interface EventStreamOptions {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly onData: (json: string) => void;
  readonly onEnd: (reason: Error) => void;
}

const DATA = 'data: ';

/** Resolves to a function that hangs up, once the request is sent. */
export function openEventStream(options: EventStreamOptions): Promise<() => void> {
  const { port, path, token, onEnd } = options;
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader = new EventReader(options.onData);
    socket.once('error', reject);
    socket.on('error', onEnd);
    socket.on('close', () => onEnd(new Error('The stream ended')));
    socket.on('data', (bytes: Buffer) => {
      try {
        reader.push(bytes);
      } catch (error) {
        onEnd(error instanceof Error ? error : new Error(String(error)));
        socket.destroy();
      }
    });
    socket.once('connect', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
          'Accept: text/event-stream\r\n\r\n',
      );
      resolve(() => socket.destroy());
    });
  });
}

/** Bytes of a chunked response, in any pieces, as the data of its events. */
export class EventReader {
  readonly #onData: (json: string) => void;
  readonly #decoder = new TextDecoder();
  #received: Buffer = Buffer.alloc(0);
  #isHeadRead = false;
  #line = '';

  constructor(onData: (json: string) => void) {
    this.#onData = onData;
  }

  push(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    if (!this.#isHeadRead && !this.#readHead()) return;
    for (;;) {
      const sizeEnd = this.#received.indexOf('\r\n');
      if (sizeEnd < 0) return;
      const size = Number.parseInt(this.#received.toString('latin1', 0, sizeEnd), 16);
      const start = sizeEnd + 2;
      if (this.#received.length < start + size + 2) return;
      this.#readText(this.#received.subarray(start, start + size));
      this.#received = this.#received.subarray(start + size + 2);
    }
  }

  #readHead(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#received.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 200 ') || !/\r\ntransfer-encoding: *chunked/i.test(head)) {
      throw new Error(`No stream of events: ${head}`);
    }
    this.#isHeadRead = true;
    this.#received = this.#received.subarray(end + 4);
    return true;
  }

  #readText(bytes: Buffer): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith(DATA)) this.#onData(line.slice(DATA.length));
  }
}
