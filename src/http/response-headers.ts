/** The headers of every response, and those that keep a browser from misusing data, pages and files. */
import { corsHeaders } from './cors.ts';
import type { Config } from './ports.ts';

type Headers = Readonly<Record<string, string>>;

/** A browser that takes JSON for a page must not run, load or frame anything of it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For pages and their files: no window or page of another origin can reach them. */
export const OWN_ORIGIN_HEADERS = { 'Cross-Origin-Resource-Policy': 'same-origin' } as const;
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...OWN_ORIGIN_HEADERS,
} as const;

/** For pages of text: no scripts, and no styles but their own stylesheet. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
} as const;

export function commonHeaders(request: Request, config: Config, requestId: string): Headers {
  return {
    'Content-Security-Policy': DATA_POLICY,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...corsHeaders(request, config),
  };
}

export function addHeaders(response: Response, headers: Headers): Response {
  for (const [name, value] of Object.entries(headers)) {
    // Keeps the `Vary` that the response already has.
    if (name === 'Vary') response.headers.append(name, value);
    // A page has a policy of its own.
    else if (name !== 'Content-Security-Policy' || !response.headers.has(name)) {
      response.headers.set(name, value);
    }
  }
  return response;
}
