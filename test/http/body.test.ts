/**
 * How many bytes of a body the server reads, whatever the headers claim, and which routes read a body at all.
 *
 * A bug here looks like a stranger who fills the memory of the server through a page that needs no credential, or a
 * request whose end a proxy and the server see at different bytes.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';

const CHUNK_BYTES = 64 * 1_024;

/** An endless body; counts the bytes that the reader takes. */
function endless() {
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      sent += CHUNK_BYTES;
      controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(0x78));
    },
  });
  return { body, sent: () => sent };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: RequestInit['body'];
}

/** Node lets a test set the headers that a runtime copies from the connection. */
async function ask({ path, body, headers, ...rest }: Sent) {
  const ports = fakePorts();
  const request = new Request(`http://hold.example${path}`, {
    ...rest,
    headers: { ...GOOD, ...headers },
    ...(body !== undefined && { body, duplex: 'half' }),
  });
  const response = await createApp(ports).fetch(request);
  const text = await response.text();
  const { error } = JSON.parse(text || '{}') as { error?: { code: string; message: string } };
  return { status: response.status, error, ports };
}

const CREATE = { method: 'POST', path: '/v1/sessions' };
const CLEAR = { method: 'POST', path: '/v1/sessions/one/clear' };

it('[LIM-1] stops reading a body in chunks at the limit', async () => {
  const { body, sent } = endless();
  const { error, ports } = await ask({ ...CREATE, body });
  expect(error?.code).toBe('too_large');
  expect(sent()).toBeLessThanOrEqual(LIMITS.bodyBytes + 2 * CHUNK_BYTES);
  expect(ports.asked).toEqual([]);
});

it('[LIM-1] refuses a body that begins with a byte order mark, and takes the same without it', async () => {
  const body = '{"id":"one"}';
  const { status, error, ports } = await ask({ ...CREATE, body: `\ufeff${body}` });
  expect([status, error?.code, error?.message]).toEqual([
    400,
    'invalid_json',
    expect.stringContaining('byte order mark'),
  ]);
  expect(ports.asked).toEqual([]);
  expect((await ask({ ...CREATE, body })).error?.code).not.toBe('invalid_json');
});

/** Of a small one the server reads no more: `test/server/body-memory.test.ts`. */
it('[LIM-1] reads no more than a Content-Length claims, however much arrives', async () => {
  const { body, sent } = endless();
  const headers = { 'Content-Length': String(LIMITS.smallBodyBytes + 1) };
  const { status } = await ask({ ...CREATE, body, headers });
  expect(status).toBe(400);
  expect(sent()).toBeLessThanOrEqual(2 * CHUNK_BYTES);
});

it('[LIM-1] does not read a body that claims to be too large', async () => {
  const { body, sent } = endless();
  const headers = { 'Content-Length': String(LIMITS.bodyBytes + 1) };
  expect((await ask({ ...CREATE, body, headers })).error?.code).toBe('too_large');
  expect(sent()).toBeLessThanOrEqual(CHUNK_BYTES);
});

it('[LIM-1] reads a body that arrives in pieces to its end', async () => {
  const words = 'y'.repeat(30_000);
  const text = JSON.stringify({ text: words });
  const pieces = Array.from({ length: 20 }, (_, at) => {
    const size = Math.ceil(text.length / 20);
    return new TextEncoder().encode(text.slice(at * size, (at + 1) * size));
  });
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) return controller.enqueue(piece);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const { ports } = await ask({ method: 'POST', path: '/v1/sessions/one/messages', body });
  expect(ports.asked.map(({ command }) => command)).toEqual([
    { type: 'message.send', text: words },
  ]);
});

it.each([
  ['a public page', { method: 'GET', path: '/health' }],
  ['a read', { method: 'GET', path: '/v1/sessions' }],
  ['a command', CLEAR],
  ['an opening', { method: 'POST', path: '/v1/sessions/one/interactions' }],
  ['a path that is none', { method: 'POST', path: '/nothing' }],
  ['a wrong method', { method: 'PUT', path: '/health' }],
  ['a preflight', { method: 'OPTIONS', path: '/v1/sessions' }],
])(
  '[LIM-1] refuses a length together with chunks on %s, before any other check',
  async (_name, request) => {
    for (const headers of [GOOD, { Authorization: 'Bearer nobody' }]) {
      const { status, error, ports } = await ask({
        ...request,
        headers: { ...headers, 'Content-Length': '10', 'Transfer-Encoding': 'chunked' },
      });
      expect([status, error?.code]).toEqual([400, 'invalid_request']);
      expect(error?.message).toBe('Send Content-Length or Transfer-Encoding, not both');
      expect(ports.asked).toEqual([]);
    }
  },
);

const BODILESS = ROUTES.filter(
  ({ body, method, access }) => body === undefined && method !== 'GET' && access !== 'public',
).map(({ method, path }) => {
  const named = path
    .replace(':iid', 'call~1')
    .replace(':tokenId', 'tok_1')
    .replace(':signInId', 'sgn_1')
    .replace(':targetId', 'tgt_1')
    .replace(':deviceId', 'tgt_1')
    .replace(':deliveryId', 'msg_1_1');
  return { method, path: named.replaceAll(/:[a-zA-Z]+/g, 'one') };
});

it.each(BODILESS)(
  '[LIM-1] $method $path takes no body, and does not read on and on',
  async (route) => {
    const { body, sent } = endless();
    const chunked = await ask({ ...route, body });
    expect([chunked.status, chunked.error?.message]).toEqual([400, 'This request takes no body']);
    expect(sent()).toBeLessThanOrEqual(LIMITS.bodyBytes + 2 * CHUNK_BYTES);
    const small = await ask({ ...route, body: '{"reason":"because"}' });
    expect(small.error?.code).toBe('invalid_request');
    expect([...chunked.ports.asked, ...small.ports.asked]).toEqual([]);
  },
);

it.each(['', ' \n', '{}', ' { } '])(
  '[LIM-1] takes %j for no body, as generated clients send it',
  async (body) => {
    const { ports } = await ask({ ...CLEAR, body });
    expect(ports.asked).toMatchObject([{ command: { type: 'session.clear' } }]);
  },
);

/** A body whose sender takes its time. */
function slowBody() {
  let begun: ReadableByteStreamController | undefined;
  const body = new ReadableStream({
    type: 'bytes',
    start(controller) {
      begun = controller;
      controller.enqueue(new Uint8Array(LIMITS.bodyBytes + 2).fill(0x78));
    },
  });
  const end = () => {
    begun?.close();
    // A read that waits ends only then.
    begun?.byobRequest?.respond(0);
  };
  return { body, end };
}

it('[LIM-5] reads eight large bodies of one root at once, and another one when one has ended', async () => {
  const large = { method: 'POST', path: '/v1/sessions/one/interactions' };
  const bodies = Array.from({ length: LIMITS.largeBodies }, slowBody);
  const replies = bodies.map(({ body }) => ask({ ...large, body }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { status, error } = await ask({ ...large, body: slowBody().body });
  expect([status, error?.code]).toEqual([429, 'rate_limited']);
  for (const { end } of bodies) end();
  for (const reply of replies) expect((await reply).error?.code).toBe('invalid_json');
  const next = slowBody();
  const last = ask({ ...large, body: next.body });
  await new Promise((resolve) => setTimeout(resolve, 50));
  next.end();
  expect((await last).error?.code).toBe('invalid_json');
});
