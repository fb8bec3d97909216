/**
 * A session recorded frame by frame as text, and replayed as a socket would deliver it.
 *
 * A server in the page would be measured together with the page.
 */
import type { Subscriber, Subscription, Transport } from '../../../src/client/transport.ts';
import type { SessionEvent, Snapshot } from '../../../src/protocol/types.ts';

export interface Recording {
  readonly welcome: string;
  readonly frames: readonly string[];
}

export async function record(transport: Transport, sessionId: string): Promise<Recording> {
  const { head } = await transport.snapshot(sessionId);
  const frames: string[] = [];
  let welcome = '';
  await new Promise<void>((resolve) => {
    const subscription = transport.subscribe(sessionId, {
      welcome: (snapshot) => (welcome = JSON.stringify(snapshot)),
      events(events) {
        frames.push(JSON.stringify(events));
        if ((events.at(-1)?.seq ?? 0) < head) return;
        // The subscription is not assigned yet when the first frames arrive synchronously.
        queueMicrotask(() => subscription.close());
        resolve();
      },
    });
  });
  return { welcome, frames };
}

export function play({ welcome, frames }: Recording): Transport['subscribe'] {
  return (_sessionId, subscriber: Subscriber): Subscription => {
    const tasks = [
      () => subscriber.status?.({ type: 'connecting' }),
      () => subscriber.welcome?.(JSON.parse(welcome) as Snapshot),
      () => subscriber.status?.({ type: 'replaying' }),
      ...frames.map((frame) => () => subscriber.events?.(JSON.parse(frame) as SessionEvent[])),
      () => subscriber.status?.({ type: 'live' }),
    ];
    const channel = new MessageChannel();
    channel.port1.addEventListener('message', () => {
      tasks.shift()?.();
      if (tasks.length > 0) channel.port2.postMessage(null);
    });
    channel.port1.start();
    channel.port2.postMessage(null);
    return {
      cursor: 0,
      status: { type: 'live' },
      look: () => {},
      reconnect: () => {},
      close: () => channel.port1.close(),
    };
  };
}
