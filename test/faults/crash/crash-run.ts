/**
 * Kills the server under load, again and again, and checks that every reply to a client was true.
 *
 * A round is: load, `kill -9` at a random moment, sometimes a pause without a server, a start, and a check of the
 * round's claims. In every tenth round all clients rest and everything is checked. The run ends after the first round
 * with a finding. README.md lists the rules and their numbers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Findings } from '../../support/findings.ts';
import { SeenEvents } from '../../support/seen-events.ts';
import { Random } from '../../support/random.ts';
import { makeKey, makeToken, TEST_BINDINGS } from '../../support/server-credentials.ts';
import { AgentClient } from './agent-client.ts';
import { checkAudit, checkFresh, checkInbox, checkListeners, checkWhole } from './checks.ts';
import { ClientPool, type PoolClient } from './client-pool.ts';
import { checkFiles } from './integrity.ts';
import { Person } from './person.ts';
import { readLog } from './read-log.ts';
import { checkReplays } from './replays.ts';
import { type CrashReport, reportOf } from './report.ts';
import type { FaultRun } from '../commands.ts';
import { FaultServer } from '../server.ts';
import { IdleQuestions } from './idle-questions.ts';
import { EventAppender } from './event-appender.ts';
import { TestedSession } from './tested-session.ts';
import { Uptime } from './uptime.ts';
import { Waiters } from './waiters.ts';
import { CrashContext } from './crash-context.ts';
import { LogCopy } from './log-copy.ts';

export interface CrashOptions extends FaultRun {
  readonly kills: number;
}

const SESSIONS = 8;
const DOWNTIME_EVERY = 5;
const REST_EVERY = 10;
/** Clients stop using a session with a longer log, so that reading all logs again stays quick. */
const EVENTS_A_SESSION = 10_000;

/** Settlements during a rest are checked at the next rest. */
const AUDIT_OVERLAP_MS = 30_000;

interface Retired {
  readonly session: { readonly id: string; readonly path: string };
  readonly head: number;
  readonly chain: string;
}

export async function runCrashTest(options: CrashOptions): Promise<CrashReport> {
  const run = await CrashRun.begin(options);
  try {
    await run.rounds();
    await run.end();
  } catch (error) {
    if (!run.isAbandoned) throw error;
  } finally {
    await run.kill();
  }
  return run.report();
}

class CrashRun {
  readonly #options: CrashOptions;
  readonly #context: CrashContext;
  readonly #random: Random;
  readonly #pool = new ClientPool();
  readonly #waiters: Waiters;
  readonly #idle: IdleQuestions;
  readonly #startMs: number[] = [];
  readonly #retired: Retired[] = [];
  readonly #since = Date.now();
  #sessions: TestedSession[] = [];
  readonly #server: FaultServer;
  #auditedUpTo = this.#since;
  #kills = 0;
  #events = 0;
  #connects = 0;
  #files = 0;

  static async begin(options: CrashOptions): Promise<CrashRun> {
    const uptime = new Uptime();
    const { dataDir, bundle } = options;
    const begun: { context?: CrashContext } = {};
    const server = await FaultServer.start({
      dataDir,
      bundle,
      onUnexpectedEnd: (evidence) => begun.context?.abandon(evidence),
    });
    uptime.up(Date.now());
    const { url: origin } = server;
    const findings = new Findings();
    findings.when = 'beginning';
    const scopes = ['read', 'answer', 'send'];
    const context = new CrashContext({
      origin,
      tokens: {
        admin: TEST_BINDINGS.HOLDPOINT_ADMIN_KEY,
        agent: await makeKey(origin, 'agent', ['agent', 'read']),
        people: [await makeToken(origin, 'ann', scopes), await makeToken(origin, 'bob', scopes)],
      },
      findings,
      seenEvents: new SeenEvents(findings),
      random: new Random(options.seed),
      uptime,
    });
    begun.context = context;
    return new CrashRun(options, context, server);
  }

  constructor(options: CrashOptions, context: CrashContext, server: FaultServer) {
    this.#options = options;
    this.#context = context;
    this.#server = server;
    this.#random = context.random.fork('run');
    this.#waiters = new Waiters(context);
    this.#idle = new IdleQuestions(context, (session) => this.#retire(session));
  }

  get isAbandoned(): boolean {
    return this.#context.isAbandoned;
  }

  async rounds(): Promise<void> {
    const { kills } = this.#options;
    const { findings } = this.#context;
    for (let index = 0; index < SESSIONS; index += 1) await this.#addSession(index);
    this.#pool.start(this.#members());
    while (this.#kills < kills && findings.count === 0) {
      const idle = this.#addIdleSession();
      idle.catch(() => {});
      await sleep(this.#random.int(60, 600));
      await this.#crash();
      findings.when = `kill ${this.#kills}`;
      const fresh = this.#sessions.map((session) => {
        const { fresh } = session;
        session.fresh = [];
        return { session, fresh };
      });
      if (this.#kills % DOWNTIME_EVERY === 0) await sleep(this.#random.int(1_000, 3_000));
      await this.#restart();
      await Promise.all(
        fresh.map((session) =>
          checkFresh(this.#context, session.session, session.fresh, this.#random),
        ),
      );
      await idle;
      await this.#idle.look();
      if (this.#kills % REST_EVERY === 0) await this.#rest();
    }
  }

  /** The final check, with no interaction open and after a clean stop of the server. */
  async end(): Promise<void> {
    const { findings } = this.#context;
    findings.when = `the end, after kill ${this.#kills}`;
    await this.#rest();
    await this.#pool.end();
    for (const session of this.#sessions) await this.#cancelAll(session);
    for (const session of this.#sessions) await checkWhole(this.#context, session);
    await checkListeners(this.#context, this.#sessions, () => this.#waiters.late);
    await checkInbox(this.#context, this.#sessions);
    if (findings.count === 0) await this.#waiters.end();
    for (const session of this.#sessions) await this.#retire(session);
    for (const session of this.#retired) await this.#checkRetired(session);
    this.#context.uptime.down(Date.now());
    await this.#server.stop();
    this.#files = checkFiles(this.#options.dataDir, findings);
  }

  async kill(): Promise<void> {
    await this.#server.kill();
  }

  report(): CrashReport {
    return reportOf({
      seed: this.#options.seed,
      kills: this.#kills,
      durationMs: Date.now() - this.#since,
      clients: this.#members().length,
      sessions: this.#retired.length,
      events: this.#events,
      connects: this.#connects,
      files: this.#files,
      startMs: this.#startMs,
      lags: this.#idle.lags,
      context: this.#context,
    });
  }

  #members(): PoolClient[] {
    const { tokens } = this.#context;
    return Array.from({ length: SESSIONS }, (_, index) => {
      const session = () => this.#sessions[index] as TestedSession;
      return [
        new AgentClient(`agent client ${index}`, this.#context, this.#waiters, session),
        new EventAppender(`appender ${index}`, this.#context, session),
        ...tokens.people.map(
          (token, person) =>
            new Person(`person ${person} ${index}`, this.#context, token, {
              own: session,
              all: () => this.#sessions,
            }),
        ),
      ];
    }).flat();
  }

  async #addSession(index: number): Promise<void> {
    const flavor = index % 4 === 3 ? 'approvals' : 'mixed';
    const session = new TestedSession(this.#context, this.#context.name('session'), flavor);
    await session.begin();
    session.follow(index % 2 === 0 ? 'socket' : 'stream');
    this.#sessions[index] = session;
  }

  /** Always runs before a pause without a server, so that deadlines pass during the pause. */
  async #addIdleSession(): Promise<void> {
    const isBeforeDowntime = (this.#kills + 1) % DOWNTIME_EVERY === 0;
    if (isBeforeDowntime || this.#random.chance(0.3)) await this.#idle.add();
  }

  async #crash(): Promise<void> {
    // From here on the harness has ordered the end; answers that still arrive count all the same.
    this.#context.uptime.down(Date.now());
    await this.#server.kill();
    this.#kills += 1;
    this.#reportUncaught();
  }

  async #restart(): Promise<void> {
    const from = Date.now();
    await this.#server.restart().catch((error: unknown) => {
      this.#context.abandon(`the server does not come back: ${String(error)}`);
      throw error;
    });
    this.#context.uptime.up(Date.now());
    this.#startMs.push(Date.now() - from);
    const { findings, counts } = this.#context;
    this.#options.print?.(
      `kill ${this.#kills}: ${counts.acked} acknowledged, ${counts.doubted} in doubt, ${findings.count} violations`,
    );
  }

  #reportUncaught(): void {
    for (const line of this.#server.failureLines()) this.#context.findings.add('I14', '', line);
  }

  async #rest(): Promise<void> {
    await this.#pool.rest();
    while ((await this.#idle.look()) > 0) await sleep(50);
    await checkInbox(this.#context, this.#sessions);
    for (const session of this.#sessions) {
      await checkReplays(this.#context, session, this.#random);
      await checkWhole(this.#context, session);
    }
    await checkListeners(this.#context, this.#sessions, () => this.#waiters.late);
    await checkAudit(this.#context, this.#sessions, this.#auditedUpTo);
    this.#auditedUpTo = Date.now() - AUDIT_OVERLAP_MS;
    for (const [index, session] of this.#sessions.entries()) {
      if (session.copy.head < EVENTS_A_SESSION) continue;
      await this.#cancelAll(session);
      await this.#retire(session);
      await this.#addSession(index);
    }
    if (this.#context.findings.count === 0) this.#pool.resume();
  }

  async #cancelAll(session: TestedSession): Promise<void> {
    await session.perform({
      what: 'cancel all',
      ask: {
        method: 'POST',
        path: `${session.path}/interactions/cancel`,
        token: this.#context.tokens.people[0],
        body: {},
      },
      statuses: [200],
      claims: () => [],
    });
  }

  /** Checks the log once more in full; later only its hash chain shows whether the log is unchanged. */
  async #retire(session: TestedSession): Promise<void> {
    await this.#cancelAll(session);
    await checkWhole(this.#context, session);
    await session.leave();
    const { id, path, copy, follower } = session;
    this.#events += copy.head;
    this.#connects += follower.connects;
    this.#context.seenEvents.forget(id);
    this.#retired.push({ session: { id, path }, head: copy.head, chain: copy.chain });
  }

  async #checkRetired({ session, head, chain }: Retired): Promise<void> {
    const copy = new LogCopy(session.id, this.#context.findings);
    for await (const event of readLog(this.#context, session, 0)) copy.take(event);
    if (copy.head === head && copy.chain === chain) return;
    const evidence = `its log of ${head} events has ${copy.head} now, or others`;
    this.#context.findings.add('I5', session.id, evidence);
  }
}
