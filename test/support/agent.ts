/** An agent and a person over the session core in this process, and transports that fail on demand. */
import { onTestFinished, vi } from 'vitest';
import { connect, type ConnectOptions } from '../../src/client/agent/connect.ts';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import { ClientError } from '../../src/client/errors.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { Interaction } from '../../src/protocol/types.ts';
import { InProcessHost } from '../../src/in-process/index.ts';

export const HURRY = { baseMs: 2, capMs: 10 };
export const SESSION = 'work';

export interface Pair {
  readonly host: InProcessHost;
  readonly agent: Holdpoint;
  readonly agentTransport: Transport;
  readonly person: Transport;
  /** Resolves once so many interactions are open. */
  open(count?: number): Promise<readonly Interaction[]>;
  onlyOpen(): Promise<Interaction>;
}

export function pair(options: Partial<ConnectOptions> = {}): Pair {
  const host = new InProcessHost();
  const person = host.transport();
  onTestFinished(() => host.close());
  const agentTransport = host.transport({ subject: 'agent', scopes: ['agent', 'read'] });
  const agent = connect({
    transport: agentTransport,
    session: SESSION,
    timing: HURRY,
    ...options,
  });
  const open = async (count = 1) => {
    const found = await vi.waitFor(async () => {
      const snapshot = await person.snapshot(SESSION);
      if (snapshot.open.length !== count) throw new Error(`${snapshot.open.length} are open`);
      return snapshot.open;
    }, 30_000);
    return found;
  };
  return {
    host,
    agent,
    agentTransport,
    person,
    open,
    onlyOpen: async () => (await open())[0] as Interaction,
  };
}

export const UNREACHABLE = new ClientError({
  code: 'unreachable',
  message: 'The server was not reached',
  retry: 'now',
});

/** The same transport, with some of its methods replaced. */
export function altered(transport: Transport, changes: Partial<Transport>): Transport {
  return new Proxy(transport, {
    get(target, name) {
      const changed = Reflect.get(changes, name) as unknown;
      const value: unknown = changed ?? Reflect.get(target, name);
      return typeof value === 'function'
        ? value.bind(changed === undefined ? target : changes)
        : value;
    },
  });
}

/** Fails so many times before it works. */
export function failing<Args extends unknown[], Value>(
  times: number,
  work: (...args: Args) => Promise<Value>,
  error: ClientError = UNREACHABLE,
): (...args: Args) => Promise<Value> {
  let left = times;
  return async (...args) => {
    left -= 1;
    if (left >= 0) throw error;
    return work(...args);
  };
}
