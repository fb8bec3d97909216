/** A sender that goes on and on, for as long as the other side takes what it sends. */
import { once } from 'node:events';
import { connect } from 'node:net';

interface Flood {
  /** Everything up to the empty line, without it. */
  readonly head: string;
  readonly bytes: number;
  /** Default: in chunks, as a sender does that does not know the length. */
  readonly chunked?: boolean;
}

const PIECE_BYTES = 256 * 1_024;
const PIECE = Buffer.alloc(PIECE_BYTES, 0x78);
const CHUNK = Buffer.concat([
  Buffer.from(`${PIECE_BYTES.toString(16)}\r\n`),
  PIECE,
  Buffer.from('\r\n'),
]);
/** Whoever took nothing for so long takes nothing more. */
const STUCK_MS = 2_000;

/** What came back; empty where the connection was reset before it was read. */
export async function flood(port: number, { head, bytes, chunked = true }: Flood): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  // A reset says that the other side has had enough.
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
