/** The open subscriptions of one transport: a driver for each, over WebSockets or server-sent events. */
import type { Timing } from '../backoff.ts';
import { type Environment, thisEnvironment } from '../environment.ts';
import { closedError } from '../errors.ts';
import { TokenSource, type Token } from '../token-source.ts';
import { Driver, type DriverOptions } from './driver.ts';
import { readSessionFrame } from './frames.ts';
import type { InboxStream } from './inbox-frames.ts';
import { sessionPath, HttpCalls } from '../requests/http-calls.ts';
import type { InboxSubscriber, InboxSubscription, Subscriber, Subscription } from '../transport.ts';
import type { ReadFrame, Stream } from './state.ts';
import { openWebSocketLink, type SocketClass } from './websocket-link.ts';

export interface SubscriptionPorts {
  /** Address of the server, without a slash at the end. */
  readonly base: string;
  readonly fetch: typeof globalThis.fetch;
  readonly tokens: TokenSource;
  readonly environment: Environment;
  readonly timing: Timing | undefined;
  /** False: server-sent events alone. */
  readonly Socket: SocketClass | false;
  /** Receives errors that a subscriber throws. */
  readonly onError: (cause: unknown) => void;
}

function startQuery(cursor: number): string {
  return cursor < 0 ? `last=${-cursor}` : `after=${cursor}`;
}

/** The routes of one feed, and the reader of its frames. */
interface Feed<Carried extends Stream> {
  readonly socketPath: (after: number) => string;
  readonly streamPath: string;
  readonly read: () => ReadFrame<Carried> | Promise<ReadFrame<Carried>>;
}

export class Subscriptions {
  readonly #ports: SubscriptionPorts;
  readonly #drivers = new Set<{ close(): void }>();
  #isClosed = false;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  session(sessionId: string, subscriber: Subscriber, after: number): Subscription {
    return this.#open(
      {
        socketPath: (cursor) => `${sessionPath(sessionId, 'socket')}?${startQuery(cursor)}`,
        streamPath: sessionPath(sessionId, 'events'),
        read: () => readSessionFrame,
      },
      subscriber,
      after,
    );
  }

  inbox(subscriber: InboxSubscriber): InboxSubscription {
    return this.#open<InboxStream>(
      {
        socketPath: () => '/v1/inbox/socket',
        streamPath: '/v1/inbox',
        read: async () => (await import('./inbox-frames.ts')).readInboxFrame,
      },
      {
        welcome: ({ page }) => subscriber.inbox?.(page),
        delta: (change) => subscriber.changed?.(change),
        status: (status) => subscriber.status?.(status),
      },
    );
  }

  #open<Carried extends Stream>(
    { socketPath, streamPath, read }: Feed<Carried>,
    subscriber: DriverOptions<Carried>['subscriber'],
    after = 0,
  ): Driver<Carried> {
    if (this.#isClosed) throw closedError();
    const { base, fetch, tokens, environment, timing, Socket, onError } = this.#ports;
    const driver = new Driver({
      after,
      subscriber,
      tokens,
      environment,
      stream: async () => {
        const { openSseLink } = await import('./sse-link.ts');
        return openSseLink({ fetch, url: base + streamPath, read: await read() });
      },
      socket: Socket
        ? async () => openWebSocketLink(Socket, (cursor) => base + socketPath(cursor), await read())
        : undefined,
      timing,
      onError,
      onClosed: () => this.#drivers.delete(driver),
    });
    this.#drivers.add(driver);
    return driver;
  }

  close(): void {
    this.#isClosed = true;
    for (const driver of this.#drivers) driver.close();
  }
}

/** How a transport reaches its server: its address, credential and environment, as requests and subscriptions use them. */
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
