/**
 * The service about itself: its health and its reference.
 *
 * The reference describes every route, these among them, and is made when it is first asked for: an
 * isolate that nobody asks never pays for it.
 */
import * as z from 'zod';
import { describeApi } from '../openapi/describe-api.ts';
import { PAGE_POLICY, renderPage } from '../reference/page.ts';
import { STYLE } from '../reference/style.ts';
import { OWN_ORIGIN_HEADERS, PAGE_HEADERS } from '../response-headers.ts';
import { type Route, route } from '../route.ts';
import { serveText } from '../served-text.ts';
import { UNCHANGED, webRoutes } from './web.ts';
import { SERVICE } from './tags.ts';

const Document = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });
const KEPT_A_MINUTE = { 'Cache-Control': 'public, max-age=60' } as const;
const STYLE_FILE = { text: STYLE };
const Health = z
  .looseObject({ ok: z.literal(true), version: z.string(), agent: z.string() })
  .meta({ id: 'Health' });

export function metaRoutes(apiRoutes: readonly Route[]): readonly Route[] {
  const document = keptPerVersion((version) => describeApi([...apiRoutes, ...own], version));
  const documentFile = keptPerVersion((version) => ({ text: JSON.stringify(document(version)) }));
  const page = keptPerVersion((version) => ({ text: renderPage(document(version)) }));
  const own: readonly Route[] = [
    ...webRoutes,
    route({
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      tag: SERVICE,
      summary: 'Whether it serves, and which version',
      access: 'public',
      answers: { 200: { description: 'It does', schema: Health } },
      handle: async ({ ports }) => ({
        status: 200,
        json: { ok: true, version: ports.config.version, agent: ports.config.agent },
      }),
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenapiJson',
      tag: SERVICE,
      summary: 'This reference for programs, as OpenAPI 3.1',
      access: 'public',
      answers: {
        200: {
          description: 'The document',
          schema: Document,
        },
        304: UNCHANGED,
      },
      handle: ({ http, ports }) =>
        serveText(http.req.raw, documentFile(ports.config.version), {
          ...KEPT_A_MINUTE,
          'Content-Type': 'application/json',
        }),
    }),
    route({
      method: 'GET',
      path: '/docs',
      tag: SERVICE,
      unlisted: true,
      summary: 'This reference for people',
      access: 'public',
      answers: { 200: { description: 'A page without scripts' }, 304: UNCHANGED },
      handle: ({ http, ports }) =>
        serveText(http.req.raw, page(ports.config.version), {
          ...PAGE_HEADERS,
          ...KEPT_A_MINUTE,
          'Content-Security-Policy': PAGE_POLICY,
        }),
    }),
    route({
      method: 'GET',
      path: '/docs/style.css',
      tag: SERVICE,
      unlisted: true,
      summary: 'The stylesheet of that page',
      access: 'public',
      answers: { 200: { description: 'The stylesheet' }, 304: UNCHANGED },
      handle: ({ http }) =>
        serveText(http.req.raw, STYLE_FILE, {
          ...OWN_ORIGIN_HEADERS,
          ...KEPT_A_MINUTE,
          'Content-Type': 'text/css; charset=utf-8',
        }),
    }),
  ];
  return own;
}

/** An isolate serves one version, so one value is enough. */
function keptPerVersion<Value>(make: (version: string) => Value): (version: string) => Value {
  let kept: { readonly version: string; readonly value: Value } | undefined;
  return (version) => {
    if (kept?.version !== version) kept = { version, value: make(version) };
    return kept.value;
  };
}
