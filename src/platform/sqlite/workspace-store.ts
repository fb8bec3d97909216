/** One workspace in SQLite, one module for each table. Reading a workspace that was never written creates no tables. */
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';
import type { StoredListName, WorkspaceStore } from '../../workspace/store.ts';
import type { Database, TableRows } from './database.ts';
import { type Applied, appliedTo, type Migrations, migrate } from './migrate.ts';
import { SqliteAuditTable } from './workspace-tables/audit-table.ts';
import { SqliteExportTable } from './workspace-tables/export-table.ts';
import { SqliteCliSessionTable } from './workspace-tables/cli-session-table.ts';
import { SqliteInboxTable } from './workspace-tables/inbox-table.ts';
import {
  SqliteKeyTable,
  SqliteRevocationTable,
  SqliteTokenTable,
} from './workspace-tables/credential-tables.ts';
import { MetaTexts } from './meta-rows.ts';
import { SqlitePersonTable, SqliteSignInTable } from './workspace-tables/people-tables.ts';
import { SqlitePinTable } from './workspace-tables/pin-table.ts';
import { SqliteGatedRequestTable, SqliteRuleTable } from './workspace-tables/rule-tables.ts';
import { SqliteSessionTable } from './workspace-tables/session-table.ts';
import { SqliteTargetOutboxTable, SqliteTargetTable } from './workspace-tables/target-tables.ts';

export class SqliteWorkspaceStore implements WorkspaceStore {
  readonly sessions: SqliteSessionTable;
  readonly pins: SqlitePinTable;
  readonly inbox: SqliteInboxTable;
  readonly audit: SqliteAuditTable;
  readonly exports: SqliteExportTable;
  readonly keys: SqliteKeyTable;
  readonly tokens: SqliteTokenTable;
  readonly revocations: SqliteRevocationTable;
  readonly cliSessions: SqliteCliSessionTable;
  readonly targets: SqliteTargetTable;
  readonly targetOutbox: SqliteTargetOutboxTable;
  readonly people: SqlitePersonTable;
  readonly signIns: SqliteSignInTable;
  readonly rules: SqliteRuleTable;
  readonly gatedRequests: SqliteGatedRequestTable;
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #name: string | undefined;
  readonly #meta: MetaTexts;
  #applied: Applied;

  /** The first write stores the name, for a later wake in which the platform does not pass it. */
  constructor(database: Database, migrations: Migrations, name?: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#name = name;
    this.#applied = appliedTo(database, migrations);
    const rows: TableRows = {
      run: (sql, ...values) => database.run(sql, ...values),
      all: (sql, ...values) => (this.#applied.count === 0 ? [] : database.all(sql, ...values)),
    };
    this.#meta = new MetaTexts(rows);
    this.sessions = new SqliteSessionTable(rows);
    this.pins = new SqlitePinTable(rows);
    this.inbox = new SqliteInboxTable(rows, this.#meta);
    this.audit = new SqliteAuditTable(rows);
    this.exports = new SqliteExportTable(rows);
    this.keys = new SqliteKeyTable(rows);
    this.tokens = new SqliteTokenTable(rows);
    this.revocations = new SqliteRevocationTable(rows);
    this.cliSessions = new SqliteCliSessionTable(rows);
    this.targets = new SqliteTargetTable(rows);
    this.targetOutbox = new SqliteTargetOutboxTable(rows);
    this.people = new SqlitePersonTable(rows);
    this.signIns = new SqliteSignInTable(rows);
    this.rules = new SqliteRuleTable(rows);
    this.gatedRequests = new SqliteGatedRequestTable(rows);
    const { count } = this.#applied;
    if (count > 0 && count < migrations.length) this.write(() => undefined);
  }

  write<Result>(work: () => Result): Result {
    const applied = this.#applied;
    try {
      return this.#database.transaction(() => {
        if (!applied.isNoted || applied.count < this.#migrations.length) this.#migrate();
        return work();
      });
    } catch (cause) {
      this.#applied = applied;
      this.sessions.forget();
      throw cause;
    }
  }

  #migrate(): void {
    const isNew = this.#applied.count === 0;
    this.#applied = migrate(this.#database, this.#migrations, this.#applied);
    if (isNew && this.#name !== undefined) this.#meta.save('name', this.#name);
  }

  name(): string | undefined {
    return this.#name ?? this.#meta.read('name');
  }

  settings(): string | undefined {
    return this.#meta.read('settings');
  }

  saveSettings(text: string): void {
    this.#meta.save('settings', text);
  }

  vapidKeys(): VapidKeys | undefined {
    const text = this.#meta.read('vapid-keys');
    return text === undefined ? undefined : (JSON.parse(text) as VapidKeys);
  }

  saveVapidKeys(keys: VapidKeys): void {
    this.#meta.save('vapid-keys', JSON.stringify(keys));
  }

  list(name: StoredListName): string | undefined {
    return this.#meta.read(`list/${name}`);
  }

  saveList(name: StoredListName, text: string): void {
    this.#meta.save(`list/${name}`, text);
  }
}
