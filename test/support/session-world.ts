/**
 * A real session with fakes around it: clock, alarm, sockets, workspace and timers move only when the test moves them.
 * It imports no runtime, so the same tests run on Node and in workerd.
 *
 * `restart` ends the process: sockets, timers and calls in progress are lost, rows and the alarm stay. `evict` does
 * what the platform does to an idle object: only memory is lost.
 */
import type { KindRegistry } from '../../src/core/kinds/kind.ts';
import { KINDS } from '../../src/core/kinds/index.ts';
import { foldLog } from './fold-log.ts';
import type { SessionState } from '../../src/core/state.ts';
import { type Caller, rootOf } from '../../src/protocol/caller.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { Rejection } from '../../src/protocol/errors.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import type { Timeouts } from '../../src/protocol/schema/session.ts';
import { type JoinRequest, completeJoin, joinRejection } from '../../src/session/join.ts';
import { receiveFrame } from '../../src/session/frames-in.ts';
import type { AgentPorts, Commit, SessionPorts, SessionStore } from '../../src/session/ports.ts';
import { recordById } from '../../src/session/find-record.ts';
import { Session } from '../../src/session/session.ts';
import type { CommandResult, HandleResult } from '../../src/session/command-result.ts';
import { agent, person } from './callers.ts';
import { DEADLINES, START, usualCaller } from './core-world.ts';
import { FakeAlarm } from './fake-alarm.ts';
import { FakeSocket } from './fake-socket.ts';
import { FakeWorkspace } from './fake-workspace.ts';
import { HandQueue, microtasks } from './hand-queue.ts';
import { overrideStore } from './override-store.ts';
import { hashNatively } from '../../src/protocol/history-digest.ts';

/** The storage of the rows; `open` is the store of a newly started process. */
export interface SessionStorage {
  open(): SessionStore;
}

export interface SessionSettings {
  readonly kinds?: KindRegistry;
  readonly timeouts?: Timeouts;
  /** The ports of the built-in agent, created for each process. */
  readonly agent?: () => AgentPorts;
  readonly readAudiences?: SessionPorts['readAudiences'];
}

export interface Sending {
  /** Default: the usual caller of the command. */
  readonly caller?: Caller;
  readonly key?: string;
  /** Stands for the content of the request, which distinguishes a repeat from a reused key. */
  readonly body?: string;
}

export interface Connecting {
  readonly after?: number;
  readonly caller?: Caller;
  readonly chain?: readonly string[];
  readonly expiresAt?: number | null;
  readonly held?: boolean;
}

export interface Waiting {
  readonly caller?: Caller;
  readonly agent?: boolean;
  readonly until?: number;
}

export class SessionWorld {
  readonly address = { workspace: 'acme', id: 'session-1' };
  readonly storage: SessionStorage;
  readonly kinds: KindRegistry;
  readonly timeouts: Timeouts;
  readonly agent: (() => AgentPorts) | undefined;
  readonly readAudiences: SessionPorts['readAudiences'];
  now = START;
  session: Session;
  readonly sockets: FakeSocket[] = [];
  readonly workspace: FakeWorkspace;
  readonly later = new HandQueue(() => this.now);
  readonly alarm: FakeAlarm;
  readonly warned: string[] = [];
  /** Everything that the session sent, and each commit, in order. */
  readonly trace: string[] = [];
  /** Inspects a commit before it is written; an exception stands for a failed write. */
  beforeCommit: (commit: Commit) => void = () => undefined;
  beforeErase: () => void = () => undefined;
  /** Counts a frame; a returned value refuses the frame. */
  countFrame: NonNullable<SessionPorts['countFrame']> = () => undefined;
  #names = 0;
  #end = (): void => undefined;

  constructor(
    storage: SessionStorage,
    { kinds = KINDS, timeouts = DEADLINES, agent, readAudiences }: SessionSettings = {},
  ) {
    this.storage = storage;
    this.kinds = kinds;
    this.timeouts = timeouts;
    this.agent = agent;
    this.readAudiences = readAudiences;
    this.workspace = new FakeWorkspace(this.trace);
    this.alarm = new FakeAlarm(this.trace);
    this.session = this.#begin();
  }

  get store(): SessionStore {
    return this.session.ports.store;
  }

  get state(): SessionState | null {
    return this.session.current();
  }

  handle(command: Command, { caller, key, body }: Sending = {}): HandleResult {
    return this.session.handle(command, {
      caller: caller ?? usualCaller(command),
      timeouts: this.timeouts,
      ...(key !== undefined && {
        idempotency: { key, bodyHash: body ?? JSON.stringify(command) },
      }),
    });
  }

  /** A command that must be accepted; a refusal is a mistake in the test. */
  must(command: Command, sending: Sending = {}): CommandResult {
    const handled = this.handle(command, sending);
    if (!handled.ok) throw new Error(`${command.type}: ${handled.code}, ${handled.message}`);
    return handled;
  }

  /** Answers as the object does: some replies wait for the workspace. */
  async ask(command: Command, sending: Sending = {}): Promise<HandleResult> {
    const handled = this.handle(command, sending);
    if (handled.ok && handled.mustReportFirst) await this.session.waitForReport();
    return handled;
  }

  /** A socket, or the rejection. */
  attach(request: JoinRequest): FakeSocket | Rejection {
    const refused = joinRejection(this.session, request);
    if (refused !== undefined) return refused;
    const socket = new FakeSocket(request.attachment, this.trace);
    this.sockets.push(socket);
    completeJoin(this.session, socket, request);
    return socket;
  }

  subscription({ after = 0, ...who }: Connecting = {}): JoinRequest {
    const { caller = person(), expiresAt = null, held = false } = who;
    const chain = who.chain ?? [caller.credential];
    const { timeouts } = this;
    return {
      to: 'log',
      after,
      attachment: { role: 'subscriber', caller, chain, expiresAt, timeouts, held, malformed: 0 },
    };
  }

  connect(connecting: Connecting = {}): FakeSocket {
    return socketOf(this.attach(this.subscription(connecting)));
  }

  waitFor(interactionId: string, waiting: Waiting = {}): FakeSocket {
    const { caller = agent(), agent: isAgent = true, until = this.now + 55_000 } = waiting;
    const chain = [caller.credential];
    const waiter = { role: 'waiter', interactionId, until, agent: isAgent, chain } as const;
    const attachment = { ...waiter, root: rootOf(caller) };
    return socketOf(this.attach({ to: 'outcome', interactionId, caller, attachment }));
  }

  /** A client sends a frame; an object is sent as JSON. */
  async receive(socket: FakeSocket, data: string | ArrayBuffer | object): Promise<void> {
    const isRaw = typeof data === 'string' || data instanceof ArrayBuffer;
    await receiveFrame(this.session, socket, isRaw ? data : JSON.stringify(data));
  }

  /** The close of a connection has reached the object. */
  drop(socket: FakeSocket): void {
    socket.gone = true;
    this.sockets.splice(this.sockets.indexOf(socket), 1);
    this.session.subscribers.remove(socket);
  }

  /** Fires the alarm, at its time or late. */
  async fire(): Promise<void> {
    const { armedAt } = this.alarm;
    if (armedAt === null) throw new Error('No alarm is set');
    this.now = Math.max(this.now, armedAt);
    this.alarm.armedAt = null;
    await this.session.wake();
  }

  /** Advances the clock, and fires the alarm at each of its times on the way. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.alarm.armedAt !== null && this.alarm.armedAt <= end) {
      await this.fire();
      await this.quiet();
    }
    this.now = end;
  }

  /** Runs timers and their work until nothing is left but the alarm. */
  async quiet(): Promise<void> {
    do {
      this.later.run();
      await microtasks();
    } while (this.later.size > 0);
  }

  restart({ alarm = 'kept' }: { alarm?: 'kept' | 'lost' } = {}): void {
    for (const socket of this.sockets) socket.gone = true;
    this.sockets.length = 0;
    this.later.clear();
    if (alarm === 'lost') this.alarm.armedAt = null;
    this.session = this.#begin();
  }

  evict(): void {
    if (this.later.size > 0 || this.workspace.reporting > 0) {
      throw new Error('An object is not put to sleep while something is under way');
    }
    this.session = this.#begin();
  }

  log(): SessionEvent[] {
    const events: SessionEvent[] = [];
    for (;;) {
      const chunk = this.store.readLog(events.length, { maxEvents: 1_000, maxBytes: 1 << 24 });
      if (chunk === undefined) return events;
      events.push(...(JSON.parse(`[${chunk.json}]`) as SessionEvent[]));
    }
  }

  /** The fold of the log, with the settings of the agent, which are in no log. */
  folded(): SessionState | null {
    return foldLog(null, this.log(), this.address, this.store.load()?.info.agent);
  }

  record(interactionId: string): Interaction {
    const record = recordById(this.store, new Map(), interactionId);
    if (record === undefined) throw new Error(`No interaction ${interactionId}`);
    return record;
  }

  /** Calls in progress of the ended process no longer reach its ports. */
  #begin(): Session {
    this.#end();
    let isOver = false;
    this.#end = () => {
      isOver = true;
    };
    const ports: SessionPorts = {
      store: this.#watched(this.storage.open()),
      sockets: {
        all: () => this.sockets.filter((socket) => socket.closed === null),
        closing: () => this.sockets.filter((socket) => socket.closed !== null),
      },
      workspace: {
        report: async (report) => {
          const head = await this.workspace.report(report).catch((cause: unknown) => {
            if (!isOver) throw cause;
            return 0;
          });
          return isOver ? new Promise<never>(() => undefined) : head;
        },
      },
      alarm: this.alarm,
      ...(this.agent !== undefined && { agent: mortal(this.agent(), () => isOver) }),
      ...(this.readAudiences !== undefined && { readAudiences: this.readAudiences }),
      countFrame: (root) => this.countFrame(root),
      now: () => this.now,
      // Ids sort by the order of their creation, like those of the server.
      freshId: () => `id-${String((this.#names += 1)).padStart(9, '0')}`,
      hash: hashNatively,
      later: (ms, work) => this.later.add(ms, work),
      warn: (message) => this.warned.push(message),
    };
    return new Session(this.address, this.kinds, ports);
  }

  #watched(store: SessionStore): SessionStore {
    return overrideStore(store, {
      commit: (commit) => {
        this.beforeCommit(commit);
        store.commit(commit);
        this.trace.push('commit');
      },
      saveResult: (result, now) => {
        store.saveResult(result, now);
        this.trace.push('remember');
      },
      erase: (info) => {
        this.beforeErase();
        this.trace.push('erase');
        return store.erase(info);
      },
    });
  }
}

/** Discards the results of calls that an ended process had made. */
function mortal(ports: AgentPorts, isOver: () => boolean): AgentPorts {
  const unlessOver = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work;
    return isOver() ? new Promise<never>(() => undefined) : value;
  };
  const { model, httpTools } = ports;
  return {
    ...ports,
    model: model && {
      ...model,
      port: { call: (request, call) => unlessOver(model.port.call(request, call)) },
    },
    httpTools: { call: (call, signal) => unlessOver(httpTools.call(call, signal)) },
  };
}

function socketOf(attached: FakeSocket | Rejection): FakeSocket {
  if ('ok' in attached) throw new Error(`${attached.code}: ${attached.message}`);
  return attached;
}
