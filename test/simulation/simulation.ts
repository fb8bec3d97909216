/**
 * All parts of one run: sessions, their workspace, the network, the clients, one clock.
 *
 * All random values come from the current step, so a step behaves the same when other steps are removed from the story,
 * as far as that is possible.
 */
import { microtasks } from '../support/hand-queue.ts';
import { START } from '../support/core-world.ts';
import { Random } from '../support/random.ts';
import { Admin } from './admin.ts';
import { checkSession } from './after-event.ts';
import type { Connection } from './connection.ts';
import { Judge } from './judge.ts';
import { Network } from './network.ts';
import type { Crash, ObjectHost } from './object-host.ts';
import { Operations } from './operations.ts';
import type { Planted } from './planted.ts';
import { SessionHost } from './session-host.ts';
import type { Subscriber } from './subscriber.ts';
import { emptyTally } from './tally.ts';
import type { Waiter } from './waiter.ts';
import type { Fault, FaultPlan } from './fault-plan.ts';
import { WorkspaceHost } from './workspace-host.ts';

export interface SimulationOptions {
  readonly keepsStory?: boolean;
  readonly planted?: Planted;
}

export class Simulation {
  now = START;
  random: Random;
  /** A time without faults. */
  isCalm = false;
  readonly faults: FaultPlan;
  readonly judge = new Judge();
  readonly tally = emptyTally();
  readonly network = new Network(this);
  readonly operations = new Operations(this);
  readonly workspace: WorkspaceHost;
  readonly sessions: SessionHost[] = [];
  readonly subscribers: Subscriber[] = [];
  readonly waiters: Waiter[] = [];
  readonly admin = new Admin(this);
  /** The lines of the story, if the caller asked for them. */
  readonly storyLines: string[] | null;
  #names = 0;

  readonly planted: Planted;

  constructor(seed: string, faults: FaultPlan, { keepsStory, planted }: SimulationOptions) {
    this.random = new Random(seed);
    this.faults = faults;
    this.planted = planted ?? {};
    this.storyLines = keepsStory === true ? [] : null;
    this.workspace = new WorkspaceHost(this);
  }

  get hosts(): ObjectHost<unknown>[] {
    return [this.workspace.host, ...this.sessions.map((session) => session.host)];
  }

  session(id: string): SessionHost {
    const found = this.sessions.find((session) => session.id === id);
    if (found === undefined) throw new Error(`There is no ${id}`);
    return found;
  }

  addSession(): SessionHost {
    const made = new SessionHost(`session-${this.sessions.length + 1}`, this);
    this.sessions.push(made);
    return made;
  }

  freshId(): string {
    this.#names += 1;
    return `fresh-${this.#names}`;
  }

  /** Whether this fault happens now. */
  happens(fault: Fault): boolean {
    const rate = this.faults[fault];
    return !this.isCalm && rate > 0 && this.random.chance(rate);
  }

  note(line: () => string): void {
    this.storyLines?.push(line());
  }

  /** Performs an event, runs all pending microtasks, and checks the invariants. */
  async act(work: () => void): Promise<void> {
    try {
      work();
    } catch (cause) {
      this.judge.hold(false, 'I14', () =>
        cause instanceof Error ? (cause.stack ?? '') : 'thrown',
      );
    }
    this.#look();
    await microtasks();
    this.#look();
    for (const session of this.sessions) checkSession(this, session);
  }

  /** A client disconnects; the object notices now or later. */
  disconnect(connection: Connection, how: 'unnoticed' | 'noticed'): void {
    if (connection.cut !== null || connection.isClosed) return;
    connection.cut = how;
    connection.client.closed(1006);
    if (how === 'unnoticed') return;
    this.sessions.find((session) => session.connections.includes(connection))?.notice(connection);
  }

  async crash(host: ObjectHost<unknown>, how: Crash): Promise<void> {
    this.tally.crashes += 1;
    this.note(() => `  ${host.name} crashes: ${how}`);
    const deliveredReplies =
      how === 'only some callers know' ? this.random.int(0, host.storage.gate.size) : 0;
    await this.act(() => host.crash(how, deliveredReplies));
  }

  ring(host: ObjectHost<unknown>): Promise<void> {
    this.note(() => `  the alarm of ${host.name} goes off`);
    const owner = this.sessions.find((session) => session.host === host) ?? this.workspace;
    return this.act(() => owner.ring());
  }

  close(): void {
    for (const { storage } of this.hosts) storage.close();
  }

  #look(): void {
    for (const session of this.sessions) session.host.look();
  }
}
