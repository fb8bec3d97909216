/** Servers that break the protocol: they write raw bytes, so they can send anything. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const WEBSOCKET = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export interface RawSocket {
  /** A text frame, up to 64 KiB. */
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  close(code: number): void;
}

export interface BadServer {
  readonly url: string;
  readonly sockets: number;
}

export interface Manners {
  /** Drives each WebSocket; without it, the server answers upgrades like requests. */
  readonly socket?: (socket: RawSocket, connection: number) => void;
  readonly request?: (request: IncomingMessage, response: ServerResponse) => void;
}

export async function startBadServer({ socket, request }: Manners): Promise<BadServer> {
  let sockets = 0;
  const open = new Set<Socket>();
  const server = createServer((asked, response) => {
    if (request === undefined) response.writeHead(404).end();
    else request(asked, response);
  });
  server.on('connection', (connection) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection));
  });
  if (socket !== undefined) {
    server.on('upgrade', (asked: IncomingMessage, connection: Socket) => {
      connection.on('error', () => undefined);
      connection.write(accepted(asked));
      sockets += 1;
      socket(talkOn(connection), sockets);
    });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const connection of open) connection.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sockets() {
      return sockets;
    },
  };
}

function accepted(asked: IncomingMessage): string {
  const key = asked.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1')
    .update(key + WEBSOCKET)
    .digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    'Sec-WebSocket-Protocol: holdpoint.v1',
    '\r\n',
  ].join('\r\n');
}

function talkOn(connection: Socket): RawSocket {
  const frame = (opcode: number, payload: Buffer) => {
    const { length } = payload;
    const size = length < 126 ? [length] : [126, length >> 8, length & 0xff];
    connection.write(Buffer.concat([Buffer.from([0x80 | opcode, ...size]), payload]));
  };
  return {
    text: (text) => frame(1, Buffer.from(text)),
    bytes: (bytes) => connection.write(bytes),
    close(code) {
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      frame(8, payload);
      connection.end();
    },
  };
}
