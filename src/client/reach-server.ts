/** How a transport reaches its server: its address, credential and environment, as requests and subscriptions use them. */
import type { Timing } from './backoff.ts';
import { Subscriptions } from './connection/subscriptions.ts';
import type { SocketClass } from './connection/websocket-link.ts';
import { type Environment, thisEnvironment } from './environment.ts';
import { HttpCalls } from './requests/http-calls.ts';
import { type Token, TokenSource } from './token-source.ts';

export interface HttpTransportOptions {
  /** Where the server is, without `/v1`; in a browser it may be relative to the page. */
  readonly url: string;
  readonly token: Token;
  readonly fetch?: typeof globalThis.fetch;
  /** Default: `globalThis.WebSocket`. False: subscriptions use server-sent events alone. */
  readonly WebSocket?: SocketClass | false;
  /** Receives errors that a subscriber throws. Default: the browser's `reportError`, if there is one. */
  readonly onError?: (cause: unknown) => void;
  readonly timing?: Timing;
  /** Its abort closes the transport. */
  readonly signal?: AbortSignal;
  /** For tests: clock, random numbers, and a page that is hidden or offline. */
  readonly environment?: Environment;
}

interface Globals {
  readonly location?: { readonly href: string };
  readonly WebSocket?: SocketClass;
  readonly reportError?: (cause: unknown) => void;
}

export function reachServer(options: HttpTransportOptions, closing: AbortSignal) {
  const globals = globalThis as unknown as Globals;
  const base = new URL(options.url, globals.location?.href).href.replace(/\/+$/, '');
  // A browser's fetch refuses to run as a method of another object.
  const fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  const environment = options.environment ?? thisEnvironment();
  const tokens = new TokenSource(options.token);
  const chance = () => environment.chance();
  return {
    calls: new HttpCalls({ base, fetch, tokens, chance, closing }),
    subscriptions: new Subscriptions({
      base,
      fetch,
      tokens,
      environment,
      timing: options.timing,
      Socket: options.WebSocket ?? globals.WebSocket ?? false,
      onError: options.onError ?? ((cause) => globals.reportError?.(cause)),
    }),
  };
}
