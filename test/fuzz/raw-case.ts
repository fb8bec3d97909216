/** Bytes that are hardly a request at all. */
import type { Random } from '../support/random.ts';
import { bytesOf, type FuzzRequest } from './fuzz-request.ts';
import { mutateBytes } from './mutate-text.ts';

const LINES = [
  'GET / HTTP/0.9',
  'GET / HTTP/9.9',
  'GET /',
  'BREW /v1/sessions HTTP/1.1',
  'get /v1/sessions HTTP/1.1',
  'CONNECT example:443 HTTP/1.1',
  'PRI * HTTP/2.0',
  'OPTIONS * HTTP/1.1',
  'GET http://elsewhere/v1/sessions HTTP/1.1',
  'GET v1/sessions HTTP/1.1',
  ' GET / HTTP/1.1',
  'GET  /  HTTP/1.1',
  'GET /\0 HTTP/1.1',
] as const;

const HEADERS = [
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 3, 4',
  'Content-Length: 99999999999999999999',
  'Content-Length: 5\r\nContent-Length: 6',
  'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding:\tchunked',
  'Host',
  ': nothing',
  'Name : space',
  'Folded: one\r\n two',
  'Bare: lf\n',
  'Nul: \0',
  `Long: ${'a'.repeat(100_000)}`,
  'Many: 1\r\n'.repeat(2_000).trimEnd(),
  'Expect: 100-continue',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk',
] as const;

const CHUNKS = [
  'zz\r\n{}\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n',
  '-2\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}junk\r\n0\r\n\r\n',
  '2;ext=1\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  '2\n{}\n0\n\n',
] as const;

/** `valid` is a valid request, which the case corrupts. */
export function makeRaw(valid: FuzzRequest, random: Random): Buffer {
  const bytes = bytesOf(valid);
  switch (random.weighted({ bytes: 5, line: 3, header: 4, chunk: 2, noise: 2, cut: 3 })) {
    case 'bytes':
      return mutateBytes(bytes.subarray(0, 20_000), random);
    case 'line':
      return Buffer.from(`${random.pick(LINES)}\r\nHost: fuzz\r\n\r\n`);
    case 'header':
      return withHeader(bytes, random.pick(HEADERS));
    case 'chunk': {
      const auth = valid.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const head = `${valid.method} ${valid.target} HTTP/1.1\r\nHost: fuzz\r\n${auth}`;
      const body = `Transfer-Encoding: chunked\r\n\r\n${random.pick(CHUNKS)}`;
      return Buffer.from(head + body, 'latin1');
    }
    case 'noise':
      return Buffer.from(Array.from({ length: random.int(1, 3_000) }, () => random.int(0, 255)));
    case 'cut':
      return bytes.subarray(0, random.int(1, Math.max(1, Math.min(bytes.length - 1, 2_000))));
  }
}

function withHeader(bytes: Buffer, header: string): Buffer {
  const end = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${header}\r\n`), bytes.subarray(end)]);
}
