/**
 * The hosted chat: one page under two addresses, and the files it loads.
 *
 * A browser requests the page each time, so that a deploy reaches every client; files have a hash in
 * their names and never expire. The page runs and loads nothing from other origins.
 */
import * as z from 'zod';
import { reject } from '../../protocol/errors.ts';
import { OWN_ORIGIN_HEADERS, PAGE_HEADERS } from '../response-headers.ts';
import { type RouteCall, route } from '../route.ts';
import { serveText } from '../serve-text.ts';
import { SERVICE_TAG } from './tags.ts';

/** The response where `If-None-Match` has the tag of the file. */
export const UNCHANGED = { description: 'The copy of the client is current' };

const CHAT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

const AssetName = z.strictObject({ name: z.string().regex(/^[\w-]{1,80}\.[a-z]{1,12}$/) });

export const webRoutes = [
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
    async handle({ http, ports, params }) {
      const file = ports.web.asset(params.name);
      if (file === undefined) return reject('not_found', 'There is no such file');
      return serveText(http.req.raw, file, {
        ...OWN_ORIGIN_HEADERS,
        'Content-Type':
          CONTENT_TYPES[params.name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      });
    },
  }),
];

async function servePage({ http, ports }: Pick<RouteCall<never, never, never>, 'http' | 'ports'>) {
  return serveText(http.req.raw, ports.web.page(), {
    ...PAGE_HEADERS,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CHAT_POLICY,
  });
}
