/**
 * The pages for people and the files they load.
 *
 * A bug here looks like a page that runs the text of an agent, a phone that waits for a megabyte, or a browser that
 * keeps the chat of last year.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { webFiles } from '../../src/platform/web-files.ts';
import { zippedBundle } from '../support/http/bundle-bytes.ts';
import { fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const SCRIPT = `console.log("${'long '.repeat(500)}");`;
const bundle = {
  page: '<!doctype html><title>Holdpoint</title>',
  worker: 'self.version = 1;',
  assets: { 'main-ABCD1234.js': SCRIPT, 'main-ABCD1234.css': 'b{}', 'icon-0.svg': '<svg/>' },
  pictures: { 'icon-192-0.png': 'iVBORw0K' },
};
const app = createApp(fakePorts({ web: webFiles(zippedBundle(bundle)) }));

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(requestTo(path, { headers }));

async function unpacked(response: Response): Promise<string> {
  const stream = response.body?.pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

describe.each(['/', '/inbox', '/?anything=goes'])('%s', (path) => {
  it('is the page, and browsers request it each time', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(bundle.page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('is not sent again to a browser with the current copy', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('no-cache');
  });

  it('[AUTH-4] runs and loads nothing from other origins, and no inline code', async () => {
    const { headers } = await get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' blob:;");
    // Of a blob the page draws a picture; it runs, frames and connects to none.
    expect(policy.replace("img-src 'self' blob:", '')).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('/assets', () => {
  it.each([
    ['main-ABCD1234.js', 'text/javascript; charset=utf-8'],
    ['main-ABCD1234.css', 'text/css; charset=utf-8'],
    ['icon-0.svg', 'image/svg+xml'],
    ['icon-192-0.png', 'image/png'],
  ])('keeps %s for ever, as %s', async (name, type) => {
    const { status, headers } = await get(`/assets/${name}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('has the bytes of a picture as they are, whatever the client accepts', async () => {
    const response = await get('/assets/icon-192-0.png', { 'Accept-Encoding': 'gzip' });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([137, 80, 78, 71, 13, 10]);
  });

  it.each(['none.js', 'main-ABCD1234', '__proto__', 'constructor.js', '..%2Fpage', '%00.js'])(
    'has no %s',
    async (name) => {
      expect((await get(`/assets/${name}`)).status).toBe(404);
    },
  );

  it.each(['gzip', 'br, GZIP;q=0.5', 'gzip, deflate'])(
    'compresses the file for %s',
    async (accepted) => {
      const response = await get('/assets/main-ABCD1234.js', { 'Accept-Encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await unpacked(response)).toBe(SCRIPT);
    },
  );

  it.each(['', 'br', 'gzip;q=0', 'br, gzip; q=0.0'])(
    'leaves it as it is for %j',
    async (accepted) => {
      const response = await get('/assets/main-ABCD1234.js', { 'Accept-Encoding': accepted });
      expect(response.headers.has('content-encoding')).toBe(false);
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.text()).toBe(SCRIPT);
    },
  );
});

it('[UI-10, AUTH-4] has a service worker for the whole site, which requests only this origin', async () => {
  const response = await get('/sw.js');
  expect(await response.text()).toBe(bundle.worker);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'service-worker-allowed': '/',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'cross-origin-resource-policy': 'same-origin',
  });
});
