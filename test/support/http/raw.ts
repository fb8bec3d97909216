/** Bytes on a socket, for what no HTTP client would send. */
import { connect } from 'node:net';

export interface RawReply {
  /** Everything that came back before the other side closed, or before `until` was seen. */
  readonly text: string;
  /** The statuses of all responses in it, in order. */
  readonly statuses: readonly number[];
}

interface RawOptions {
  /** Closes our side after writing, as a client that has nothing more to say. */
  readonly end?: boolean;
  /** Cuts the connection without waiting for anything. */
  readonly cut?: boolean;
}

/** Long enough for any answer on a busy machine; only a request that is not answered takes it all. */
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
    // A reset is an answer too: the other side did not want to hear more.
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

/** A request as text, with the line ends HTTP wants. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: test', ...headers, '', body].join('\r\n');
}
