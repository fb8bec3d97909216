/** The real session on the fake platform, wired as `platform/cloudflare/session-object.ts` wires it. */
import { KINDS } from '../../src/core/kinds/index.ts';
import type { LogConflict, Report } from '../../src/core/report.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import type { Rejection } from '../../src/protocol/errors.ts';
import { type JoinRequest, completeJoin, joinRejection } from '../../src/session/join.ts';
import { receiveFrame } from '../../src/session/frames-in.ts';
import type { SessionStore } from '../../src/session/ports.ts';
import { Session } from '../../src/session/session.ts';
import { overrideStore } from '../support/override-store.ts';
import { readMigrations } from '../support/read-migrations.ts';
import { type ClientEnd, Connection } from './connection.ts';
import { Ledger } from './ledger.ts';
import { type Life, ObjectHost } from './object-host.ts';
import type { Simulation } from './simulation.ts';
import { hashNatively } from '../../src/protocol/history-digest.ts';

const MIGRATIONS = readMigrations('session');

export class SessionHost {
  readonly id: string;
  readonly host: ObjectHost<Session>;
  readonly ledger: Ledger;
  connections: Connection[] = [];
  readonly #simulation: Simulation;

  constructor(id: string, simulation: Simulation) {
    this.id = id;
    this.#simulation = simulation;
    this.host = new ObjectHost<Session>(simulation, {
      name: id,
      throwsWhenFull: false,
      begin: (life) => this.#begin(life),
      look: () => this.ledger.look(simulation.now),
      confirmed: () => this.ledger.confirm(),
      crashed: (lost) => this.#crashed(lost),
    });
    this.ledger = new Ledger(id, this.host.storage, simulation.judge);
  }

  get model() {
    return this.ledger.model;
  }

  /** Its rows; reading them does not wake it. */
  reader(): SqliteSessionStore {
    return new SqliteSessionStore(this.host.storage.database, MIGRATIONS);
  }

  attach(request: JoinRequest, client: ClientEnd): Connection | Rejection {
    const session = this.host.wake();
    const refused = joinRejection(session, request);
    if (refused !== undefined) return refused;
    const connection = new Connection(request.attachment, this.host.storage.gate, client);
    this.connections.push(connection);
    completeJoin(session, connection, request);
    return connection;
  }

  /** A frame arrives; its effect is in the log when this returns, its result may be sent later. */
  frame(connection: Connection, text: string): void {
    void receiveFrame(this.host.wake(), connection, text).catch((cause: unknown) => {
      this.#simulation.judge.hold(
        false,
        'I14',
        () => `${this.id} threw at a frame: ${String(cause)}`,
      );
    });
  }

  /** The close of a connection has reached the object. */
  notice(connection: Connection): void {
    connection.cut = 'noticed';
    this.connections = this.connections.filter((other) => other !== connection);
    if (this.host.isAwake) this.host.wake().subscribers.remove(connection);
  }

  poke(reply: (done: null) => void, fail: (cause: unknown) => void): void {
    this.host.serve((session) => session.poke().then(() => null), reply, fail);
  }

  revoke(credential: string, reply: (done: null) => void, fail: (cause: unknown) => void): void {
    const work = (session: Session) => {
      session.subscribers.revoke(credential);
      return null;
    };
    this.host.serve(work, reply, fail);
  }

  /** The alarm never throws to the platform. */
  ring(): void {
    const { alarm } = this.host.storage;
    alarm.rings(this.#simulation.now);
    const session = this.host.wake();
    session
      .wake()
      .catch((cause: unknown) => {
        this.#simulation.judge.hold(
          false,
          'I14',
          () => `${this.id} threw in its alarm: ${String(cause)}`,
        );
      })
      .finally(() => {
        if (this.host.isAwake && this.host.wake() === session) alarm.rang();
      });
  }

  #crashed(lost: boolean): void {
    if (lost) this.ledger.lose();
    else this.ledger.look(this.#simulation.now);
    for (const connection of this.connections.splice(0)) connection.over(1006);
    this.#simulation.operations.lost(this, lost);
  }

  #begin(life: Life): Session {
    const { storage, timers } = this.host;
    const simulation = this.#simulation;
    const { planted } = simulation;
    const store = withSmallReads(this.reader(), simulation.faults.readSize);
    const sockets = () => this.connections.filter((connection) => !connection.isClosed);
    planted.gate?.(storage.gate);
    return new Session({ workspace: 'acme', id: this.id }, KINDS, {
      store: overrideStore(store, planted.store?.(store) ?? {}),
      sockets: { all: () => planted.sockets?.(sockets()) ?? sockets() },
      alarm: planted.alarm?.(storage.alarm) ?? storage.alarm,
      workspace: { report: (report) => this.#report(report, life) },
      now: () => planted.clock?.(simulation.now) ?? simulation.now,
      freshId: () => simulation.freshId(),
      hash: hashNatively,
      later: (ms, work) => timers.add(simulation.now + ms, work),
      warn: () => undefined,
    });
  }

  /** A report waits for the gate; the reply is dropped if the instance that sent the report has ended. */
  #report(report: Report, life: Life): Promise<number | LogConflict> {
    const { host } = this;
    const simulation = this.#simulation;
    host.calling += 1;
    return new Promise((resolve, reject) => {
      const ended = (end: () => void) => {
        if (life.isOver) return;
        host.calling -= 1;
        end();
      };
      host.storage.gate.out(() =>
        simulation.workspace.report(
          report,
          (head) =>
            ended(() => {
              simulation.judge.hold(
                typeof head === 'number',
                'I11',
                () =>
                  `${this.id} reported its own log, but the workspace answers ${JSON.stringify(head)}`,
              );
              resolve(head);
            }),
          (cause) =>
            ended(() =>
              simulation.planted.believesFailures ? resolve(report.head) : reject(cause),
            ),
        ),
      );
    });
  }
}

/**
 * A store whose reads of the log bring only a few events, as its port allows: replays and reports then take several
 * pieces, with everything else happening in between.
 */
function withSmallReads(store: SessionStore, maxEvents: number): SessionStore {
  return overrideStore(store, {
    readLog: (after, fit) =>
      store.readLog(after, { ...fit, maxEvents: Math.min(fit.maxEvents, maxEvents) }),
  });
}
