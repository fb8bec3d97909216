/**
 * The hosted chat: one page under two addresses, and the files it loads.
 *
 * The page is asked for again each time, so that a deploy reaches everybody; its files have a hash in
 * their names and are kept for ever. Nothing that is not from here runs in it or is loaded by it.
 */
import * as z from 'zod';
import { reject } from '../../protocol/error.ts';
import type { WebFile } from '../ports.ts';
import { type Call, route } from '../route.ts';

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

const TYPES: Readonly<Record<string, string>> = {
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
    tag: 'Service',
    summary: 'The hosted chat',
    access: 'public',
    answers: { 200: { description: 'A page for people' } },
    handle: page,
  }),
  route({
    method: 'GET',
    path: '/inbox',
    tag: 'Service',
    summary: 'Everything that waits for a person, as a page',
    access: 'public',
    answers: { 200: { description: 'A page for people' } },
    handle: page,
  }),
  route({
    method: 'GET',
    path: '/assets/:name',
    tag: 'Service',
    summary: 'A script, style or picture of these pages',
    access: 'public',
    params: AssetName,
    answers: { 200: { description: 'The file' } },
    async handle({ http, ports, params }) {
      const file = ports.web.asset(params.name);
      if (file === undefined) return reject('not_found', 'There is no such file');
      return served(http.req.raw, file, {
        'Content-Type': TYPES[params.name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      });
    },
  }),
];

async function page({ http, ports }: Pick<Call<never, never, never>, 'http' | 'ports'>) {
  return served(http.req.raw, ports.web.page(), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CHAT_POLICY,
    'Referrer-Policy': 'no-referrer',
  });
}

async function served(
  request: Request,
  file: WebFile,
  headers: Record<string, string>,
): Promise<Response> {
  const all = { ...headers, Vary: 'Accept-Encoding' };
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    request.headers.get('Accept-Encoding') ?? '',
  );
  if (!takesGzip) return new Response(file.text, { headers: all });
  // Without `manual` workerd would compress what is compressed already.
  const compressed = {
    headers: { ...all, 'Content-Encoding': 'gzip' },
    encodeBody: 'manual',
  } as const;
  return new Response(await file.gzipped(), compressed);
}
