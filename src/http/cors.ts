/** Which other origins may call from a browser: exactly the configured ones, never a reflection of the header. */
import type { Config } from './ports.ts';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Prefer, Last-Event-ID';
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': '600',
};
const EXPOSED_HEADERS = 'Idempotency-Replayed, Retry-After, X-Request-Id';

/** Whether the origin is ours or a configured one. A request without an origin comes from no browser. */
export function isOriginAllowed(request: Request, config: Config): boolean {
  const origin = request.headers.get('Origin');
  if (origin === null) return true;
  return config.origins.includes(origin) || hostOf(origin) === new URL(request.url).host;
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

export function corsHeaders(request: Request, config: Config): Record<string, string> {
  if (config.origins.length === 0) return {};
  const origin = request.headers.get('Origin');
  if (origin === null || !config.origins.includes(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  };
}
