/** Writes valid and malformed WebSocket frames as bytes, and reads the frames of the server. */
import { constants, inflateRawSync } from 'node:zlib';

export interface FrameShape {
  readonly opcode: number;
  readonly payload: Buffer;
  /** Default true. */
  readonly isLast?: boolean;
  /** Default true; a client that does not mask breaks the protocol. */
  readonly isMasked?: boolean;
  /** The bits of extensions, RSV1 (compressed) to RSV3; default 0. */
  readonly reserved?: number;
}

const MASK = Buffer.from([0x5a, 0x3c, 0x96, 0xf1]);

export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const COMPRESSED = 4;

export function encodeFrame(frame: FrameShape): Buffer {
  const { opcode, payload, isLast = true, isMasked = true, reserved = 0 } = frame;
  const size = payload.length;
  const marker = size < 126 ? size : size < 65_536 ? 126 : 127;
  const head = Buffer.alloc(marker < 126 ? 2 : marker === 126 ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | marker;
  if (marker === 126) head.writeUInt16BE(size, 2);
  if (marker === 127) head.writeBigUInt64BE(BigInt(size), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const masked = Buffer.from(payload);
  for (let at = 0; at < size; at += 1) masked[at] = (masked[at] ?? 0) ^ (MASK[at & 3] ?? 0);
  return Buffer.concat([head, MASK, masked]);
}

export interface ReceivedFrames {
  readonly texts: string[];
  closeCode: number | undefined;
}

/** Reads the complete frames at the start of `bytes`, and returns the remaining bytes. */
export function readFrames(bytes: Buffer, received: ReceivedFrames): Buffer {
  let rest = bytes;
  for (;;) {
    if (rest.length < 2) return rest;
    const marker = (rest[1] ?? 0) & 0x7f;
    const start = marker === 126 ? 4 : marker === 127 ? 10 : 2;
    if (rest.length < start) return rest;
    const size =
      marker === 126
        ? rest.readUInt16BE(2)
        : marker === 127
          ? Number(rest.readBigUInt64BE(2))
          : marker;
    if (rest.length < start + size) return rest;
    const opcode = (rest[0] ?? 0) & 0x0f;
    const isCompressed = ((rest[0] ?? 0) & 0x40) !== 0;
    const payload = rest.subarray(start, start + size);
    if (opcode === TEXT) received.texts.push(isCompressed ? inflated(payload) : payload.toString());
    if (opcode === CLOSE) received.closeCode = size >= 2 ? payload.readUInt16BE(0) : 1005;
    rest = rest.subarray(start + size);
  }
}

/** A compressed message does not end its deflate stream, so the end must not be required. */
function inflated(payload: Buffer): string {
  return inflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}
