/**
 * The sessions and the workspace of one process: what a Worker and its Durable Objects are elsewhere.
 *
 * 1. A session is in memory once, or two would decide about the same state.
 * 2. One that nobody uses may leave memory, as a Durable Object is put to sleep; its alarm stays.
 * 3. After `close` nothing is written any more: the storage is somebody else's then.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import type { Timeouts } from '../protocol/schema/session.ts';
import { freshId } from '../platform/fresh-id.ts';
import type { SessionStore } from '../session/ports.ts';
import type { Handled } from '../session/session.ts';
import type { Listening } from '../workspace/ports.ts';
import { Workspace } from '../workspace/workspace.ts';
import { Alarms } from './alarms.ts';
import type { Clock } from './clock.ts';
import { deadlineFirst } from './deadline-first-store.ts';
import { KeepAlive } from './keep-alive.ts';
import { LiveSession } from './live-session.ts';
import { type Ear, LocalSocket } from './local-socket.ts';
import type { DirectStorage, OpenStorage } from './storage.ts';

export interface HostSettings {
  readonly storage: DirectStorage;
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly forbidSelfApproval: boolean;
  readonly warn: (message: string, evidence: unknown) => void;
}

/** No session has this name. */
const WORKSPACE_ALARM = '';
/** On disk each takes up to three file handles while it is in memory. */
const MAX_IN_MEMORY = 200;

export const NO_SESSION = reject('not_found', 'There is no such session');

export class Host {
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly forbidSelfApproval: boolean;
  readonly keepAlive = new KeepAlive();
  readonly workspace: Workspace;
  readonly warn: HostSettings['warn'];
  readonly #storage: OpenStorage;
  readonly #alarms: Alarms;
  readonly #listeners = new Set<LocalSocket<Listening>>();
  /** The one that was used last is the last one. */
  readonly #live = new Map<string, LiveSession>();
  #isClosed = false;

  constructor({ storage, clock, timeouts, forbidSelfApproval, warn }: HostSettings) {
    this.clock = clock;
    this.timeouts = timeouts;
    this.forbidSelfApproval = forbidSelfApproval;
    // What was under way at the end fails for want of storage; nobody can do anything about it.
    this.warn = (message, evidence) => void (this.#isClosed || warn(message, evidence));
    this.#storage = storage.open();
    this.#alarms = new Alarms({
      book: this.#storage.alarms,
      clock,
      ring: (name) => this.#ring(name),
      warn: this.warn,
    });
    this.#alarms.resume();
    this.workspace = new Workspace({
      store: this.#storage.workspace,
      sessions: {
        poke: async (id) => this.#whileNeeded(id, ({ session }) => session.poke()),
        revoke: async (id, credential) => this.find(id)?.session.hub.revoke(credential),
      },
      listeners: { all: () => [...this.#listeners] },
      alarm: this.#alarms.of(WORKSPACE_ALARM),
      now: () => clock.now(),
      freshId,
      warn: this.warn,
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  find(id: string): LiveSession | undefined {
    const known = this.#live.get(id);
    if (known !== undefined) return this.#used(id, known);
    const store = this.#storage.find(id);
    return store && this.#bring(id, store);
  }

  async handle(id: string, command: Command, context: Context): Promise<Handled> {
    const found = this.find(id);
    const isNew = found === undefined && command.type === 'session.create';
    const live = isNew ? this.#bring(id, this.#storage.create(id)) : found;
    if (live === undefined) return NO_SESSION;
    const handled = live.session.handle(command, context);
    if (isNew && !live.exists) this.#drop(id, 'empty');
    if (handled.ok && handled.tellFirst) await this.#told(live);
    return handled;
  }

  /** Whoever looks at the workspace next finds everything in it that was done before. */
  async caughtUp(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => this.#told(live)));
  }

  listen(listening: Listening, ear: Ear): LocalSocket<Listening> | Rejection {
    const refused = this.workspace.mayListen(listening);
    if (refused !== undefined) return refused;
    const socket = new LocalSocket(listening, ear, (left) => this.#listeners.delete(left));
    this.#listeners.add(socket);
    this.workspace.listen(socket);
    return socket;
  }

  close(): void {
    if (this.#isClosed) return;
    for (const { session } of this.#live.values()) void session.told();
    this.#isClosed = true;
    this.#alarms.close();
    for (const live of this.#live.values()) live.hangUp();
    for (const listener of this.#listeners) listener.close(1001);
    this.#live.clear();
    this.#storage.close();
  }

  #bring(id: string, kept: SessionStore): LiveSession {
    this.#makeRoom();
    try {
      return this.#used(id, this.#begin(id, kept));
    } catch (cause) {
      this.#storage.release(id, false);
      throw cause;
    }
  }

  #begin(id: string, kept: SessionStore): LiveSession {
    const alarm = this.#alarms.of(id);
    return new LiveSession(id, {
      store: this.#storage.outlivesProcess ? deadlineFirst(kept, alarm) : kept,
      alarm,
      workspace: { tell: async (report) => this.workspace.hear(report) },
      now: () => this.clock.now(),
      freshId,
      later: (ms, work) => this.#later(ms, work),
      warn: this.warn,
    });
  }

  /** What is kept for the next process is told to it before this one ends. */
  #later(ms: number, work: () => void): void {
    const done = this.#storage.outlivesProcess ? this.keepAlive.hold() : () => undefined;
    this.clock.at(this.clock.now() + ms, () => {
      done();
      if (!this.#isClosed) work();
    });
  }

  #used(id: string, live: LiveSession): LiveSession {
    this.#live.delete(id);
    this.#live.set(id, live);
    return live;
  }

  #makeRoom(): void {
    for (const [id, live] of this.#live) {
      if (this.#live.size < MAX_IN_MEMORY) return;
      if (live.isIdle) this.#drop(id);
    }
  }

  #drop(id: string, what?: 'empty'): void {
    this.#live.delete(id);
    this.#storage.release(id, what === 'empty');
  }

  async #ring(name: string): Promise<void> {
    if (name === WORKSPACE_ALARM) await this.workspace.alarm();
    else await this.#whileNeeded(name, ({ session }) => session.wake());
  }

  #told(live: LiveSession): Promise<void> {
    const done = live.begin();
    return live.session.told().finally(done);
  }

  async #whileNeeded(id: string, work: (live: LiveSession) => Promise<void>): Promise<void> {
    const live = this.find(id);
    if (live === undefined) return;
    const done = live.begin();
    await work(live).finally(done);
  }
}
