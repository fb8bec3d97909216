/**
 * The routes that need no credential: the hosted chat, the reference of the API, the health.
 *
 * A browser requests the page of the chat each time, so that a deploy reaches every client; its files have
 * a hash in their names and never expire. The page runs and loads nothing from other origins.
 */
import * as z from '../../protocol/schema/zod.ts';
import { OWN_ORIGIN_HEADERS, PAGE_HEADERS, REFERENCE_POLICY } from '../response-headers.ts';
import { route, type RouteCall, SERVICE_TAG } from '../route.ts';
import { reject } from '../../protocol/errors.ts';
import { hashText } from '../../core/digest.ts';
import { acceptsGzip } from '../accept.ts';
import { authenticate } from '../authenticate.ts';
import type { WebFile } from '../ports.ts';

/** The response where `If-None-Match` has the tag of the file. */
const UNCHANGED = { description: 'The copy of the client is current' };

const CHAT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Attached pictures, which the page fetches with its credential.
  "img-src 'self' blob:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The policy of a service worker governs what it fetches, not the page. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

const ASSET_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

const AssetName = z.strictObject({ name: z.string().regex(/^[\w-]{1,80}\.[a-z]{1,12}$/) });

const Document = z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' });
const KEPT_A_MINUTE = { 'Cache-Control': 'public, max-age=60' } as const;
const Health = z
  .looseObject({
    ok: z.literal(true),
    version: z.string().optional().describe('With a valid credential alone.'),
    agent: z.string().optional().describe('With a valid credential alone.'),
  })
  .meta({ id: 'Health' });

export const publicRoutes = [
  route({
    method: 'GET',
    path: '/',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'The hosted chat',
    access: 'public',
    responses: { 200: { description: 'A page for people' }, 304: UNCHANGED },
    handle: servePage,
  }),
  route({
    method: 'GET',
    path: '/inbox',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'The inbox as a page',
    access: 'public',
    responses: { 200: { description: 'A page for people' }, 304: UNCHANGED },
    handle: servePage,
  }),
  route({
    method: 'GET',
    path: '/assets/:name',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'A script, style or picture of these pages',
    access: 'public',
    params: AssetName,
    responses: { 200: { description: 'The file' }, 304: UNCHANGED },
    async handle({ request, ports, params }) {
      const { name } = params;
      const headers = {
        ...OWN_ORIGIN_HEADERS,
        'Cache-Control': 'public, max-age=31536000, immutable',
      };
      const picture = await ports.web.picture(name);
      if (picture !== undefined) {
        return new Response(picture, { headers: { ...headers, 'Content-Type': 'image/png' } });
      }
      const file = await ports.web.asset(name);
      if (file === undefined) return reject('not_found', 'There is no such file');
      const type = ASSET_TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8';
      return serveText(request, file, { ...headers, 'Content-Type': type });
    },
  }),
  route({
    method: 'GET',
    path: '/sw.js',
    tag: SERVICE_TAG,
    unlisted: true,
    summary: 'The service worker of these pages',
    access: 'public',
    responses: { 200: { description: 'A script' }, 304: UNCHANGED },
    handle: async ({ request, ports }) =>
      serveText(request, await ports.web.worker(), {
        ...OWN_ORIGIN_HEADERS,
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': WORKER_POLICY,
        'Service-Worker-Allowed': '/',
      }),
  }),
  route({
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    tag: SERVICE_TAG,
    summary: 'Check that the service runs; with a credential, read its version and its model',
    access: 'public',
    responses: { 200: { description: 'The service runs', schema: Health } },
    async handle({ request, ports }) {
      const { version, agent } = ports.config;
      // What monitors the service needs no credential, and a stranger learns nothing of the deployment.
      const isStranger = 'ok' in (await authenticate(request, ports));
      return { status: 200, json: isStranger ? { ok: true } : { ok: true, version, agent } };
    },
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    tag: SERVICE_TAG,
    summary: 'Get this reference as an OpenAPI 3.1 document',
    access: 'public',
    responses: { 200: { description: 'The document', schema: Document }, 304: UNCHANGED },
    handle: async ({ request, ports }) =>
      serveText(request, await ports.reference.document(), {
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
    handle: async ({ request, ports }) =>
      serveText(request, await ports.reference.page(), {
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
    handle: async ({ request, ports }) =>
      serveText(request, await ports.reference.style(), {
        ...OWN_ORIGIN_HEADERS,
        ...KEPT_A_MINUTE,
        'Content-Type': 'text/css; charset=utf-8',
      }),
  }),
];

async function servePage({
  request,
  ports,
}: Pick<RouteCall<never, never, never>, 'request' | 'ports'>) {
  return serveText(request, await ports.web.page(), {
    ...PAGE_HEADERS,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CHAT_POLICY,
  });
}

type ExtraHeaders = Readonly<Record<string, string>>;

/** Each text is compressed once. */
const compressedTexts = new WeakMap<WebFile, ArrayBuffer>();
const entityTags = new WeakMap<WebFile, string>();

/**
 * Serves a text that is the same for every client: compressed where the client accepts gzip, and without
 * a body where the client has the text already.
 */
async function serveText(
  request: Request,
  file: WebFile,
  headers: ExtraHeaders,
): Promise<Response> {
  const all = { ...headers, ETag: entityTagOf(file), Vary: 'Accept-Encoding' };
  if (isUnchanged(request, all.ETag)) return new Response(null, { status: 304, headers: all });
  if (!acceptsGzip(request)) return new Response(file.text, { headers: all });
  // Without `manual` workerd would compress the compressed bytes again.
  const packed = { headers: { ...all, 'Content-Encoding': 'gzip' }, encodeBody: 'manual' } as const;
  return new Response(await compress(file), packed);
}

/** Weak, because the tag names the text and not its compressed bytes. */
function entityTagOf(file: WebFile): string {
  const known = entityTags.get(file);
  if (known !== undefined) return known;
  const tag = `W/"${hashText(file.text)}"`;
  entityTags.set(file, tag);
  return tag;
}

function isUnchanged({ headers }: Request, tag: string): boolean {
  const known = headers.get('If-None-Match');
  if (known === null) return false;
  const names = known.split(',').map((name) => name.trim().replace(/^W\//, ''));
  return names.includes('*') || names.includes(tag.slice('W/'.length));
}

/** Keeps the bytes and not the promise: the promise of a request that ends early never settles. */
async function compress(file: WebFile): Promise<ArrayBuffer> {
  const known = compressedTexts.get(file);
  if (known !== undefined) return known;
  const stream = new Blob([file.text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  compressedTexts.set(file, bytes);
  return bytes;
}
