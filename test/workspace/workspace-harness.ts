/**
 * A workspace with everything around it played: a clock that is moved by hand, an alarm that goes
 * off when asked, sessions that can be out of reach. Storage is real, in memory.
 */
import { DatabaseSync } from 'node:sqlite';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { type Database, nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import type { OutgoingAnnouncement, TargetConfig } from '../../src/delivery/ports.ts';
import type { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import type { Activity } from '../../src/workspace/activity.ts';
import type { WorkspaceAlarm, InboxSocket, PageQuery } from '../../src/workspace/ports.ts';
import type { ReadResult } from '../../src/protocol/errors.ts';
import { Workspace } from '../../src/workspace/workspace.ts';

export const MINUTE = 60_000;
export const OLGA = { subject: 'olga', via: 'cli' } as const;

interface HandedOver {
  readonly targetId: string;
  readonly config: TargetConfig | null;
  readonly announcements: readonly OutgoingAnnouncement[];
}

export class WorkspaceHarness implements WorkspaceAlarm {
  readonly database: Database;
  store: SqliteWorkspaceStore;
  workspace: Workspace;
  freshVapidKeys = async () => ({ publicKey: 'public', privateKey: 'private' });
  now = 1_700_000_000_000;
  armedAt: number | null = null;
  /** Every time the alarm was moved to. */
  readonly armed: number[] = [];
  /** Rows changed since it was last set to 0; index rows are not among them. */
  changes = 0;
  /** The credentials of agents, by session. */
  readonly connected = new Map<string, string[]>();
  /** Sessions that were asked to delete themselves, with the head they were known by. */
  readonly deleted: string[] = [];
  readonly poked: string[] = [];
  readonly revoked: string[] = [];
  /** Keys of other workspaces. */
  readonly ended: string[] = [];
  readonly warned: string[] = [];
  /** What the objects of targets received, call by call. */
  readonly handedOver: HandedOver[] = [];
  /** Called in the middle of a handover; may throw. */
  onHandOver: (handed: HandedOver) => void | Promise<void> = () => undefined;
  readonly activities: Activity[] = [];
  /** They outlive the object, as hibernating sockets do. */
  readonly subscribers = new Set<InboxSocket>();
  readonly unreachable = new Set<string>();
  /** Called in the middle of a poke. */
  onPoke: (sessionId: string) => void | Promise<void> = () => undefined;
  #ids = 0;

  constructor() {
    const database = nodeDatabase(new DatabaseSync(':memory:'));
    this.database = {
      ...database,
      run: (sql, ...values) => {
        const changes = database.run(sql, ...values);
        this.changes += changes;
        return changes;
      },
      all: <Row>(sql: string, ...values: (string | number | null)[]) => {
        const rows = database.all<Row>(sql, ...values);
        // Each row that a writing statement returns is one that it wrote.
        if (sql.includes('RETURNING')) this.changes += rows.length;
        return rows;
      },
    };
    [this.store, this.workspace] = this.#begin();
  }

  /** The object is thrown out of memory and wakes again; rows and alarm stay. */
  wake(): void {
    [this.store, this.workspace] = this.#begin();
  }

  /** Time passes, and the alarm goes off when it is set for before the end of it. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.armedAt !== null && this.armedAt <= end) {
      this.now = Math.max(this.now, this.armedAt);
      await this.ring();
    }
    this.now = end;
  }

  arm(at: number): void {
    this.armedAt = at;
    this.armed.push(at);
  }

  async ring(): Promise<void> {
    this.armedAt = null;
    await this.workspace.alarm();
  }

  #begin(): [SqliteWorkspaceStore, Workspace] {
    const store = new SqliteWorkspaceStore(this.database, WORKSPACE_MIGRATIONS);
    const reach = (sessionId: string): void => {
      if (this.unreachable.has(sessionId)) throw new Error(`${sessionId} is out of reach`);
    };
    const workspace = new Workspace({
      store,
      sessions: {
        poke: async (sessionId) => {
          this.poked.push(sessionId);
          reach(sessionId);
          await this.onPoke(sessionId);
        },
        deleteIdle: async (sessionId, head) => {
          reach(sessionId);
          this.deleted.push(`${sessionId} at ${head}`);
          return true;
        },
        connectedAgents: async (sessionId) => {
          reach(sessionId);
          return this.connected.get(sessionId) ?? [];
        },
        revoke: async (sessionId, credential) => {
          reach(sessionId);
          this.revoked.push(`${credential} at ${sessionId}`);
        },
      },
      workspaces: {
        endKey: async (workspace, keyId) => {
          reach(workspace);
          this.ended.push(`${keyId} in ${workspace}`);
        },
      },
      targets: {
        receive: async (targetId, config, announcements) => {
          const handed = { targetId, config, announcements };
          this.handedOver.push(handed);
          await this.onHandOver(handed);
        },
      },
      allowPrivateTargets: false,
      freshVapidKeys: () => this.freshVapidKeys(),
      freshSecret: () => `whsec_${btoa(`secret ${(this.#ids += 1)}`)}`,
      subscribers: { all: () => [...this.subscribers] },
      alarm: this,
      now: () => this.now,
      freshId: () => String((this.#ids += 1)).padStart(6, '0'),
      warn: (message) => this.warned.push(message),
      showActivity: (activity) => this.activities.push(activity),
    });
    return [store, workspace];
  }
}

export function valueOf<Value>(read: ReadResult<Value>): Value {
  if (!read.ok) throw new Error(read.message);
  return read.value;
}

/** Every page of the inbox, one after the other; `between` runs before each page but the first. */
export function wholeInbox(
  { workspace }: { workspace: Pick<Workspace, 'inbox'> },
  page: PageQuery = {},
  between: () => void = () => undefined,
): InboxEntry[] {
  const found: InboxEntry[] = [];
  let after: string | undefined;
  for (;;) {
    const { interactions, next } = valueOf(workspace.inbox({ ...page, after }));
    found.push(...interactions);
    if (next === undefined) return found;
    after = next;
    between();
  }
}
