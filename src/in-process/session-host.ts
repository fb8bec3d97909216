/**
 * The sessions and the workspace of one process: what Durable Objects are in a deployment.
 *
 * 1. A session is in memory once: two instances would decide on the same state.
 * 2. An idle session may leave memory, as a Durable Object is put to sleep; its alarm stays.
 * 3. Nothing is written after `close`: another process may have opened the storage.
 */
import type { AnswerResult, ReceiverAnswer, TargetPorts } from '../delivery/ports.ts';
import { freshId } from '../platform/fresh-id.ts';
import { encryptPush, freshVapidKeys } from '../platform/web-push/encrypt-push.ts';
import { deliveryTimes, freshSecret } from '../platform/webhook-ports.ts';
import { hashNatively } from '../protocol/history-digest.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { AgentPorts, SessionStore, Attachment, SessionPorts } from '../session/ports.ts';
import { deleteIdleSession } from '../session/delete-idle.ts';
import { handleCommand } from '../session/audiences.ts';
import { Session } from '../session/session.ts';
import { type HandleResult, writeResult } from '../session/command-result.ts';
import type { InboxAttachment } from '../workspace/ports.ts';
import { Workspace } from '../workspace/workspace.ts';
import { KINDS } from '../core/kinds/index.ts';
import { type JoinRequest, completeJoin, joinRejection } from '../session/join.ts';
import { receiveFrame } from '../session/frames-in.ts';
import { Alarms, armBeforeCommit } from './alarms.ts';
import type { Clock } from './clock.ts';
import { LocalSocket } from './local-socket.ts';
import type { InProcessStorage, OpenStorage } from './storage.ts';
import { TargetHost } from './target-host.ts';
import { WORKSPACE_NAME } from './role.ts';

export interface SessionHostPorts {
  readonly storage: InProcessStorage;
  /** Sends webhooks. */
  readonly send: TargetPorts['send'];
  readonly sendPush: TargetPorts['sendPush'];
  readonly writeAnswerLink: TargetPorts['writeAnswerLink'];
  readonly allowPrivateTargets: boolean;
  /** For the answers of receivers. */
  readonly defaults: Required<Pick<Context, 'timeouts' | 'forbidSelfApproval'>>;
  readonly agent: AgentPorts;
  readonly clock: Clock;
  readonly warn: (message: string, evidence: unknown) => void;
}

/** Not the id of any session. */
const WORKSPACE_ALARM = '';
const MAX_IN_MEMORY = 200;
/** The longest a timer can be set for. */
const FAR_MS = 2 ** 31 - 1;

export const UNKNOWN_SESSION = reject('not_found', 'There is no such session');

export class SessionHost {
  readonly workspace: Workspace;
  readonly targets: TargetHost;
  readonly warn: SessionHostPorts['warn'];
  readonly #clock: Clock;
  readonly #agent: AgentPorts;
  readonly #storage: OpenStorage;
  readonly #alarms: Alarms;
  readonly #inboxSockets = new Set<LocalSocket<InboxAttachment>>();
  /** The most recently used is the last. */
  readonly #live = new Map<string, LiveSession>();
  #isClosed = false;

  constructor(ports: SessionHostPorts) {
    const { storage, agent, clock, warn, send, sendPush, allowPrivateTargets, defaults } = ports;
    const { writeAnswerLink } = ports;
    this.#clock = clock;
    this.#agent = agent;
    // Work that `close` interrupts fails because its storage is closed; a warning would help no reader.
    this.warn = (message, evidence) => void (this.#isClosed || warn(message, evidence));
    this.#storage = storage.open();
    this.#alarms = new Alarms({
      store: this.#storage.alarms,
      clock,
      ring: (name) => this.#ring(name),
      warn: this.warn,
    });
    this.targets = new TargetHost({
      storage: this.#storage,
      alarms: this.#alarms,
      send,
      sendPush,
      // A process has no rate limits.
      countAnswer: () => undefined,
      writeAnswerLink,
      encryptPush,
      answer: (answer) => this.#answer(answer, defaults),
      reportDisabled: async ({ id }, disabled) =>
        this.workspace.receivers.disableFailedTarget(id, disabled),
      now: () => clock.now(),
      ...deliveryTimes,
      warn: this.warn,
    });
    this.#alarms.resume();
    this.workspace = new Workspace({
      store: this.#storage.workspace,
      sessions: {
        poke: async (id) => this.#whileNeeded(id, ({ session }) => session.poke()),
        deleteIdle: async (id, head) => {
          const live = this.find(id);
          return live !== undefined && deleteIdleSession(live.session, head);
        },
        connectedAgents: async (id) => this.find(id)?.session.subscribers.connectedAgents() ?? [],
        revoke: async (id, credential) => this.find(id)?.session.subscribers.revoke(credential),
      },
      targets: {
        receive: async (id, ...handed) => {
          if (!this.#isClosed) this.targets.open(id).receive(...handed);
        },
      },
      allowPrivateTargets,
      freshSecret,
      freshVapidKeys,
      subscribers: { all: () => [...this.#inboxSockets] },
      alarm: this.#alarms.of(WORKSPACE_ALARM),
      now: () => clock.now(),
      freshId,
      warn: this.warn,
    });
  }

  find(id: string): LiveSession | undefined {
    const known = this.#live.get(id);
    if (known !== undefined) return this.#used(id, known);
    const store = this.#isClosed ? undefined : this.#storage.find(id);
    return store && this.#bring(id, store);
  }

  async handle(id: string, command: Command, context: Context): Promise<HandleResult> {
    const found = this.find(id);
    const isNew = found === undefined && command.type === 'session.create' && !this.#isClosed;
    const live = isNew ? this.#bring(id, this.#storage.create(id)) : found;
    if (live === undefined) return UNKNOWN_SESSION;
    const done = live.begin();
    const handled = await handleCommand(live.session, command, context).finally(done);
    if (isNew && !live.exists) this.#drop(id, 'empty');
    return this.reportFirst(live, handled);
  }

  /** The session stays in memory until the work is done. */
  async whileUsed<Result>(
    id: string,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result | Rejection> {
    const live = this.find(id);
    if (live === undefined) return UNKNOWN_SESSION;
    return work(live.session).finally(live.begin());
  }

  /** Some results may be returned only after the workspace has the report of the command. */
  async reportFirst(live: LiveSession, handled: HandleResult): Promise<HandleResult> {
    if (handled.ok && handled.mustReportFirst) await this.#report(live);
    return handled;
  }

  /** A caller that reads the workspace next finds every earlier change in it. */
  async reportAll(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => this.#report(live)));
  }

  async connectInbox(
    listening: InboxAttachment,
  ): Promise<LocalSocket<InboxAttachment> | Rejection> {
    // Earlier changes belong to the first page, and not to the frames after it.
    await this.reportAll();
    const refused = this.workspace.findSubscribeRejection(listening);
    if (refused !== undefined) return refused;
    const socket = new LocalSocket(
      listening,
      (from) => this.workspace.rejectFrame(from),
      (left) => this.#inboxSockets.delete(left),
    );
    this.#inboxSockets.add(socket);
    this.workspace.subscribe(socket);
    return socket;
  }

  close(): void {
    if (this.#isClosed) return;
    for (const { session } of this.#live.values()) void session.waitForReport();
    this.#isClosed = true;
    this.#alarms.close();
    for (const live of this.#live.values()) live.end();
    for (const socket of this.#inboxSockets) socket.close(1001);
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
    if (this.#storage.outlivesProcess) armBeforeCommit(kept, alarm);
    return new LiveSession(id, {
      store: kept,
      alarm,
      workspace: { report: async (report) => this.workspace.receiveReport(report) },
      agent: this.#agent,
      readAudiences: () => this.workspace.audiencePolicy(),
      readVoters: (voters) => this.workspace.voters(voters),
      now: () => this.#clock.now(),
      freshId,
      hash: hashNatively,
      later: (ms, work) => this.#later(ms, work),
      soon: (work) => queueMicrotask(() => this.#isClosed || work()),
      warn: this.warn,
    });
  }

  /** Keeps the process alive until reports are written that the next process needs. */
  #later(ms: number, work: () => void): () => void {
    const stay = this.#storage.outlivesProcess ? setInterval(() => undefined, FAR_MS) : undefined;
    const cancel = this.#clock.at(this.#clock.now() + ms, () => {
      clearInterval(stay);
      if (!this.#isClosed) work();
    });
    return () => {
      clearInterval(stay);
      cancel();
    };
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

  async #answer(
    { sessionId, interactionId, answer, caller }: ReceiverAnswer,
    { timeouts, forbidSelfApproval }: SessionHostPorts['defaults'],
  ): Promise<AnswerResult> {
    const { settings } = this.workspace.policy();
    const command = { type: 'interaction.answer', target: { interactionId }, answer } as const;
    const handled = await this.handle(sessionId, command, {
      caller,
      timeouts: { ...timeouts, ...settings.timeouts },
      forbidSelfApproval: settings.forbidSelfApproval ?? forbidSelfApproval,
    });
    return writeResult(handled);
  }

  async #ring(name: string): Promise<void> {
    if (name === WORKSPACE_ALARM) await this.workspace.alarm();
    else if (!(await this.targets.ring(name)))
      await this.#whileNeeded(name, ({ session }) => session.wake());
  }

  #report(live: LiveSession): Promise<void> {
    const done = live.begin();
    return live.session.waitForReport().finally(done);
  }

  async #whileNeeded(id: string, work: (live: LiveSession) => Promise<void>): Promise<void> {
    const live = this.find(id);
    if (live === undefined) return;
    const done = live.begin();
    await work(live).finally(done);
  }
}

const CLOSED = reject('unavailable', 'This was closed');

/** A session in memory, with its connections. It takes up to three file handles if it is on disk. */
export class LiveSession {
  readonly session: Session;
  readonly #sockets = new Set<LocalSocket<Attachment>>();
  /** Counts timers of the session, and callers that wait for it. */
  #underWay = 0;

  constructor(id: string, ports: Omit<SessionPorts, 'sockets'>) {
    this.session = new Session({ workspace: WORKSPACE_NAME, id }, KINDS, {
      ...ports,
      sockets: { all: () => [...this.#sockets] },
      later: (ms, work) => {
        const done = this.begin();
        const cancel = ports.later(ms, () => {
          done();
          work();
        });
        return () => {
          cancel();
          done();
        };
      },
    });
  }

  /** An idle session may leave memory: reading it from storage again gives the same session. */
  get isIdle(): boolean {
    return this.#sockets.size === 0 && this.#underWay === 0 && !this.session.runner.isAtWork;
  }

  get exists(): boolean {
    return this.session.current() !== null;
  }

  /** Keeps the session in memory until the result is called. */
  begin(): () => void {
    this.#underWay += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#underWay -= 1;
      isOver = true;
    };
  }

  connect(request: JoinRequest): LocalSocket<Attachment> | Rejection {
    const refused = joinRejection(this.session, request);
    if (refused !== undefined) return refused;
    const socket = new LocalSocket(
      request.attachment,
      (from, text) => void receiveFrame(this.session, from, text),
      (left) => {
        this.#sockets.delete(left);
        this.session.subscribers.remove(left);
      },
    );
    this.#sockets.add(socket);
    completeJoin(this.session, socket, request);
    return socket;
  }

  /** Ends its connections and the work of its agent. */
  end(): void {
    this.session.runner.stop();
    this.session.rendezvous.refuse(CLOSED);
    for (const socket of this.#sockets) socket.close(1001);
  }
}
