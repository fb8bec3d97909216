/**
 * Pages and the document, compressed and validated.
 *
 * A bug here looks like a phone that loads 300 KB of reference each time, a cache that sends gzip to a client that
 * cannot read it, or an old document after a deploy.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { buildReference } from '../../scripts/lib/reference/build-reference.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { referenceFiles } from '../../src/platform/web-files.ts';
import { zippedBundle } from '../support/http/bundle-bytes.ts';
import { fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

function appOf(version: string) {
  const reference = referenceFiles(zippedBundle(buildReference(ROUTES, version)));
  return createApp(fakePorts({ reference }));
}

const app = appOf('1.2.3');
const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(requestTo(path, { headers }));

async function unpacked(response: Response): Promise<string> {
  const stream = response.body?.pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

describe.each(['/docs', '/openapi.json', '/docs/style.css'])('%s', (path) => {
  it('is compressed for clients that accept gzip, with a Vary header', async () => {
    const plain = await get(path);
    const packed = await get(path, { 'Accept-Encoding': 'gzip' });
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    for (const { headers } of [plain, packed]) {
      expect(headers.get('vary')).toContain('Accept-Encoding');
      expect(headers.get('etag')).toBe(plain.headers.get('etag'));
    }
    const size = (await packed.clone().arrayBuffer()).byteLength;
    const text = await plain.text();
    expect(size).toBeLessThan(text.length / 2);
    expect(await unpacked(packed)).toBe(text);
  });

  it('is not sent to a client with the current version', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await get(path, { 'If-None-Match': known, 'Accept-Encoding': 'gzip' });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('vary')).toContain('Accept-Encoding');
      expect(again.headers.get('cache-control')).toBe('public, max-age=60');
    }
  });

  it('is sent to a client with another version', async () => {
    const known = ['"other"', 'W/"other"', '', 'other', '"', ','];
    for (const etag of known) expect((await get(path, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('returns headers without a body on HEAD', async () => {
    const head = await app.fetch(
      requestTo(path, {
        method: 'HEAD',
        headers: { 'Accept-Encoding': 'gzip' },
      }),
    );
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-encoding')).toBe('gzip');
  });
});

it('has another entity tag after a deploy', async () => {
  const tags = await Promise.all(
    ['1.2.3', '1.2.4'].map(async (version) => {
      return (await appOf(version).fetch(requestTo('/openapi.json'))).headers.get('etag');
    }),
  );
  expect(new Set(tags).size).toBe(2);
});

it('describes the reference to search engines', async () => {
  const page = await (await get('/docs')).text();
  const description = /<meta name="description" content="([^"]+)">/.exec(page)?.[1] ?? '';
  expect(description.length).toBeGreaterThan(50);
  expect(description.length).toBeLessThan(200);
});
