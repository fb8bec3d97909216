/** One session under test: the clients' view of it, their claims, and its log as it was read. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Ask, Body } from '../../support/attempt.ts';
import { followBySocket, type FollowOptions } from '../../support/follow-by-socket.ts';
import { followByStream } from '../../support/follow-by-stream.ts';
import { Follower, type Following } from '../../support/follower.ts';
import type { Claim } from './claims.ts';
import { LogCopy } from './log-copy.ts';
import { SeenSession } from './seen-session.ts';
import type { Performed, CrashContext } from './crash-context.ts';

/** Only approvals let text wait in the queue, so some sessions have only approvals. */
export type Flavor = 'mixed' | 'approvals';

/** A committed request: a repeat must get the same answer. */
export interface Committed {
  readonly ask: Ask;
  readonly first: Performed;
}

export interface Operation {
  readonly what: string;
  readonly ask: Ask;
  /** The allowed answers; any other answer is a finding. */
  readonly statuses: readonly number[];
  readonly claims: (answered: Performed) => readonly Claim[];
  /** The request can be accepted without a write; its key is then not remembered. */
  readonly mayWriteNothing?: boolean;
}

/** The silence after which a subscriber pings. */
const IDLE_MS = 20_000;

export class TestedSession {
  readonly id: string;
  readonly path: string;
  readonly flavor: Flavor;
  readonly seen = new SeenSession();
  copy: LogCopy;
  readonly follower: Follower;
  /** All claims, and those since the last kill. */
  readonly claims: Claim[] = [];
  fresh: Claim[] = [];
  committed: Committed[] = [];
  readonly #context: CrashContext;
  #following: Following | undefined;

  constructor(context: CrashContext, id: string, flavor: Flavor) {
    this.#context = context;
    this.id = id;
    this.path = `/v1/sessions/${id}`;
    this.flavor = flavor;
    this.copy = new LogCopy(id, context.findings, context.seenEvents);
    this.follower = new Follower(`subscriber of ${id}`, id, {
      findings: context.findings,
      seenEvents: context.seenEvents,
      onEvent: (event) => this.seen.apply(event),
    });
  }

  async begin(settings: JsonObject = {}): Promise<void> {
    const body = { id: this.id, ...settings };
    const { admin: token } = this.#context.tokens;
    await this.perform({
      what: 'session',
      ask: { method: 'POST', path: '/v1/sessions', token, key: this.#context.key(), body },
      statuses: [201],
      claims: () => [],
    });
  }

  follow(by: 'socket' | 'stream'): void {
    const options: FollowOptions = {
      origin: this.#context.origin,
      token: this.#context.tokens.people[0],
      random: this.#context.random.fork(this.follower.name),
      idleMs: IDLE_MS,
    };
    const start = by === 'socket' ? followBySocket : followByStream;
    this.#following = start(this.follower, options);
  }

  async leave(): Promise<void> {
    await this.#following?.stop();
  }

  /** Keeps what a client was told of this session. */
  claim(claims: readonly Claim[]): void {
    this.claims.push(...claims);
    this.fresh.push(...claims);
  }

  async perform(operation: Operation): Promise<Performed> {
    const { ask, what, statuses } = operation;
    const answered = await this.#context.perform(ask);
    if (!statuses.includes(answered.status)) {
      const text = `${what} was answered ${answered.status} after ${answered.doubts} doubts: ${answered.text}`;
      this.#context.findings.add('ODD', this.id, `${text} for ${JSON.stringify(ask.body)}`);
      return answered;
    }
    this.claim(operation.claims(answered));
    const isKeyed = ask.key !== undefined && operation.mayWriteNothing !== true;
    if (isKeyed && isCommitted(ask, answered.status, answered.body)) {
      this.committed.push({ ask, first: answered });
    }
    return answered;
  }
}

/** The server remembers the keys of requests that changed something; it decides the others anew. */
function isCommitted({ path }: Ask, status: number, body: Body): boolean {
  if (status >= 300 || body.cancelled === 0) return false;
  const isFound = status === 200 && path.endsWith('/interactions') && body.decision === undefined;
  return !isFound;
}
