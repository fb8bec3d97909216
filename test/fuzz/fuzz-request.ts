/** A request as bytes, and as a command with which a person can repeat it. */
import { LIMITS } from '../../src/protocol/limits.ts';

export interface FuzzRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  /** Their text is Latin-1: each character is a byte. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
  readonly framing: Framing;
  /** The runtime may refuse the request in its own words, before the server receives it. */
  readonly isOdd: boolean;
}

/**
 * How the request marks the end of its body: by its length, in chunks, by a length that is too small or too
 * large, or not at all because the sender disconnects.
 */
export type Framing = 'length' | 'chunked' | 'short' | 'long' | 'cut';

/** Whether the marked end is the real end, so that a response is required. */
export function isWhole({ framing }: FuzzRequest): boolean {
  return framing === 'length' || framing === 'chunked';
}

/**
 * Whether the connection may end without a response. The server refuses a body above every limit before reading it, and
 * workerd waits for at most 64 KB of the rest: the response is sent, but a client that is still sending may only see a
 * reset.
 */
export function mayBeCutOff(request: FuzzRequest): boolean {
  const isTooLarge = (request.body?.length ?? 0) > LIMITS.bodyBytes;
  return !isWhole(request) || request.isOdd || isTooLarge;
}

export function bytesOf(request: FuzzRequest): Buffer {
  const { method, target, headers, body, framing } = request;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (body !== undefined) {
    lines.push(
      framing === 'chunked'
        ? 'Transfer-Encoding: chunked'
        : `Content-Length: ${claimedLength(body.length, framing)}`,
    );
  }
  const head = [`${method} ${target} HTTP/1.1`, 'Host: fuzz', ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), content(body, framing)]);
}

function claimedLength(length: number, framing: Framing): number {
  if (framing === 'short') return Math.floor(length / 2);
  return framing === 'long' ? length + 7 : length;
}

function content(body: Buffer | undefined, framing: Framing): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (framing === 'cut') return body.subarray(0, Math.floor(body.length / 2));
  if (framing !== 'chunked') return body;
  const half = Math.floor(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  return Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      part,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}

const SHOWN_BYTES = 6_000;

/** A shell command; a request that is too long for one is shown by its beginning. */
export function asCommand(request: FuzzRequest, port: number): string {
  if (!isWhole(request)) return asBytes(bytesOf(request), port);
  const { method, target, headers, body } = request;
  const flags = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const url = quoted(`http://127.0.0.1:${port}${target}`);
  const curl = ['curl -i --path-as-is -g -X', method, ...flags, url].join(' ');
  return body === undefined ? curl : `${encoded(body)} | ${curl} --data-binary @-`;
}

export function asBytes(bytes: Buffer, port: number): string {
  return `${encoded(bytes)} | nc 127.0.0.1 ${port}`;
}

function encoded(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (bytes.length > SHOWN_BYTES) {
    return `# ${bytes.length} bytes, beginning with ${JSON.stringify(text.slice(0, 600))}\n  <them>`;
  }
  return /^[ -~\r\n]*$/.test(text)
    ? `printf %b ${quoted(text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n'))}`
    : `echo ${bytes.toString('base64')} | base64 -d`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
