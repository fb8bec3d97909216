/**
 * Plays a case on a real socket, and ends with a frame of a known id: the session must answer the frame or close the
 * connection; otherwise the case hangs.
 */
import { connect, type Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { ServerFrame } from '../../src/protocol/schema/frame.ts';
import { encodeFrame, type ReceivedFrames, readFrames, TEXT } from './frames.ts';
import type { SocketCase } from './socket-case.ts';

export interface SocketEnd {
  /** Why the socket misbehaved, or undefined. */
  readonly problem: string | undefined;
  /** The close code, `refused` without a socket, or `answered` if the socket stayed open. */
  readonly end: string;
  readonly frames: number;
  readonly ms: number;
}

const LAST = 'the-last-frame';
const HEAD_END = '\r\n\r\n';
/** A failure of the server. No other code is wrong by itself, because the server returns the received code. */
const FAILED = 1011;

export function handshakeOf({ target, protocols, extensions }: SocketCase): Buffer {
  const lines = [
    `GET ${target} HTTP/1.1`,
    'Host: fuzz',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocols}`,
    ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
  ];
  return Buffer.from(lines.join('\r\n') + HEAD_END, 'latin1');
}

export function playSocketCase(
  port: number,
  socketCase: SocketCase,
  giveUpAfterMs: number,
): Promise<SocketEnd> {
  return new Promise((resolve) => {
    const from = performance.now();
    const received: ReceivedFrames = { texts: [], closeCode: undefined };
    let bytes = Buffer.alloc(0);
    let status: number | undefined;
    const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
    const done = (end: string, problem?: string) => {
      clearTimeout(timeout);
      socket.destroy();
      const ms = performance.now() - from;
      resolve({ end, ms, frames: received.texts.length, problem: problem ?? problemIn(received) });
    };
    const timeout = setTimeout(
      () => done('hung', `no answer to the last frame within ${giveUpAfterMs} ms`),
      giveUpAfterMs,
    );
    socket.on('connect', () => socket.write(handshakeOf(socketCase)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (status === undefined) done('none', 'closed without an answer to the upgrade');
      else done(String(received.closeCode ?? 1006));
    });
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (status === undefined) {
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) return;
        status = Number(bytes.subarray(9, 12).toString());
        if (status !== 101) return done('refused', refusedProblem(status));
        bytes = bytes.subarray(end + HEAD_END.length);
        sendAll(socket, socketCase);
      }
      try {
        bytes = Buffer.from(readFrames(bytes, received));
      } catch (cause) {
        return done('garbled', `a frame cannot be read: ${String(cause)}`);
      }
      if (received.closeCode !== undefined) return done(String(received.closeCode));
      if (received.texts.some((text) => text.includes(`"id":"${LAST}"`))) done('answered');
    });
  });
}

function sendAll(socket: Socket, { steps }: SocketCase): void {
  for (const step of steps) socket.write(step);
  const payload = Buffer.from(
    JSON.stringify({ type: 'cancel', id: LAST, interactionId: 'nobody~1' }),
  );
  socket.write(encodeFrame({ opcode: TEXT, payload }));
}

function refusedProblem(status: number): string | undefined {
  return status >= 500 ? `the upgrade failed with ${status}` : undefined;
}

function problemIn({ texts, closeCode }: ReceivedFrames): string | undefined {
  if (closeCode === FAILED) return `closed with ${closeCode}`;
  for (const text of texts) {
    if (text === 'pong') continue;
    const problem = frameProblem(text);
    if (problem !== undefined) return `${problem}: ${text.slice(0, 300)}`;
  }
  return undefined;
}

function frameProblem(text: string): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'a frame that is not JSON';
  }
  const parsed = ServerFrame.safeParse(json);
  if (!parsed.success) return 'a frame that is not described';
  const error = 'error' in parsed.data ? parsed.data.error : undefined;
  if (error === undefined) return undefined;
  if (!Object.hasOwn(ERRORS, error.code)) return 'an error that is not in the table';
  return ERRORS[error.code as ErrorCode].status >= 500 ? 'a failure' : undefined;
}
