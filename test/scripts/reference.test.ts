/**
 * The page is rendered from the document at build time. A bug here looks like a page that runs or loads what a route
 * says, a link to nothing, or an example that a shell reads otherwise.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildReference } from '../../scripts/lib/reference/build-reference.ts';
import { escapeHtml, html } from '../../scripts/lib/reference/html.ts';
import { renderPage } from '../../scripts/lib/reference/page.ts';
import { createApp } from '../../src/http/app.ts';
import { describeApi } from '../../src/http/openapi/describe-api.ts';
import { route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { referenceFiles } from '../../src/platform/web-files.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { zippedBundle } from '../support/http/bundle-bytes.ts';
import { fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const built = buildReference(ROUTES, '1.2.3');
const { page, style } = built;
const document = describeApi(ROUTES, '1.2.3');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('is built from the document that programs receive', () => {
  expect(JSON.parse(built.document)).toEqual(JSON.parse(JSON.stringify(document)));
});

describe('the page', () => {
  it('is served as HTML that may neither run nor load anything', async () => {
    const reference = referenceFiles(zippedBundle(built));
    const response = await createApp(fakePorts({ reference })).fetch(requestTo('/docs'));
    expect([response.status, await response.text()]).toEqual([200, page]);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('has every path, with its method and an example', () => {
    const readable = page.replaceAll('<wbr>', '');
    for (const { path, method, operation } of operations) {
      expect(readable).toContain(`<code class="path">${path}</code>`);
      expect(readable).toContain(`id="${operation.operationId}"`);
      expect(readable).toContain(`<span class="method ${method}">${method.toUpperCase()}</span>`);
    }
    expect(page.match(/<code>curl /g)?.length).toBe(operations.length + 1);
  });

  it('has every error code and every schema', () => {
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`id="error-${code}"`);
    for (const name of Object.keys(document.components.schemas)) {
      expect(page).toContain(`id="schema-${name}"`);
    }
  });

  it('links only to its own sections, stylesheet and document', () => {
    const links = [...page.matchAll(/\s(?:href|src|srcset|action)="([^"]*)"/g)].map(
      ([, target]) => target ?? '',
    );
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    const places = new Set(['/docs/style.css', '/openapi.json', 'data:,']);
    for (const id of ids) places.add(`#${id}`);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((target) => !places.has(target))).toEqual([]);
    expect(style).not.toMatch(/url\(|@import|https?:/);
  });

  it('has no inline script and no inline style', () => {
    expect(page).not.toMatch(/<(script|style|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\s(on\w+|style)="/i);
  });

  it('is well formed, with one top heading and no skipped level', () => {
    const open: string[] = [];
    const voids = new Set(['meta', 'link', 'wbr']);
    for (const [, close, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (close === '/') expect(open.pop()).toBe(name);
      else if (!voids.has(name)) open.push(name);
    }
    expect(open).toEqual([]);
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0), `heading ${index}`).toBeLessThanOrEqual(1);
    }
    for (const landmark of ['<html lang="en">', '<header>', '<nav aria-label=', '<main id=']) {
      expect(page).toContain(landmark);
    }
  });

  it('escapes the strings of a route', () => {
    const hostile = `<img src=x onerror="alert(1)"> & 'quoted' \`<b>\``;
    const field = z.string().describe(hostile).default(hostile);
    const evil = route({
      method: 'POST',
      path: '/v1/evil',
      operationId: 'doEvil',
      tag: { name: hostile, description: hostile },
      summary: hostile,
      description: hostile,
      access: { in: 'workspace', anyOf: [] },
      query: z.strictObject({ [hostile]: field.optional() }),
      body: z.strictObject({ [hostile]: field, one: z.literal(hostile), two: z.enum([hostile]) }),
      responses: { 200: { description: hostile, schema: z.strictObject({ [hostile]: field }) } },
      handle: async () => ({ status: 200, json: {} }),
    });
    const rendered = renderPage(describeApi([evil], hostile));
    expect(rendered).not.toContain('<img');
    expect(rendered).not.toContain('<b>');
    expect(rendered).toContain(
      '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;quoted&#39;',
    );
  });

  it('quotes a body for the shell', () => {
    const asks = route({
      method: 'POST',
      path: '/v1/asks',
      operationId: 'ask',
      tag: { name: 'Asks', description: 'Asking' },
      summary: 'Ask',
      access: { in: 'workspace', anyOf: [] },
      body: z.strictObject({ word: z.literal("it's") }),
      responses: { 200: { description: 'Asked' } },
      handle: async () => ({ status: 200, json: {} }),
    });
    const rendered = renderPage(describeApi([asks], '1'));
    expect(rendered).toContain(escapeHtml(`-d '{"word":"it'\\''s"}'`));
  });
});

describe('a template', () => {
  it('escapes text, and keeps markup', () => {
    const inner = html`<b>${'<&>'}</b>`;
    expect(html`<i title="${'"'}">${[inner, ' ', 1, undefined]}</i>`.markup).toBe(
      '<i title="&quot;"><b>&lt;&amp;&gt;</b> 1</i>',
    );
  });
});
