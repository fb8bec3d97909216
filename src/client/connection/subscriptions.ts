/** The open subscriptions of one transport: a driver for each, over WebSockets or server-sent events. */
import type { Timing } from '../backoff.ts';
import type { Environment } from '../environment.ts';
import { closedError } from '../errors.ts';
import type { TokenSource } from '../token-source.ts';
import { Driver, type DriverOptions } from './driver.ts';
import { readSessionFrame } from './frames.ts';
import type { InboxStream } from './inbox-frames.ts';
import { sessionPath } from '../requests/http-calls.ts';
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
        socketPath: (cursor) => `${sessionPath(sessionId, 'socket')}?after=${cursor}`,
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
