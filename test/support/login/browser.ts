/** What a browser does in a login: keeps cookies by host, follows redirects, and says where a request comes from. */
interface Reachable {
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch;
}

interface BrowserRequest {
  readonly method?: string;
  readonly json?: object;
  readonly headers?: Record<string, string>;
  /** The page that sends it: its origin. The address bar for `null`. */
  readonly from?: string | null;
}

export interface BrowserReply {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly headers: Headers;
  readonly url: string;
}

const MOST_REDIRECTS = 10;

export class TestBrowser {
  readonly #service: Reachable;
  /** As the service sees its own address. */
  readonly origin: string;
  readonly jars = new Map<string, Map<string, string>>();

  constructor(service: Reachable) {
    this.#service = service;
    const { hostname, host } = new URL(service.url);
    this.origin = hostname === '127.0.0.1' ? service.url : `https://${host}`;
  }

  get cookies(): Map<string, string> {
    return this.#jarOf(this.origin);
  }

  /** A request of a page of the service: `from` is its origin unless given. */
  async send(path: string, how: BrowserRequest = {}): Promise<BrowserReply> {
    const { method = 'GET', json, from = this.origin } = how;
    const ownPage = from === this.origin;
    return this.#request(new URL(path, this.origin), {
      method,
      headers: {
        ...(from !== null && method !== 'GET' && { Origin: from }),
        'Sec-Fetch-Site': from === null ? 'none' : ownPage ? 'same-origin' : 'cross-site',
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...how.headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  }

  /** Opens an address and follows where it leads; `until` stops before the address that it matches. */
  async visit(address: string, until?: (url: URL) => boolean): Promise<BrowserReply> {
    let url = new URL(address, this.origin);
    let site = 'none';
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      const reply = await this.#request(url, {
        headers: { Accept: 'text/html', 'Sec-Fetch-Site': site },
      });
      const location = reply.headers.get('Location');
      if (location === null) return reply;
      const next = new URL(location, url);
      if (next.origin !== url.origin) site = 'cross-site';
      url = next;
      if (until?.(url) === true) return { ...reply, url: url.href };
    }
    throw new Error('Too many redirects');
  }

  async #request(url: URL, init: RequestInit): Promise<BrowserReply> {
    const jar = this.#jarOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const isService = url.origin === this.origin;
    const target = isService ? new URL(url.pathname + url.search, this.#service.url) : url;
    const fetch = (isService ? this.#service.fetch : undefined) ?? globalThis.fetch;
    const response = await fetch(target, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(init.headers as Record<string, string>),
        ...(cookie !== '' && { Cookie: cookie }),
      },
    });
    for (const line of response.headers.getSetCookie()) keepCookie(jar, line);
    const text = await response.text();
    const { status, headers } = response;
    return { status, text, headers, url: url.href, json: readJson(text) };
  }

  #jarOf(origin: string): Map<string, string> {
    const { host } = new URL(origin);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }
}

function keepCookie(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const age = attributes.find((one) => /^max-age=/i.test(one))?.split('=')[1];
  const expires = attributes.find((one) => /^expires=/i.test(one))?.slice('expires='.length);
  const isGone = age === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
  if (isGone) jar.delete(name);
  else jar.set(name, value.join('='));
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
