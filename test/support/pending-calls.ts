/** Waits that begin in their calls, beside a session world: their clients, their timers and how they end. */
import { joinRejection, type WaitRequest } from '../../src/session/join.ts';
import type { Socket } from '../../src/session/ports.ts';
import { PendingCalls } from '../../src/session/pending-calls.ts';
import { rootOf } from '../../src/protocol/caller.ts';
import { agent } from './callers.ts';
import { SECOND } from './core-world.ts';
import { FakeSocket, type Frame } from './fake-socket.ts';
import { microtasks } from './hand-queue.ts';
import type { SessionWorld } from './session-world.ts';

export interface Pending {
  readonly id: string;
  /** The frame of the call, or the socket on which the wait goes on; undefined while it is pending. */
  end: Frame | FakeSocket | undefined;
  /** The call has returned without a frame. */
  isMoving: boolean;
}

/** The calls of a world, with the timers that keep its session in memory. */
export class CallsOfWorld {
  readonly world: SessionWorld;
  readonly timers = new Set<{ readonly at: number; readonly work: () => void }>();

  readonly #calls: PendingCalls;
  #count = 0;

  constructor(world: SessionWorld) {
    this.world = world;
    const { sockets, session } = world;
    this.#calls = new PendingCalls(session, {
      // A fake socket has what the world reads of its sockets, and the waiter what the session does.
      hold: (waiter) => {
        const held = Object.assign(waiter, { closed: null }) as Socket as FakeSocket;
        sockets.push(held);
        return () => void sockets.splice(sockets.indexOf(held), 1);
      },
      timer: (ms, work) => {
        const timer = { at: world.now + ms, work };
        this.timers.add(timer);
        return () => this.timers.delete(timer);
      },
    });
  }

  request(waitMs = 55 * SECOND, more: Partial<WaitRequest> = {}): WaitRequest {
    const caller = agent();
    const interactionId = more.interactionId ?? 'call-1~1';
    const until = this.world.now + waitMs;
    const chain = [caller.credential, 'parent'];
    const root = rootOf(caller);
    const attachment = { role: 'waiter', interactionId, until, agent: true, chain, root } as const;
    return { to: 'outcome', interactionId, caller, attachment, ...more };
  }

  async wait(request = this.request()): Promise<Pending> {
    const refused = joinRejection(this.world.session, request);
    if (refused !== undefined) throw new Error(refused.code);
    const id = `call-${(this.#count += 1)}`;
    return this.follow(id, this.#calls.wait(id, request));
  }

  begin(id: string, request: WaitRequest): Promise<string | undefined> {
    return this.#calls.wait(id, request);
  }

  async follow(id: string, ended: Promise<string | undefined>): Promise<Pending> {
    const pending: Pending = { id, end: undefined, isMoving: false };
    void ended.then((frame) => {
      if (frame === undefined) pending.isMoving = true;
      else pending.end = JSON.parse(frame) as Frame;
    });
    await microtasks();
    return pending;
  }

  leave({ id }: Pending): void {
    this.#calls.leave(id);
  }

  /** The caller connects after its call has returned, as the object does it. */
  connect(pending: Pending): void {
    const taken = this.#calls.take(pending.id);
    if (taken === undefined) throw new Error('Its waiter is not there');
    if ('frame' in taken) {
      pending.end = JSON.parse(taken.frame) as Frame;
      return;
    }
    const socket = new FakeSocket(taken.attachment);
    this.world.sockets.push(socket);
    pending.end = socket;
  }

  isThere({ id }: Pending): boolean {
    return this.#calls.take(id) !== undefined;
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
