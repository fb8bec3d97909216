/**
 * A WebSocket client over node:http: Node 20 has none, and a test should see the bytes of a close.
 *
 * The client offers no compression, so a test receives the bytes that the server sent.
 */
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Server } from './server.ts';

/** Far longer than any frame takes. */
const PATIENCE_MS = 30_000;

export interface TestSocket {
  /** Every frame so far, parsed. */
  readonly frames: readonly JsonObject[];
  readonly subprotocol: string | undefined;
  send(frame: JsonObject): void;
  /** Sends the bytes as one text frame, even if they are not text. */
  sendBytes(bytes: Buffer): void;
  /** Resolves with the first past or future frame that matches. */
  until(isMeant: (frame: JsonObject) => boolean): Promise<JsonObject>;
  /** Resolves with the close code; 1006 if the connection ended without a close. */
  readonly closed: Promise<number>;
  /** Starts reading, on a client that was stuck. */
  read(): void;
  close(): void;
}

interface ConnectOptions {
  /** Absent: the inbox. */
  readonly session?: string;
  readonly token: string;
  readonly after?: number;
  /** Reads nothing until `read` is called. */
  readonly isStuck?: boolean;
}

export function openSocket(
  server: Pick<Server, 'port'>,
  { session, token, after, isStuck = false }: ConnectOptions,
): Promise<TestSocket> {
  const query = after === undefined ? '' : `?after=${after}`;
  const upgrade = request({
    host: '127.0.0.1',
    port: server.port,
    path: session === undefined ? '/v1/inbox/socket' : `/v1/sessions/${session}/socket${query}`,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': `holdpoint.v1, holdpoint.token.${token}`,
    },
  });
  return new Promise((resolve, reject) => {
    upgrade.on('upgrade', (response, socket: Socket, head) => {
      resolve(socketOver(response, socket, head));
      if (isStuck) socket.pause();
    });
    upgrade.on('response', (response) => {
      response.resume();
      reject(new Error(`No upgrade but ${response.statusCode}`));
    });
    upgrade.on('error', reject);
    upgrade.end();
  });
}

function socketOver(response: IncomingMessage, socket: Socket, head: Buffer): TestSocket {
  const frames: JsonObject[] = [];
  const waiting = new Set<() => void>();
  let buffered = Buffer.alloc(0);
  let message = '';
  let code = 1006;

  const wake = () => {
    for (const look of waiting) look();
  };
  const closed = new Promise<number>((resolve) => {
    socket.on('close', () => {
      resolve(code);
      wake();
    });
  });
  socket.on('error', () => undefined);
  const take = (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let frame = nextFrame(buffered); frame !== undefined; frame = nextFrame(buffered)) {
      buffered = buffered.subarray(frame.length);
      if (frame.opcode === 8) {
        code = frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : 1005;
        socket.end(maskedFrame(8, frame.payload.subarray(0, 2)));
      } else if (frame.opcode <= 1) {
        message += frame.payload.toString();
        if (!frame.isLast) continue;
        frames.push(JSON.parse(message) as JsonObject);
        message = '';
      }
    }
    wake();
  };
  socket.on('data', take);
  take(head);

  return {
    frames,
    subprotocol: response.headers['sec-websocket-protocol'],
    closed,
    send: (frame) => void socket.write(maskedFrame(1, Buffer.from(JSON.stringify(frame)))),
    sendBytes: (bytes) => void socket.write(maskedFrame(1, bytes)),
    read: () => void socket.resume(),
    close: () => void socket.destroy(),
    until: (isMeant) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timeout);
          waiting.delete(look);
          settle();
        };
        const seen = () => `it got ${JSON.stringify(frames).slice(0, 500)}`;
        const timeout = setTimeout(
          () => end(() => reject(new Error(`That frame did not come; ${seen()}`))),
          PATIENCE_MS,
        );
        const look = () => {
          const found = frames.find(isMeant);
          if (found !== undefined) end(() => resolve(found));
          else if (socket.closed) end(() => reject(new Error(`Closed with ${code}; ${seen()}`)));
        };
        waiting.add(look);
        look();
      }),
  };
}

function nextFrame(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const size =
    short === 126
      ? bytes.readUInt16BE(2)
      : short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short;
  if (bytes.length < start + size) return undefined;
  const first = bytes[0] ?? 0;
  return {
    isLast: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    payload: bytes.subarray(start, start + size),
    length: start + size,
  };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A client must mask its frames. */
function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const size = payload.length;
  const length =
    size < 126
      ? Buffer.from([0x80 | size])
      : size < 65_536
        ? Buffer.from([0x80 | 126, size >> 8, size & 0xff])
        : Buffer.from([0x80 | 127, 0, 0, 0, 0, ...uint32(size)]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, mask, masked]);
}
