/** The connection between a page and its sessions, for tests that stream over it, cut it, or inject frames. */
import type {
  ConnectionStatus,
  Delta,
  Subscriber,
  Transport,
} from '../../../src/client/transport.ts';

export interface Wire {
  status(status: ConnectionStatus): void;
  delta(delta: Delta): void;
}

export function wireOf(transport: Transport): Wire {
  const listening = new Set<Subscriber>();
  const subscribe = transport.subscribe.bind(transport);
  transport.subscribe = (sessionId, subscriber, after) => {
    listening.add(subscriber);
    const subscription = subscribe(sessionId, subscriber, after);
    return {
      get cursor() {
        return subscription.cursor;
      },
      get status() {
        return subscription.status;
      },
      look: (at) => subscription.look(at),
      reconnect: () => subscription.reconnect(),
      close() {
        listening.delete(subscriber);
        subscription.close();
      },
    };
  };
  const each = (send: (subscriber: Subscriber) => void) => {
    for (const subscriber of listening) send(subscriber);
  };
  return {
    status: (status) => each((subscriber) => subscriber.status?.(status)),
    delta: (delta) => each((subscriber) => subscriber.delta?.(delta)),
  };
}
