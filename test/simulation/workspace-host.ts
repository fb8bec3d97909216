/** The real workspace on the fake platform, wired as `workspace-object.ts` wires it. */
import type { LogConflict, Report } from '../../src/core/report.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import { NO_DEADLINE } from '../../src/workspace/inbox.ts';
import { SWEEP_GRACE_MS } from '../../src/workspace/maintenance.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { readMigrations } from '../support/read-migrations.ts';
import { announcedIn } from './announced.ts';
import type { Connection } from './connection.ts';
import { type Life, ObjectHost } from './object-host.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

const MIGRATIONS = readMigrations('workspace');

type Reply<Result> = (result: Result) => void;
type Fail = (cause: unknown) => void;

export class WorkspaceHost {
  readonly host: ObjectHost<Workspace>;
  /** The reported head of each log, as confirmed by the workspace's disk. */
  readonly confirmedHeads = new Map<string, number>();
  readonly #deleted = new Set<string>();
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.host = new ObjectHost<Workspace>(simulation, {
      name: 'the workspace',
      throwsWhenFull: true,
      begin: (life) => this.#begin(life),
      look: () => undefined,
      confirmed: () => this.#confirmed(),
      crashed: () => undefined,
    });
  }

  /** Its rows, read without waking it. */
  rows(): SqliteWorkspaceStore {
    return new SqliteWorkspaceStore(this.host.storage.database, MIGRATIONS);
  }

  /** A session reports; a report that has left its session must be in the session's storage. */
  report(report: Report, reply: Reply<number | LogConflict>, fail: Fail): void {
    const simulation = this.#simulation;
    const { ledger } = simulation.session(report.sessionId);
    simulation.judge.hold(
      report.head <= ledger.confirmedHead,
      'gate',
      () => `${ledger.name} tells up to ${report.head}, stored is ${ledger.confirmedHead}`,
    );
    const expected = ledger.events
      .filter(({ seq }) => seq > report.after && seq <= report.head)
      .flatMap(announcedIn);
    const announced = report.announcements.map(announcementLine);
    simulation.judge.hold(
      announced.join('\n') === expected.join('\n'),
      'announced',
      () => `${ledger.name} announces ${announced.join('; ')}, expected ${expected.join('; ')}`,
    );
    simulation.network.call<number | LogConflict>(
      `${report.sessionId} tells ${report.after}..${report.head}`,
      'objects',
      (answer, failed) =>
        this.host.serve((workspace) => workspace.applyReport(report), answer, failed),
      { reply, fail },
    );
  }

  /** The session of each socket asks whether the socket's credential is still valid, and closes the socket if not. */
  watch(credential: string, sessionId: string, connection: Connection): void {
    const leave = () => this.#simulation.disconnect(connection, 'noticed');
    this.#simulation.network.call<boolean>(
      `${sessionId} has a socket of ${credential}`,
      'objects',
      (reply, fail) =>
        this.host.serve(
          (workspace) => workspace.credentials.watch([credential], sessionId, null),
          reply,
          fail,
        ),
      { reply: (isRevoked) => isRevoked && leave(), fail: leave },
    );
  }

  ring(): void {
    const { alarm } = this.host.storage;
    alarm.rings(this.#simulation.now);
    const workspace = this.host.wake();
    workspace
      .alarm()
      .catch((cause: unknown) => {
        this.#simulation.judge.hold(
          false,
          'I14',
          () => `the workspace threw in its alarm: ${String(cause)}`,
        );
      })
      .finally(() => {
        if (this.host.isAwake && this.host.wake() === workspace) alarm.rang();
      });
  }

  #confirmed(): void {
    const rows = this.rows();
    const { judge } = this.#simulation;
    for (const { id } of this.#simulation.sessions) {
      const row = rows.sessions.find(id);
      const head = row?.head ?? 0;
      const before = this.confirmedHeads.get(id) ?? 0;
      judge.hold(head >= before, 'I11', () => `${id} falls back to ${head}`);
      this.confirmedHeads.set(id, head);
      const isDeleted = row !== undefined && row.deletedAt !== null;
      if (isDeleted) this.#deleted.add(id);
      const isGone = !this.#deleted.has(id) || (isDeleted && row.open.size === 0);
      judge.hold(isGone, 'I11', () => `${id} was known as deleted, and comes back`);
    }
    const due = rows.inbox.earliestDue();
    const { alarm } = this.host.storage;
    const isCovered = due === null || due >= NO_DEADLINE || this.#relies(alarm.armedAt);
    judge.hold(isCovered, 'I8', () => `${due} is watched over by an alarm at ${alarm.armedAt}`);
  }

  /** An alarm that is minutes overdue at a start is lost, and the started object must notice. */
  #relies(armedAt: number | null): boolean {
    if (!this.host.isAwake || this.host.storage.alarm.isRinging) return true;
    return armedAt !== null && armedAt > this.host.wokenAt - SWEEP_GRACE_MS;
  }

  #begin(life: Life): Workspace {
    const { storage } = this.host;
    const simulation = this.#simulation;
    const store = new SqliteWorkspaceStore(storage.database, MIGRATIONS, 'acme');
    simulation.planted.workspaceStore?.(store);
    const ask = (
      what: string,
      sessionId: string,
      work: (session: SessionHost, reply: Reply<null>, fail: Fail) => void,
    ): Promise<void> => {
      this.host.calling += 1;
      return new Promise<void>((resolve, reject) => {
        const ended = (end: () => void) => {
          if (life.isOver) return;
          this.host.calling -= 1;
          end();
        };
        const answered = (reply: Reply<null>, fail: Fail) =>
          work(simulation.session(sessionId), reply, fail);
        storage.gate.out(() =>
          simulation.network.call<null>(`the workspace ${what} ${sessionId}`, 'objects', answered, {
            reply: () => ended(resolve),
            fail: (cause) => ended(() => reject(cause)),
          }),
        );
      });
    };
    return new Workspace({
      store,
      sessions: {
        connectedAgents: async () => [],
        deleteIdle: async () => false,
        poke: (id) => ask('pokes', id, (session, reply, fail) => session.poke(reply, fail)),
        revoke: (id, credential) =>
          ask(`ends ${credential} in`, id, (session, reply, fail) =>
            session.revoke(credential, reply, fail),
          ),
      },
      targets: { receive: async () => undefined },
      allowPrivateTargets: false,
      freshVapidKeys: async () => ({ publicKey: 'public', privateKey: 'private' }),
      freshSecret: () => `whsec_${simulation.freshId()}`,
      subscribers: { all: () => [] },
      alarm: storage.alarm,
      now: () => simulation.now,
      freshId: () => simulation.freshId(),
      warn: () => undefined,
    });
  }
}

function announcementLine(announcement: Report['announcements'][number]): string {
  const outcome = announcement.type === 'interaction.resolved' ? ` ${announcement.outcome}` : '';
  const turnId = announcement.type === 'turn.ended' ? announcement.turnId : undefined;
  const about = 'interactionId' in announcement ? announcement.interactionId : (turnId ?? '');
  return `${announcement.seq} ${announcement.type} ${about}${outcome}`;
}
