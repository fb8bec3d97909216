/**
 * The headers that keep a browser from using a response as something else.
 *
 * A bug here looks like a reply that a browser frames or runs as a page, a window of another origin that keeps a
 * reference to the chat, or a line of JSON for a person who mistyped an address.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { ErrorBody } from '../../src/protocol/schema/rejection.ts';
import { referenceFiles, webFiles } from '../../src/platform/web-files.ts';
import { zippedBundle } from '../support/http/bundle-bytes.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const bundle = {
  page: '<!doctype html><title>Holdpoint</title>',
  assets: { 'a-1.svg': '<svg/>' },
  pictures: {},
};
const built = { document: '{"openapi":"3.1.0"}', page: '<!doctype html>', style: 'b{}' };
const ports = fakePorts({
  web: webFiles(zippedBundle(bundle)),
  reference: referenceFiles(zippedBundle(built)),
});
const app = createApp(ports);
const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

it.each([
  ['an answer', '/health', {}],
  ['a refusal', '/v1/sessions', {}],
  ['a refused command', '/v1/sessions/one/clear', { method: 'POST', headers: GOOD }],
  ['a path that is none', '/nothing', {}],
  ['a wrong method', '/health', { method: 'DELETE' }],
  ['the document', '/openapi.json', {}],
  ['HEAD', '/health', { method: 'HEAD' }],
] as const)('[AUTH-4] %s is data, and nothing else', async (_name, path, init) => {
  const { headers } = await app.fetch(requestTo(path, init));
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it.each(['/', '/inbox', '/docs', '/nonsense'])(
  '[AUTH-4] %s is in a group of its own, and nothing of it is loaded from elsewhere',
  async (path) => {
    const { headers } = await app.fetch(requestTo(path, { headers: HTML }));
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("style-src 'self'");
  },
);

it.each(['/assets/a-1.svg', '/docs/style.css'])(
  '[AUTH-4] only the pages of this origin may load %s',
  async (path) => {
    const { headers } = await app.fetch(requestTo(path));
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  },
);

describe('an unknown path', () => {
  it('shows a person a page with a link to the chat', async () => {
    const response = await app.fetch(requestTo('/settings', { headers: HTML }));
    expect(response.status).toBe(404);
    const page = await response.text();
    expect(page).toContain('<a href="/">');
    expect(page).not.toMatch(/<(script|style)\b|\son\w+=/i);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it('[LIM-1] is a page with the name and the style of the product', async () => {
    const response = await createApp(fakePorts()).fetch(
      requestTo('/nowhere', { headers: { Accept: 'text/html' } }),
    );
    const page = await response.text();
    expect(page).toContain('<p class="link-brand">Holdpoint</p>');
    expect(page).toContain('href="/assets/answer-link.css"');
  });

  it('[LIM-1] returns JSON to every other client', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const response = await app.fetch(requestTo('/settings', { headers }));
      expect(response.status).toBe(404);
      expect(ErrorBody.parse(await response.json()).error.code).toBe('not_found');
    }
    const posted = await app.fetch(requestTo('/settings', { method: 'POST', headers: HTML }));
    expect(ErrorBody.parse(await posted.json()).error.code).toBe('not_found');
  });

  it('returns the same headers without a body on HEAD', async () => {
    for (const headers of [HTML, {}]) {
      const get = await app.fetch(requestTo('/settings', { headers }));
      const head = await app.fetch(requestTo('/settings', { method: 'HEAD', headers }));
      expect(head.status).toBe(404);
      expect(await head.text()).toBe('');
      const named = (response: Response) =>
        [...response.headers].filter(([name]) => name !== 'x-request-id');
      expect(named(head)).toEqual(named(get));
    }
  });
});
