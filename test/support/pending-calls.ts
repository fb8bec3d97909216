/** Waits that begin in their calls, beside a session world: their clients, their timers and how they end. */
import { joinRejection, type WaitRequest } from '../../src/session/join.ts';
import type { Socket } from '../../src/session/ports.ts';
import { type PendingCallEnd, waitInCall } from '../../src/session/wait-in-call.ts';
import { agent } from './callers.ts';
import { SECOND } from './core-world.ts';
import { FakeSocket, type Frame } from './fake-socket.ts';
import { microtasks } from './hand-queue.ts';
import type { SessionWorld } from './session-world.ts';

export interface Pending {
  readonly client: AbortController;
  /** The frame of the call, or the socket on which the wait goes on; undefined while it is pending. */
  end: Frame | FakeSocket | undefined;
}

/** The calls of a world, with the timers that keep its session in memory. */
export class PendingCalls {
  readonly world: SessionWorld;
  readonly timers = new Set<{ readonly at: number; readonly work: () => void }>();

  constructor(world: SessionWorld) {
    this.world = world;
  }

  request(waitMs = 55 * SECOND, more: Partial<WaitRequest> = {}): WaitRequest {
    const caller = agent();
    const interactionId = more.interactionId ?? 'call-1~1';
    const until = this.world.now + waitMs;
    const chain = [caller.credential, 'parent'];
    const attachment = { role: 'waiter', interactionId, until, agent: true, chain } as const;
    return { to: 'outcome', interactionId, caller, attachment, ...more };
  }

  async wait(request = this.request()): Promise<Pending> {
    const refused = joinRejection(this.world.session, request);
    if (refused !== undefined) throw new Error(refused.code);
    const client = new AbortController();
    return this.follow(client, this.begin(request, client.signal));
  }

  begin(request: WaitRequest, signal: AbortSignal): Promise<PendingCallEnd<FakeSocket>> {
    const { sockets, session } = this.world;
    return waitInCall(session, request, {
      // A fake socket has what the world reads of its sockets, and the waiter what the session does.
      hold: (waiter) => {
        const held = Object.assign(waiter, { closed: null }) as Socket as FakeSocket;
        sockets.push(held);
        return () => void sockets.splice(sockets.indexOf(held), 1);
      },
      connect: (attachment) => {
        const socket = new FakeSocket(attachment);
        sockets.push(socket);
        return socket;
      },
      timer: (ms, work) => {
        const timer = { at: this.world.now + ms, work };
        this.timers.add(timer);
        return () => this.timers.delete(timer);
      },
      signal,
    });
  }

  async follow(client: AbortController, ended: Promise<PendingCallEnd<FakeSocket>>) {
    const pending: Pending = { client, end: undefined };
    void ended.then((end) => {
      pending.end = 'connection' in end ? end.connection : frameOf(end.frame);
    });
    await microtasks();
    return pending;
  }

  async pass(ms: number): Promise<void> {
    this.world.now += ms;
    for (const timer of this.timers) {
      if (timer.at > this.world.now) continue;
      this.timers.delete(timer);
      timer.work();
    }
    await microtasks();
  }

  /** What keeps the session in memory, and the connections that are open. */
  left(): { timers: number; sockets: number } {
    const sockets = this.world.sockets.filter(({ closed }) => closed === null);
    return { timers: this.timers.size, sockets: sockets.length };
  }
}

function frameOf(text: string): Frame {
  return text === '' ? { type: 'nothing' } : (JSON.parse(text) as Frame);
}
