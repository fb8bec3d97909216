/**
 * One kept-alive HTTP/1.1 connection that carries one request at a time, like a single agent or person.
 *
 * Written by hand, because every figure of both sides includes the client's own work: more of it moves every ratio
 * towards 1 and makes the product look better.
 */
import { type Socket, connect } from 'node:net';

interface HttpReply {
  readonly status: number;
  readonly text: string;
}

export interface HttpRequest {
  readonly body?: unknown;
  /** Additional header lines, each with its line end. */
  readonly headers?: string;
}

interface Pending {
  resolve(reply: HttpReply): void;
  reject(error: Error): void;
}

/** The server closed the connection; it may or may not have executed the request. */
export class DroppedConnection extends Error {
  constructor(options?: ErrorOptions) {
    super('The connection was dropped by the server', options);
  }
}

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

export class HttpConnection {
  readonly #port: number;
  readonly #common: string;
  #socket: Socket;
  #received: Buffer = NOTHING;
  #pending: Pending | undefined;
  #isClosed = false;

  private constructor(port: number, socket: Socket, common: string) {
    this.#port = port;
    this.#common = common;
    this.#socket = this.#listenTo(socket);
  }

  static async open(port: number, token: string): Promise<HttpConnection> {
    const common = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    return new HttpConnection(port, await connected(port), common);
  }

  async request(
    method: string,
    path: string,
    { body, headers = '' }: HttpRequest = {},
  ): Promise<HttpReply> {
    if (this.#pending !== undefined) throw new Error('One request at a time');
    if (this.#isClosed) throw new DroppedConnection();
    // The server closes a connection that is idle for some seconds, as while other servers have their turn.
    if (this.#socket.destroyed || this.#socket.readableEnded) {
      this.#socket = this.#listenTo(await connected(this.#port));
    }
    const start = `${method} ${path} HTTP/1.1\r\n${this.#common}${headers}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const size = Buffer.byteLength(text);
    const about =
      body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${size}\r\n`;
    return new Promise<HttpReply>((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(`${start}${about}\r\n${text}`);
    });
  }

  /** The reply's JSON, when it has one of the expected statuses. */
  async json<Value>(
    method: string,
    path: string,
    status: number | readonly number[],
    request?: HttpRequest,
  ): Promise<Value> {
    const reply = await this.request(method, path, request);
    const expected = [status].flat();
    if (!expected.includes(reply.status)) {
      const wanted = expected.join(' or ');
      throw new Error(`${method} ${path} answered ${reply.status}, not ${wanted}: ${reply.text}`);
    }
    return JSON.parse(reply.text) as Value;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #listenTo(socket: Socket): Socket {
    // A socket that was replaced must not end the request of the one after it.
    const fail = (error: Error) => {
      if (this.#socket === socket) this.#fail(error);
    };
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (cause) => fail(new DroppedConnection({ cause })));
    socket.on('close', () => fail(new DroppedConnection()));
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const body = bodyOf(head, this.#received.subarray(headEnd + HEAD_END.length));
    if (body === undefined) return;
    const pending = this.#pending;
    this.#received = NOTHING;
    this.#pending = undefined;
    pending?.resolve({ status: Number(head.slice(9, 12)), text: body });
  }

  #fail(error: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(error);
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Undefined while the reply is incomplete. Nothing follows a reply, because the next request is not sent yet. */
function bodyOf(head: string, received: Buffer): string | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const size = Number(length);
    return received.length < size ? undefined : received.toString('utf8', 0, size);
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return '';
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (received.length < start + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(received.subarray(start, start + size));
    at = start + size + 2;
  }
}
