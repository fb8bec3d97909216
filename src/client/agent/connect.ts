/** Makes a `Holdpoint` from an address and a credential, from the environment, or from a transport. */
import { HttpTransport } from '../http-transport.ts';
import type { Token } from '../token-source.ts';
import type { Transport } from '../transport.ts';
import { Holdpoint, type HoldpointOptions } from './holdpoint.ts';
import { type ClientError, neverError } from '../errors.ts';
import { NO_ANSWER } from '../requests/signals.ts';
import { awayAt } from './away.ts';
import { failureReason } from './not-asked.ts';
import type { RetryInfo } from './retry-until.ts';

export interface ConnectOptions extends Omit<HoldpointOptions, 'transport'> {
  /** The address of the server, without `/v1`. Default: the environment variable `HOLDPOINT_URL`. */
  readonly url?: string | undefined;
  /** A credential with the scope `agent`. Default: the environment variable `HOLDPOINT_TOKEN`. */
  readonly token?: Token | undefined;
  /** Used instead of `url` and `token`, for example for sessions in this process. */
  readonly transport?: Transport | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface NodeGlobals {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
  };
}

/**
 * ```ts
 * const holdpoint = connect(); // HOLDPOINT_URL, HOLDPOINT_TOKEN and, if it is set, HOLDPOINT_SESSION
 * ```
 */
export function connect({ url, token, transport, fetch, ...rest }: ConnectOptions = {}): Holdpoint {
  const { env = {} } = (globalThis as unknown as NodeGlobals).process ?? {};
  const session = rest.session ?? nonEmpty(env.HOLDPOINT_SESSION);
  if (transport !== undefined) return new Holdpoint({ ...rest, session, transport });
  const at = url ?? nonEmpty(env.HOLDPOINT_URL);
  const credential = token ?? nonEmpty(env.HOLDPOINT_TOKEN);
  if (at === undefined)
    throw neverError('invalid_request', 'Give connect() a url, or set HOLDPOINT_URL');
  if (credential === undefined)
    throw neverError('invalid_request', 'Give connect() a token, or set HOLDPOINT_TOKEN');
  const address = parseServerAddress(at, url === undefined ? 'HOLDPOINT_URL' : 'url');
  // A caller with `onRetry` reports failures itself.
  const isQuiet = rest.onRetry !== undefined || !isNode();
  const warning = isQuiet ? undefined : warnOnFirstFailure(warnOnConsole(address), fetch);
  const usedFetch = warning?.fetch ?? fetch;
  const http = new HttpTransport({
    url: address,
    token: credential,
    ...(usedFetch !== undefined && { fetch: usedFetch }),
  });
  return new Holdpoint({
    ...rest,
    ...(warning !== undefined && { onRetry: warning.onRetry }),
    session,
    transport: http,
    // Requests of a caller's own `fetch` may end elsewhere.
    away: rest.away ?? (fetch === undefined ? awayAt(address) : undefined),
  });
}

/** An empty environment variable counts as missing. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Refuses an address that can never answer, before the first request. */
export function parseServerAddress(text: string, name: string): string {
  // The fragment may hold a token, so no message quotes it.
  const [address = ''] = text.trim().split('#');
  const url = tryParseUrl(address);
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

function tryParseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

export interface FirstFailureWarning {
  /** The given `fetch`, with a warning at the first failure. */
  readonly fetch: typeof globalThis.fetch;
  /** Warns about replies that are retried too. */
  readonly onRetry: (info: RetryInfo) => void;
}

function warnOnConsole(address: string): (reason: string) => void {
  return (reason) =>
    console.warn(
      `holdpoint: no answer from ${address} (${reason}). Trying again. Does the server run there, and is HOLDPOINT_URL its address?`,
    );
}

/**
 * Warns once, on a terminal, that no request gets through.
 *
 * An agent retries, which looks the same as waiting for a person. Without the warning, a wrong address stays unnoticed
 * until the agent gives up.
 */
export function warnOnFirstFailure(
  report: (reason: string) => void,
  fetch = globalThis.fetch,
): FirstFailureWarning {
  let hasWarned = false;
  const warn = (reason: string) => {
    if (hasWarned) return;
    hasWarned = true;
    report(reason);
  };
  return {
    async fetch(...args) {
      try {
        return await fetch(...args);
      } catch (cause) {
        if (!isCallerAbort(args[1]?.signal)) warn(failureReason(cause));
        throw cause;
      }
    },
    onRetry: ({ error }) => warn(error.message),
  };
}

function isNode(): boolean {
  return (globalThis as unknown as NodeGlobals).process?.versions?.node !== undefined;
}

/** The caller aborted. A timeout of signals.ts also aborts the signal, and counts as a failure. */
function isCallerAbort(signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted !== true) return false;
  const { message } = signal.reason as { message?: unknown };
  return !String(message).startsWith(NO_ANSWER);
}
