/**
 * The reference as plain workerd sends it.
 *
 * A bug here looks like a page that a browser cannot unpack: unless the code disables it, the runtime compresses a
 * response that is marked as compressed.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { send } from '../support/http/call.ts';
import { sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const ask = (method: string, path: string, headers: Record<string, string>) =>
  send(server, { method, path, token: null, headers });

it.each(['/docs', '/openapi.json', '/docs/style.css', '/', '/sw.js'])(
  '%s arrives whole, compressed or not, and once',
  async (path) => {
    const plain = await ask('GET', path, { 'Accept-Encoding': 'identity' });
    const packed = await ask('GET', path, { 'Accept-Encoding': 'gzip' });
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.text).toBe(plain.text);
    expect(packed.text.length).toBeGreaterThan(100);
    const etag = packed.headers.get('etag') ?? '';
    const again = await ask('GET', path, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await ask('HEAD', path, { 'Accept-Encoding': 'gzip' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
  },
);

it('loads the page of the reference in a tenth of its size', async () => {
  const { text, headers } = await ask('GET', '/docs', { 'Accept-Encoding': 'gzip' });
  expect(Number(headers.get('content-length'))).toBeLessThan(text.length / 10);
});

it('has the same version in its document, in its health and in the manifest', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const [document, health] = await Promise.all(
    ['/openapi.json', '/health'].map(
      async (path) => (await send(server, { method: 'GET', path })).text,
    ),
  );
  expect(JSON.parse(document ?? '')).toMatchObject({ info: { version } });
  expect(JSON.parse(health ?? '')).toMatchObject({ version });
});

it('has a page for a mistyped address, and JSON for programs', async () => {
  const page = await ask('GET', '/settings', { Accept: 'text/html,*/*;q=0.8' });
  expect([page.status, page.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ]);
  const json = await ask('GET', '/settings', {});
  expect([json.status, json.headers.get('content-type')]).toEqual([404, 'application/json']);
  const head = await ask('HEAD', '/settings', { Accept: 'text/html' });
  expect([head.status, head.text]).toEqual([404, '']);
  await server.expectUnharmed();
});
