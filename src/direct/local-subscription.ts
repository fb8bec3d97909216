/** Following a session of this process: the same frames as on a socket, and never a reconnect. */
import type { ClientError } from '../client/errors.ts';
import type { ConnectionStatus, Subscriber, Subscription } from '../client/subscription.ts';
import type { SessionEvent, Snapshot } from '../protocol/types.ts';
import type { Rejection } from '../protocol/errors.ts';
import type { ServerFrame } from '../protocol/schema/frame.ts';
import { errorFrom, errorOf } from './border.ts';
import type { Ear } from './local-socket.ts';

export interface SubscriptionPorts {
  /** Joins the listeners of the session; what it throws is heard like a refusal on a socket. */
  readonly attach: (ear: Ear) => { leave(): void };
  /** Called once, when it is over. */
  readonly over: () => void;
  readonly warn: (message: string, evidence: unknown) => void;
}

export class LocalSubscription implements Subscription {
  readonly #subscriber: Subscriber;
  readonly #ports: SubscriptionPorts;
  readonly #socket: { leave(): void } | undefined;
  #cursor: number;
  #head = 0;
  #status: ConnectionStatus = { type: 'connecting' };
  #refusal: ClientError | undefined;

  constructor(subscriber: Subscriber, after: number, ports: SubscriptionPorts) {
    this.#subscriber = subscriber;
    this.#ports = ports;
    this.#cursor = after;
    try {
      this.#socket = ports.attach({
        heard: (text) => this.#hear(JSON.parse(text) as ServerFrame),
        ended: () => this.#end(this.#refusal),
      });
    } catch (cause) {
      // Not at once: whoever subscribes does not have the subscription yet.
      queueMicrotask(() => this.#end(errorFrom(cause)));
    }
  }

  get cursor(): number {
    return this.#cursor;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** There is no network to lose. */
  reconnect(): void {}

  close(): void {
    this.#end(undefined);
  }

  #hear(frame: ServerFrame): void {
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(frame);
      case 'events':
        return this.#take(frame.events);
      case 'delta': {
        const { type: _type, ...delta } = frame;
        return this.#call('delta', delta);
      }
      case 'error':
        this.#refusal = errorOf(frame.error as Rejection);
        return;
      case 'result':
        return;
    }
  }

  #welcome({ session, head, open, now }: Snapshot): void {
    this.#head = head;
    this.#call('welcome', { session, head, open, now });
    this.#become({ type: this.#cursor < head ? 'replaying' : 'live' });
  }

  #take(events: readonly SessionEvent[]): void {
    // Before the call: a subscriber that throws has been told all the same.
    this.#cursor = events.at(-1)?.seq ?? this.#cursor;
    this.#call('events', events);
    if (this.#status.type === 'replaying' && this.#cursor >= this.#head) {
      this.#become({ type: 'live' });
    }
  }

  #end(error: ClientError | undefined): void {
    if (this.#status.type === 'closed') return;
    this.#socket?.leave();
    this.#ports.over();
    this.#become({ type: 'closed', ...(error !== undefined && { error }) });
  }

  /** A subscriber that closed it in the middle of a call has heard its last word. */
  #become(status: ConnectionStatus): void {
    if (this.#status.type === 'closed') return;
    this.#status = status;
    this.#call('status', status);
  }

  #call<Name extends keyof Subscriber>(
    name: Name,
    what: Parameters<NonNullable<Subscriber[Name]>>[0],
  ): void {
    const call = this.#subscriber[name] as ((given: typeof what) => void) | undefined;
    try {
      call?.call(this.#subscriber, what);
    } catch (cause) {
      this.#ports.warn(`A subscriber failed in \`${name}\``, cause);
    }
  }
}
