/** From an address and a credential, or a transport, to somebody who can ask. */
import { HttpTransport } from '../http-transport.ts';
import type { Token } from '../token-source.ts';
import type { Transport } from '../transport.ts';
import { firstTrouble, isNode } from './warn-on-first-failure.ts';
import { Holdpoint, type HoldpointOptions } from './holdpoint.ts';
import { type ClientError, neverError } from '../errors.ts';

export interface ConnectOptions extends Omit<HoldpointOptions, 'transport'> {
  /** Where the server is, without `/v1`. Left out: the environment's `HOLDPOINT_URL`. */
  readonly url?: string | undefined;
  /** A credential with the scope `agent`. Left out: `HOLDPOINT_TOKEN`. */
  readonly token?: Token | undefined;
  /** Instead of both: sessions reached another way, for example in this process. */
  readonly transport?: Transport | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Around {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * ```ts
 * const holdpoint = connect(); // HOLDPOINT_URL, HOLDPOINT_TOKEN and, if it is set, HOLDPOINT_SESSION
 * ```
 */
export function connect({ url, token, transport, fetch, ...rest }: ConnectOptions = {}): Holdpoint {
  const { env = {} } = (globalThis as unknown as Around).process ?? {};
  const session = rest.session ?? given(env.HOLDPOINT_SESSION);
  if (transport !== undefined) return new Holdpoint({ ...rest, session, transport });
  const at = url ?? given(env.HOLDPOINT_URL);
  const credential = token ?? given(env.HOLDPOINT_TOKEN);
  if (at === undefined) throw new TypeError('Give connect() a url, or set HOLDPOINT_URL');
  if (credential === undefined)
    throw new TypeError('Give connect() a token, or set HOLDPOINT_TOKEN');
  const address = serverAddress(at, url === undefined ? 'HOLDPOINT_URL' : 'url');
  // Whoever hears of trouble says it in their own words.
  const isQuiet = rest.onRetry !== undefined || !isNode();
  const trouble = isQuiet ? { fetch } : firstTrouble(address, fetch);
  const { fetch: reach, ...heard } = trouble;
  const over = { url: address, token: credential, ...(reach !== undefined && { fetch: reach }) };
  return new Holdpoint({ ...rest, ...heard, session, transport: new HttpTransport(over) });
}

/** A variable that is set to nothing is not set. */
function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Where requests go, from what a person set; an address that can never answer is refused before it is tried. */
function serverAddress(text: string, name: 'url' | 'HOLDPOINT_URL'): string {
  // What follows # may be a token, which belongs into no message.
  const [address = ''] = text.trim().split('#');
  const url = parsed(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw wrongAddress(
      `${name} is "${address.slice(0, 200)}": write it like http://127.0.0.1:8787 or https://holdpoint.example.`,
    );
  }
  if (address !== text.trim()) {
    throw wrongAddress(`${name} is a link for a person: leave out # and what follows it.`);
  }
  if (url.search !== '' || /\/v1\/?$/.test(url.pathname)) {
    throw wrongAddress(`${name} is "${address.slice(0, 200)}": leave out what follows the server.`);
  }
  return address;
}

function wrongAddress(message: string): ClientError {
  return neverError('not_holdpoint', message);
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
