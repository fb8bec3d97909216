/** Bytes on a socket, for requests that no HTTP client would send. */
import { connect } from 'node:net';

export interface RawReply {
  /** Everything received until the server closed, or until `until` arrived. */
  readonly text: string;
  /** The statuses of all responses in it, in order. */
  readonly statuses: readonly number[];
}

interface RawOptions {
  /** Closes the client's side after writing, like a client that has finished. */
  readonly end?: boolean;
  /** Cuts the connection without waiting for a response. */
  readonly cut?: boolean;
}

/** Long enough for any response on a busy machine; only an unanswered request takes so long. */
const PATIENCE_MS = 2_000;

export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { end = true, cut = false }: RawOptions = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
    const done = () => {
      clearTimeout(timeout);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
        Number(status),
      );
      resolve({ text, statuses });
    };
    const timeout = setTimeout(done, PATIENCE_MS);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', done);
    // A reset is a response too: the server stopped reading.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error);
      else done();
    });
    socket.on('connect', () => {
      if (end) socket.end(bytes);
      else socket.write(bytes);
      if (cut) setImmediate(done);
    });
  });
}

/** A request as text, with the line ends of HTTP. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: test', ...headers, '', body].join('\r\n');
}
