/** Health of the service, and its reference, which is built with the Worker. */
import * as z from 'zod';
import { OWN_ORIGIN_HEADERS, PAGE_HEADERS, REFERENCE_POLICY } from '../response-headers.ts';
import { route } from '../route.ts';
import { serveText } from '../serve-text.ts';
import { SERVICE_TAG } from './tags.ts';
import { UNCHANGED } from './web.ts';

const Document = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });
const KEPT_A_MINUTE = { 'Cache-Control': 'public, max-age=60' } as const;
const Health = z
  .looseObject({ ok: z.literal(true), version: z.string(), agent: z.string() })
  .meta({ id: 'Health' });

export const metaRoutes = [
  route({
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    tag: SERVICE_TAG,
    summary: 'Check that the service runs, and its version',
    access: 'public',
    responses: { 200: { description: 'The service runs', schema: Health } },
    handle: async ({ ports }) => ({
      status: 200,
      json: { ok: true, version: ports.config.version, agent: ports.config.agent },
    }),
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenapiJson',
    tag: SERVICE_TAG,
    summary: 'Get this reference as an OpenAPI 3.1 document',
    access: 'public',
    responses: { 200: { description: 'The document', schema: Document }, 304: UNCHANGED },
    handle: ({ http, ports }) =>
      serveText(http.req.raw, ports.reference.document(), {
        ...KEPT_A_MINUTE,
        'Content-Type': 'application/json',
      }),
  }),
  route({
    method: 'GET',
    path: '/docs',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'This reference as a page',
    access: 'public',
    responses: { 200: { description: 'A page without scripts' }, 304: UNCHANGED },
    handle: ({ http, ports }) =>
      serveText(http.req.raw, ports.reference.page(), {
        ...PAGE_HEADERS,
        ...KEPT_A_MINUTE,
        'Content-Security-Policy': REFERENCE_POLICY,
      }),
  }),
  route({
    method: 'GET',
    path: '/docs/style.css',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'The stylesheet of that page',
    access: 'public',
    responses: { 200: { description: 'The stylesheet' }, 304: UNCHANGED },
    handle: ({ http, ports }) =>
      serveText(http.req.raw, ports.reference.style(), {
        ...OWN_ORIGIN_HEADERS,
        ...KEPT_A_MINUTE,
        'Content-Type': 'text/css; charset=utf-8',
      }),
  }),
];
