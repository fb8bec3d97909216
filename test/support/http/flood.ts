/** A sender that never stops while the receiver reads. */
import { once } from 'node:events';
import { connect } from 'node:net';

interface Flood {
  /** The request line and headers, without the empty line. */
  readonly head: string;
  readonly bytes: number;
  /** Default: in chunks, like a sender that does not know the length. */
  readonly chunked?: boolean;
}

const PIECE_BYTES = 256 * 1_024;
const PIECE = Buffer.alloc(PIECE_BYTES, 0x78);
const CHUNK = Buffer.concat([
  Buffer.from(`${PIECE_BYTES.toString(16)}\r\n`),
  PIECE,
  Buffer.from('\r\n'),
]);
/** A receiver that read nothing for so long has stopped reading. */
const STUCK_MS = 2_000;

/** The response; empty if the connection was reset before it could be read. */
export async function flood(port: number, { head, bytes, chunked = true }: Flood): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  // The receiver resets the connection when it stops reading.
  socket.on('error', () => undefined);
  const over = new AbortController();
  socket.once('close', () => over.abort());
  await once(socket, 'connect');
  socket.write(`${head}\r\n\r\n`);
  const piece = chunked ? CHUNK : PIECE;
  while (socket.bytesWritten < bytes && !over.signal.aborted) {
    if (socket.write(piece)) continue;
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(STUCK_MS)]);
    if (!(await once(socket, 'drain', { signal }).then(Boolean, () => false))) break;
  }
  socket.destroy();
  return text;
}
