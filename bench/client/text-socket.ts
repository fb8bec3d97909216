/**
 * A WebSocket of text messages, over a bare TCP connection.
 *
 * Node's own client offers compression, which the server accepts: the bench would then measure zlib on both ends. This
 * client offers none. It reads whole, unmasked text frames, and fails on anything else.
 */
import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';

const CLOSE = 8;
const TEXT = 1;
const NOTHING = Buffer.alloc(0);

export interface TextSocketOptions {
  readonly port: number;
  readonly path: string;
  readonly protocols: readonly string[];
  readonly onText: (text: string) => void;
  readonly onEnd?: (reason: Error) => void;
}

export class TextSocket {
  readonly #socket: Socket;
  readonly #options: TextSocketOptions;
  #received: Buffer = NOTHING;

  private constructor(socket: Socket, options: TextSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => options.onEnd?.(error));
    socket.on('close', () => options.onEnd?.(new Error('The socket was closed')));
  }

  static open(options: TextSocketOptions): Promise<TextSocket> {
    const { port, path, protocols } = options;
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let received: Buffer = NOTHING;
      const read = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = received.toString('latin1', 0, end);
        if (!head.startsWith('HTTP/1.1 101 ') || /\r\nsec-websocket-extensions:/i.test(head)) {
          socket.destroy();
          reject(new Error(`No plain WebSocket at ${path}: ${head}`));
          return;
        }
        socket.off('data', read);
        socket.off('error', reject);
        const opened = new TextSocket(socket, options);
        resolve(opened);
        opened.#take(received.subarray(end + 4));
      };
      socket.on('data', read);
      socket.once('error', reject);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\n` +
          'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
          `Sec-WebSocket-Protocol: ${protocols.join(', ')}\r\n\r\n`,
      );
    });
  }

  send(text: string): void {
    const payload = Buffer.from(text);
    if (payload.length > 65_535) throw new Error('The bench sends no message of this size');
    const short = payload.length < 126;
    const frame = Buffer.alloc((short ? 6 : 8) + payload.length);
    frame[0] = 0x80 | TEXT;
    frame[1] = 0x80 | (short ? payload.length : 126);
    if (!short) frame.writeUInt16BE(payload.length, 2);
    // The protocol requires a mask; zeros change no byte.
    payload.copy(frame, short ? 6 : 8);
    this.#socket.write(frame);
  }

  /** Closes without a close frame, like a lost connection: the server learns of it from TCP. */
  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let rest = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const frame = frameOf(rest);
      if (frame === undefined) break;
      rest = rest.subarray(frame.end);
      if (frame.opcode === CLOSE) this.#socket.end();
      else if (frame.opcode === TEXT) this.#options.onText(frame.text);
      else throw new Error(`A frame of kind ${frame.opcode} was not expected`);
    }
    this.#received = rest;
  }
}

/** Undefined while the frame is incomplete. */
function frameOf(bytes: Buffer): { opcode: number; text: string; end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  if ((first & 0x80) === 0) throw new Error('A message in several frames was not expected');
  let start = 2;
  let length = second & 0x7f;
  if (length === 126) {
    if (bytes.length < 4) return undefined;
    length = bytes.readUInt16BE(2);
    start = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return undefined;
    length = Number(bytes.readBigUInt64BE(2));
    start = 10;
  }
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { opcode: first & 0x0f, text: bytes.toString('utf8', start, end), end };
}
