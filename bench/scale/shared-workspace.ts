/**
 * The workspace object of the simulation: the real workspace over SQLite in a file, with a clock of its own and an
 * alarm that fires when the simulation's time reaches it.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Report } from '../../src/core/report.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import type { WorkspaceAlarm } from '../../src/workspace/ports.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { readMigrations } from '../../test/support/read-migrations.ts';

class SimulatedAlarm implements WorkspaceAlarm {
  armedAt: number | null = null;
  moves = 0;

  arm(at: number): void {
    this.armedAt = at;
    this.moves += 1;
  }
}

export class SharedWorkspace {
  now: number;
  reports = 0;
  /** Calls to sessions that the workspace made by itself. */
  pokes = 0;
  alarms = 0;
  readonly alarm = new SimulatedAlarm();
  readonly #sqlite: DatabaseSync;
  readonly #workspace: Workspace;
  #ids = 0;

  constructor(folder: string, now: number) {
    this.now = now;
    this.#sqlite = new DatabaseSync(path.join(folder, 'workspace.sqlite'));
    // Cloudflare replicates commits behind its output gate, while the object goes on; this disk must not be measured.
    this.#sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
    const migrations = readMigrations('workspace');
    const store = new SqliteWorkspaceStore(nodeDatabase(this.#sqlite), migrations, 'main');
    const poked = () => {
      this.pokes += 1;
    };
    this.#workspace = new Workspace({
      store,
      sessions: {
        poke: async () => poked(),
        revoke: async () => poked(),
        deleteIdle: async () => false,
        connectedAgents: async () => [],
      },
      targets: { receive: async () => undefined },
      allowPrivateTargets: false,
      freshSecret: () => `secret-${this.#freshId()}`,
      freshVapidKeys: async () => ({ publicKey: 'public', privateKey: 'private' }),
      subscribers: { all: () => [] },
      alarm: this.alarm,
      now: () => this.now,
      freshId: () => this.#freshId(),
      warn: (message, evidence) => {
        throw new Error(`The workspace warns: ${message}`, { cause: evidence });
      },
    });
  }

  /** Throws unless the workspace takes the whole report. */
  apply(report: Report): void {
    this.reports += 1;
    const head = this.#workspace.applyReport(report);
    if (head !== report.head) {
      throw new Error(
        `${report.sessionId} reported ${report.head}, and the workspace has ${JSON.stringify(head)}`,
      );
    }
  }

  async passTo(now: number): Promise<void> {
    this.now = now;
    while (this.alarm.armedAt !== null && this.alarm.armedAt <= now) {
      this.alarm.armedAt = null;
      this.alarms += 1;
      await this.#workspace.alarm();
    }
  }

  readInboxPage(limit: number): void {
    const page = this.#workspace.inbox({ limit });
    if (!page.ok || page.value.interactions.length !== limit) throw new Error('No full page');
  }

  openCount(): number {
    const page = this.#workspace.inbox({ limit: 1 });
    if (!page.ok) throw new Error(page.message);
    return page.value.total;
  }

  bytes(): number {
    const [size] = this.#sqlite
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .all() as { bytes: number }[];
    return size?.bytes ?? 0;
  }

  close(): void {
    this.#sqlite.close();
  }

  #freshId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }
}

export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
