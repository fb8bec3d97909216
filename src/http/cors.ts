/** Which other origins may call from a browser: exactly those configured, never a reflection. */
import type { Config } from './ports.ts';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Prefer, Last-Event-ID';
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': '600',
};
const EXPOSED_HEADERS = 'Idempotency-Replayed, Retry-After, X-Request-Id';

/** A browser's origin that may speak here: ours, or a configured one; no origin is no browser. */
export function isOriginAllowed(request: Request, config: Config): boolean {
  const origin = request.headers.get('Origin');
  if (origin === null) return true;
  return config.origins.includes(origin) || hostOf(origin) === new URL(request.url).host;
}

/** A proxy in front may speak TLS for us, so the scheme of the two may differ. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** What a browser asks before it calls from another origin; undefined when no browser asks. */
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
