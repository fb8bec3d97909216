/**
 * The other origins that may call from a browser.
 *
 * A bug here looks like a foreign page that reads a session with the token of its visitor, or a cache that sends the
 * permission of one origin to another.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { isOriginAllowed } from '../../src/http/response-headers.ts';
import type { Config } from '../../src/http/ports.ts';
import { fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const CHAT = 'https://chat.example.com';
const config = (...origins: string[]): Config => ({
  version: '0',
  agent: 'none',
  origins,
  timeouts: {},
  forbidSelfApproval: true,
});
const configured = createApp(fakePorts({ config: config(CHAT, 'http://localhost:5173') }));
const closed = createApp(fakePorts());

const OTHERS = [
  'https://evil.example',
  'https://chat.example.com.evil.example',
  'https://evil-chat.example.com',
  'http://chat.example.com',
  'https://chat.example.com:8443',
  'https://CHAT.example.com',
  'https://chat.example.com/',
  'https://sub.chat.example.com',
  'null',
  '*',
  '',
];

const corsOf = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-allow-origin'));

describe.each([
  ['an answer', '/health', {}],
  ['a refusal', '/v1/sessions', {}],
  ['a path that is none', '/nothing', {}],
  ['a wrong method', '/health', { method: 'DELETE' }],
  ['a preflight', '/v1/sessions', { method: 'OPTIONS' }],
] as const)('[AUTH-4] %s', (_name, path, init) => {
  it('names a configured origin, and varies by it', async () => {
    const response = await configured.fetch(
      requestTo(path, { ...init, headers: { Origin: CHAT } }),
    );
    expect(response.headers.get('access-control-allow-origin')).toBe(CHAT);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
    // Tokens travel in a header; cookies never give authority.
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it.each(OTHERS)('does not name %j, and still varies', async (origin) => {
    const response = await configured.fetch(
      requestTo(path, { ...init, headers: { Origin: origin } }),
    );
    expect(corsOf(response)).toEqual([]);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('names no origin if none is configured', async () => {
    for (const origin of [CHAT, ...OTHERS]) {
      const response = await closed.fetch(
        requestTo(path, { ...init, headers: { Origin: origin } }),
      );
      expect(corsOf(response)).toEqual([]);
      expect(response.headers.has('vary')).toBe(false);
    }
  });
});

it('[AUTH-4] allows the headers and methods of the client in a preflight, without a credential', async () => {
  const response = await configured.fetch(
    requestTo('/v1/sessions/a/interactions', {
      method: 'OPTIONS',
      headers: { Origin: CHAT, 'Access-Control-Request-Method': 'POST' },
    }),
  );
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'prefer']),
  );
  const methods = response.headers.get('access-control-allow-methods')?.split(', ');
  expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
});

it('[AUTH-4] sends permissions only to a browser of a configured origin', async () => {
  const preflight = { 'Access-Control-Request-Method': 'POST' };
  const asking: readonly Record<string, string>[] = [
    {},
    preflight,
    { ...preflight, Origin: 'https://evil.example' },
  ];
  for (const headers of asking) {
    const response = await configured.fetch(
      requestTo('/v1/sessions', { method: 'OPTIONS', headers }),
    );
    expect(response.status).toBe(204);
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

it('lists the methods of a path on OPTIONS', async () => {
  const options = (path: string) => configured.fetch(requestTo(path, { method: 'OPTIONS' }));
  expect((await options('/v1/sessions')).headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  expect((await options('/v1/sessions/a/clear')).headers.get('allow')).toBe('POST, OPTIONS');
  expect((await options('/nothing')).status).toBe(404);
});

it('[AUTH-4] accepts a socket from its own origin, a configured origin, or no browser', () => {
  const allowed = (origin: string | undefined) =>
    isOriginAllowed(
      new Request('https://hold.example/v1/sessions/a/socket', {
        headers: origin === undefined ? {} : { Origin: origin },
      }),
      config(CHAT),
    );
  expect(allowed(undefined)).toBe(true);
  expect(allowed(CHAT)).toBe(true);
  expect(allowed('https://hold.example')).toBe(true);
  for (const origin of [
    ...OTHERS,
    'https://hold.example:8443',
    'https://hold.example.evil.example',
  ]) {
    expect(allowed(origin), origin).toBe(false);
  }
});
