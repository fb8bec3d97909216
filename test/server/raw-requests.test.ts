/**
 * Bytes that no HTTP client would send: repeated headers, wrong lengths, malformed chunks, connections cut in the
 * middle.
 *
 * The server refuses such a request like any bad request. Bytes that are not HTTP never reach it: the runtime answers
 * them in its own words. A bug here looks like a request that is executed although its end never came, a warning in the
 * log for the input of a stranger, or a server that has stopped.
 */
import { afterEach, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/protocol/errors.ts';
import { refusalProblem } from '../support/http/call.ts';
import { readVisibleState, settledSampleSession } from '../support/http/sample-session.ts';
import { type RawReply, rawRequest, sendRaw } from '../support/http/raw.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const server = await startServer();
const sample = await settledSampleSession(server);
const before = await readVisibleState(server, sample);
const at = `/v1/sessions/${sample.session}`;
const AUTH = `Authorization: Bearer ${ADMIN_KEY}`;
const CLOSE = 'Connection: close';
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
];

/** Clearing would end all open interactions, so an executed request is always noticed. */
const clear = (headers: readonly string[], body = '') =>
  rawRequest(`POST ${at}/clear`, [AUTH, ...headers], body);
/** The same for a route that takes a body. */
const ask = (headers: readonly string[], body = '') =>
  rawRequest(`POST ${at}/interactions/cancel`, [AUTH, ...headers], body);
const chunked = (body: string) => ask(['Transfer-Encoding: chunked', CLOSE], body);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

function replyIn({ text, statuses }: RawReply) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
  );
  return { status: statuses[0] ?? 0, headers, text: body };
}

async function expectUnchanged(): Promise<void> {
  expect(await readVisibleState(server, sample)).toEqual(before);
}
afterEach(expectUnchanged);

const REFUSED: Readonly<Record<string, readonly [string, ErrorCode]>> = {
  'two credentials that are the same': [
    rawRequest(`GET ${at}`, [AUTH, AUTH, CLOSE]),
    'unauthenticated',
  ],
  'a good credential after a bad one': [
    rawRequest(`GET ${at}`, ['Authorization: Bearer nobody', AUTH, CLOSE]),
    'unauthenticated',
  ],
  'two Idempotency-Keys': [
    clear(['Idempotency-Key: aaaaaaaa', 'Idempotency-Key: bbbbbbbb', 'Content-Length: 0', CLOSE]),
    'invalid_request',
  ],
  'two Last-Event-IDs': [
    rawRequest(`GET ${at}/events`, [
      AUTH,
      'Accept: text/event-stream',
      'Last-Event-ID: 1',
      'Last-Event-ID: 2',
      CLOSE,
    ]),
    'invalid_request',
  ],
  'a credential that is no text': [
    rawRequest(`GET ${at}`, ['Authorization: Bearer \xff\xfe', CLOSE]),
    'unauthenticated',
  ],
  'a length beyond everything': [
    ask(['Content-Length: 99999999999999999999999', CLOSE], '{}'),
    'too_large',
  ],
  'a length of 100 GB': [ask(['Content-Length: 99999999999', CLOSE], '{}'), 'too_large'],
  'a length of 100 GB where no body belongs': [
    clear(['Content-Length: 99999999999', CLOSE], '{}'),
    'invalid_request',
  ],
  'a length beside chunks': [
    ask(['Content-Length: 2', 'Transfer-Encoding: chunked', CLOSE], '2\r\n{}\r\n0\r\n\r\n'),
    'invalid_request',
  ],
  'a length beside chunks, without a credential': [
    rawRequest(
      'GET /health',
      ['Transfer-Encoding: chunked', 'Content-Length: 0', CLOSE],
      '0\r\n\r\n',
    ),
    'invalid_request',
  ],
  'a GET with a body': [
    rawRequest(`GET ${at}`, [AUTH, 'Content-Length: 7', CLOSE], '{"a":1}'),
    'invalid_request',
  ],
  'a GET with a body in chunks': [
    rawRequest(
      `GET ${at}`,
      [AUTH, 'Transfer-Encoding: chunked', CLOSE],
      '7\r\n{"a":1}\r\n0\r\n\r\n',
    ),
    'invalid_request',
  ],
  'a GET with too large a body': [
    rawRequest(`GET ${at}`, [AUTH, 'Content-Length: 262145', CLOSE], ' '.repeat(262_145)),
    'invalid_request',
  ],
  'a body that is said to be compressed': [
    ask(['Content-Encoding: gzip', 'Content-Length: 5', CLOSE], '\x1f\x8b\x08\0\0'),
    'unsupported_media_type',
  ],
  'an unknown expectation': [
    ask(['Expect: surprise', 'Content-Length: 5', CLOSE], 'xxxxx'),
    'invalid_json',
  ],
  'an upgrade of a POST': [
    rawRequest(`POST ${at}/clear`, [...UPGRADE, 'Content-Length: 0']),
    'unauthenticated',
  ],
  'an upgrade of a path that is none': [rawRequest(`GET ${at}/x`, [AUTH, ...UPGRADE]), 'not_found'],
  'a method of WebDAV': [rawRequest(`PROPFIND ${at}`, [AUTH, CLOSE]), 'method_not_allowed'],
  TRACE: [rawRequest(`TRACE ${at}`, [AUTH, CLOSE]), 'method_not_allowed'],
  'bytes in the path that are no UTF-8': [
    rawRequest('GET /v1/sessions/\xff\xfe', [AUTH, CLOSE]),
    'not_found',
  ],
  'a control character in the path': [
    rawRequest('GET /v1/sessions/a\x01b', [AUTH, CLOSE]),
    'not_found',
  ],
  'another host in the path': [rawRequest('GET //evil.example/health', [CLOSE]), 'not_found'],
  'a chunk whose size is a word': [chunked('zz\r\n{}\r\n0\r\n\r\n'), 'invalid_json'],
  'a chunk whose size has no end': [
    chunked('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'),
    'invalid_json',
  ],
  'a chunk of a negative size': [chunked('-2\r\n{}\r\n0\r\n\r\n'), 'invalid_json'],
  'a chunk longer than it says': [chunked('2\r\n{}junk\r\n0\r\n\r\n'), 'invalid_json'],
};

it.each(Object.entries(REFUSED))('[LIM-4, AUTH-2] refuses %s', async (_name, [text, code]) => {
  const reply = await sendRaw(server.port, latin1(text));
  expect(refusalProblem(replyIn(reply), [code])).toBeUndefined();
  expect(reply.statuses).toHaveLength(1);
});

/** The runtime answers or nothing does; the request must not be executed, and the server must survive. */
const NOT_HTTP: Readonly<Record<string, string>> = {
  'two lengths': ask(['Content-Length: 2', 'Content-Length: 3'], '{}'),
  'the same length twice': ask(['Content-Length: 2', 'Content-Length: 2'], '{}'),
  'a negative length': ask(['Content-Length: -1'], '{}'),
  'a length with a sign': ask(['Content-Length: +2'], '{}'),
  'a hexadecimal length': ask(['Content-Length: 0x2'], '{}'),
  'an unknown transfer encoding': ask(['Transfer-Encoding: xchunked'], '{}'),
  'two transfer encodings': ask(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
  'a space before the colon': rawRequest(`GET ${at}`, [`Authorization : Bearer ${ADMIN_KEY}`]),
  'a header over two lines': rawRequest(`GET ${at}`, ['Authorization: Bearer', ` ${ADMIN_KEY}`]),
  'a header without a colon': rawRequest(`GET ${at}`, ['Authorization']),
  'NUL in a header': rawRequest(`GET ${at}`, [`${AUTH}\0`]),
  'a header of 200,000 characters': rawRequest(`GET ${at}`, [AUTH, `X: ${'a'.repeat(200_000)}`]),
  'no host': `GET ${at} HTTP/1.1\r\n${AUTH}\r\n\r\n`,
  'two hosts': rawRequest(`GET ${at}`, ['Host: elsewhere', AUTH]),
  'a host that is none': `GET ${at} HTTP/1.1\r\nHost: a b<c\r\n${AUTH}\r\n\r\n`,
  'a preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a handshake of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an unknown method': rawRequest(`BREW ${at}`, [AUTH]),
  'a method in small letters': rawRequest(`get ${at}`, [AUTH]),
  CONNECT: rawRequest('CONNECT evil.example:443', [AUTH]),
  'a path without a slash': rawRequest('GET health', [AUTH]),
  'a whole URL for a path': rawRequest(`GET http://elsewhere${at}`, [AUTH]),
  'one word': 'NONSENSE\r\n\r\n',
  'empty lines': '\r\n'.repeat(50),
  noise: '\0\xff'.repeat(5_000),
  'WebSocket without a key': rawRequest(`GET ${at}/socket`, [AUTH, 'Upgrade: websocket']),
};

it.each(Object.entries(NOT_HTTP))('[LIM-4] survives %s', async (_name, text) => {
  const reply = await sendRaw(server.port, latin1(text));
  expect(reply.statuses.filter((status) => status < 400)).toEqual([]);
  expect(reply.text).not.toContain(sample.session);
});

/** Valid requests without their end. */
const CUT_OFF: Readonly<Record<string, string>> = {
  'in the request line': `POST ${at}/cle`,
  'in the headers': `POST ${at}/clear HTTP/1.1\r\nHost: test\r\n${AUTH}\r\n`,
  'before the body': clear(['Content-Length: 2']),
  'in the body': ask(['Content-Length: 20'], '{}'),
  'in the body where none belongs': clear(['Content-Length: 20'], '{}'),
  'after half a chunk': ask(['Transfer-Encoding: chunked'], '9\r\n{}'),
  'after a whole chunk': ask(['Transfer-Encoding: chunked'], '2\r\n{}\r\n'),
};

it.each(Object.entries(CUT_OFF))(
  '[LIM-4] executes nothing when cut off %s',
  async (_name, text) => {
    for (const end of [true, false]) {
      await Promise.all(
        Array.from({ length: 10 }, () => sendRaw(server.port, latin1(text), { end, cut: true })),
      );
    }
    const reply = await sendRaw(server.port, latin1(text));
    expect(reply.statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  },
);

it('[LIM-4] reads a second request only where the first one ends', async () => {
  const hidden = rawRequest(`DELETE ${at}`, [AUTH]);
  const bodies = [
    rawRequest('POST /v1/tokens', [AUTH, `Content-Length: ${hidden.length}`, CLOSE], hidden),
    rawRequest(
      'POST /v1/tokens',
      [AUTH, 'Transfer-Encoding: chunked', CLOSE],
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ),
  ];
  for (const text of bodies) {
    const reply = await sendRaw(server.port, latin1(text));
    expect(reply.statuses).toEqual([400]);
  }
});

it('[LIM-4] logs no warning, and still runs as the same process', async () => {
  await server.expectRunning();
  expect(server.output()).not.toContain('"level":"warn"');
  expect(server.output()).not.toContain(ADMIN_KEY);
});
