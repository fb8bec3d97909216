/**
 * The headers that tell a browser what it may do with a response: load, run or frame it, or read it from
 * another origin. Only configured origins may call: a response never reflects any other `Origin`.
 */
import { isLoopbackHost } from '../protocol/loopback.ts';
import type { Config } from './ports.ts';

type HeaderList = Readonly<Record<string, string>>;

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

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
const COMMON_HEADERS = {
  'Content-Security-Policy': DATA_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The request that a response is for. */
interface Answered {
  readonly request: Request;
  readonly requestId: string;
}

/** What all responses have. Made once: each header that is written is a call into the platform. */
export class ResponseHeaders {
  readonly #origins: readonly string[];
  readonly #json: Headers;

  constructor({ origins }: Pick<Config, 'origins'>) {
    this.#origins = origins;
    this.#json = new Headers({ ...JSON_HEADERS, ...COMMON_HEADERS });
    if (origins.length > 0) this.#json.set('Vary', 'Origin');
  }

  jsonResponse(
    text: string,
    { status, headers = {} }: { readonly status: number; readonly headers?: HeaderList },
    answered: Answered,
  ): Response {
    // The response copies the headers at once, so that the next one can change them.
    this.#json.set('X-Request-Id', answered.requestId);
    const response = new Response(text, { status, headers: this.#json });
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return this.#allowOrigin(response, answered);
  }

  /** To a response that has headers of its own. */
  addTo(response: Response, answered: Answered): Response {
    const { headers } = response;
    for (const [name, value] of Object.entries(COMMON_HEADERS)) {
      // A page has a policy of its own.
      if (name !== 'Content-Security-Policy' || !headers.has(name)) headers.set(name, value);
    }
    // Keeps the `Vary` that the response already has.
    if (this.#origins.length > 0) headers.append('Vary', 'Origin');
    headers.set('X-Request-Id', answered.requestId);
    return this.#allowOrigin(response, answered);
  }

  #allowOrigin(response: Response, { request }: Answered): Response {
    if (this.#origins.length === 0) return response;
    const origin = request.headers.get('Origin');
    if (origin === null || !this.#origins.includes(origin)) return response;
    const { headers } = response;
    headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    return response;
  }
}

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Prefer, Last-Event-ID';
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': '600',
};
const EXPOSED_HEADERS = 'Idempotency-Replayed, Retry-After, X-Request-Id';

/**
 * Whether the origin is ours or a configured one. A request without an origin comes from no browser.
 *
 * With `loopback` ours counts only on this machine: a page whose name was made to lead here (DNS rebinding) has that name as
 * its origin and as its host.
 */
export function isOriginAllowed(
  request: Request,
  config: Config,
  own: 'any' | 'loopback' = 'any',
): boolean {
  const origin = request.headers.get('Origin');
  if (origin === null || config.origins.includes(origin)) return true;
  const { host, hostname } = new URL(request.url);
  return hostOf(origin) === host && (own === 'any' || isLoopbackHost(hostname));
}

/** Compares hosts only: behind a proxy that ends TLS, the schemes differ. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Answers a browser that asks before it calls from another origin; undefined without an origin. */
export function preflightResponse(request: Request, config: Config): Response | undefined {
  const origin = request.headers.get('Origin');
  if (origin === null) return undefined;
  const headers = config.origins.includes(origin) ? PREFLIGHT_HEADERS : {};
  return new Response(null, { status: 204, headers });
}
