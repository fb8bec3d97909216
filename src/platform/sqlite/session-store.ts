/**
 * One session in SQLite. A commit is a log row, a row for each interaction that settles, and rarely another, in one
 * transaction.
 */
import type { StoredConversation } from '../../agent/conversation.ts';
import type { SessionFiles } from '../../agent/tools/ports.ts';
import { type SessionInfo, tombstoneOf } from '../../core/state.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import type * as ports from '../../session/ports.ts';
import { AgentRows } from './agent-rows.ts';
import { AttachedFileRows } from './attached-file-rows.ts';
import type { Database } from './database.ts';
import { HeldInputRows } from './held-input-rows.ts';
import { HistoryTable } from './history-table.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import {
  InteractionRows,
  type RecordChanges,
  type StoredTail,
  storeTail,
} from './interaction-rows.ts';
import { type LogFit, readLog, readLogBefore } from './read-log.ts';
import { MetaRows } from './meta-rows.ts';
import { type Applied, appliedTo, type Migrations, migrate } from './migrate.ts';

export class SqliteSessionStore implements ports.SessionStore {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #meta: MetaRows;
  readonly #keys: IdempotencyKeys;
  readonly #agent: AgentRows;
  readonly history: HistoryTable;
  readonly heldInputs: HeldInputRows;
  readonly attachedFiles: AttachedFileRows;
  readonly #interactions: InteractionRows;
  /** Makes the tables of a new session in place of the migrations. */
  readonly #whole: string | undefined;
  #applied: Applied;
  #hasTail = false;

  constructor(database: Database, migrations: Migrations, whole?: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#whole = whole;
    this.#meta = new MetaRows(database);
    this.#keys = new IdempotencyKeys(database, this.#meta);
    this.#interactions = new InteractionRows(database, this.#meta);
    this.#agent = new AgentRows(database, this.#meta);
    this.history = new HistoryTable(database);
    this.heldInputs = new HeldInputRows(database);
    this.attachedFiles = new AttachedFileRows(database, this.#meta);
    this.#applied = appliedTo(database, migrations);
    const { count } = this.#applied;
    if (count > 0 && count < migrations.length) database.transaction(() => this.#migrate());
  }

  load(): ports.StoredSession | null {
    if (this.#applied.count === 0) return null;
    const info = this.#meta.get<SessionInfo>('info');
    if (info === undefined) return null;
    const { last, open } = this.#readTail();
    return {
      info,
      head: last?.last_seq ?? 0,
      reportedSeq: last?.reported_seq ?? 0,
      incarnation: this.#meta.get<string>('incarnation') ?? '',
      open,
      rules: this.#meta.family<Rule>('rule').map(({ value }) => value),
      run: info.agent === null ? null : this.#agent.run(),
    };
  }

  #readTail(): { readonly last: LastRow | undefined; readonly open: Interaction[] } {
    const [last] =
      this.#applied.count === 0
        ? []
        : this.#database.all<LastRow>(
            'SELECT last_seq, reported_seq, tail FROM log ORDER BY last_seq DESC LIMIT 1',
          );
    const tail = JSON.parse(last?.tail ?? '{}') as StoredTail & { readonly keyed?: number };
    this.#keys.load(tail.keyed);
    const open = this.#interactions.load(tail);
    this.#hasTail = true;
    return { last, open };
  }

  commit(commit: ports.Commit): void {
    const applied = this.#applied;
    const { keyedResult, now } = commit;
    const row = commit.events.at(-1)?.seq;
    const records = this.#records();
    const changes = records.plan(commit);
    const writes = this.#writesBeside(commit, changes);
    try {
      // One statement is a transaction by itself.
      if (applied.isNoted && row !== undefined && writes.length === 0) {
        this.#writeLog(commit, changes);
      } else {
        this.#database.transaction(() => {
          if (!applied.isNoted) this.#migrate();
          if (row !== undefined) this.#writeLog(commit, changes);
          for (const write of writes) write();
        });
      }
    } catch (cause) {
      this.#applied = applied;
      this.#keys.forget();
      this.#agent.forget();
      throw cause;
    }
    records.adopt(changes);
    if (keyedResult !== undefined && row !== undefined) this.#keys.adopt(keyedResult, now, row);
  }

  #migrate(): void {
    this.#applied = migrate(this.#database, this.#migrations, this.#applied, this.#whole);
  }

  #writeLog(
    { events, eventsJson, reportedSeq, keyedResult, now }: ports.Commit,
    { tail }: RecordChanges,
  ): void {
    const last = events.at(-1)?.seq ?? 0;
    const keyed = keyedResult === undefined ? this.#keys.lastRow : last;
    const stored = { ...storeTail(tail), ...(keyed !== undefined && { keyed }) };
    this.#database.run(
      `INSERT INTO log (last_seq, first_seq, reported_seq, tail, keyed_result, events)
       VALUES (?, ?, ?, ?, ?, ?)`,
      last,
      events[0]?.seq ?? 0,
      reportedSeq,
      JSON.stringify(stored),
      keyedResult === undefined ? null : this.#keys.textFor(keyedResult, now),
      eventsJson,
    );
  }

  /** Everything but the log row: most openings write nothing beside it. */
  #writesBeside(commit: ports.Commit, { writes }: RecordChanges): (() => void)[] {
    const {
      agent,
      history,
      heldInputs = [],
      usedFiles = [],
      info,
      incarnation,
      keyedResult,
    } = commit;
    const meta = this.#meta;
    return [
      ...(agent === undefined ? [] : [() => this.#agent.write(agent, commit.now)]),
      ...(history === undefined ? [] : [() => this.history.write(history)]),
      ...heldInputs.map(
        ({ interactionId, text }) =>
          () =>
            this.heldInputs.write(interactionId, text),
      ),
      ...(usedFiles.length === 0 ? [] : [() => this.attachedFiles.markUsed(usedFiles)]),
      ...writes,
      ...(info === undefined ? [] : [() => meta.put('info', info)]),
      ...(incarnation === undefined ? [] : [() => meta.put('incarnation', incarnation)]),
      ...commit.rulesAdded.map((rule) => () => meta.put(`rule/${rule.id}`, rule)),
      ...commit.rulesRevoked.map((id) => () => meta.remove(`rule/${id}`)),
      ...(keyedResult === undefined || commit.events.length > 0
        ? []
        : [() => this.#keys.add(keyedResult, commit.now)]),
    ];
  }

  /** Read once, if the session was not loaded before. */
  #records(): InteractionRows {
    if (!this.#hasTail) this.#readTail();
    return this.#interactions;
  }

  readLog(after: number, fit: LogFit): ports.LogChunk | undefined {
    return this.#applied.count === 0 ? undefined : readLog(this.#database, after, fit);
  }

  readLogBefore(before: number, fit: LogFit): ports.LogChunk | undefined {
    return this.#applied.count === 0 ? undefined : readLogBefore(this.#database, before, fit);
  }

  record(toolCallId: string, step: number): Interaction | undefined {
    return this.#records().record(toolCallId, step);
  }

  latestRecord(toolCallId: string): Interaction | undefined {
    return this.#records().latestRecord(toolCallId);
  }

  unacknowledged(requestDigest: string): Interaction[] {
    return this.#records().unacknowledged(requestDigest);
  }

  forgetUnacknowledged(): void {
    this.#interactions.forgetUnacknowledged();
  }

  settled(
    fit: { maxRecords: number; maxBytes: number },
    before?: { interactionId: string },
  ): ports.SettledPage {
    return this.#records().settled(fit, before);
  }

  conversation(): StoredConversation {
    return this.#agent.conversation();
  }

  get files(): SessionFiles {
    return this.#agent;
  }

  findResult(key: string, now: number): ports.StoredResult | undefined {
    this.#records();
    return this.#keys.findResult(key, now);
  }

  saveResult(named: ports.KeyedResult, now: number): void {
    try {
      this.#database.transaction(() => this.#keys.add(named, now));
    } catch (cause) {
      this.#keys.forget();
      throw cause;
    }
  }

  markDelivered(record: Pick<Interaction, 'interactionId'>, at: number): void {
    this.#interactions.note('deliveredAt', record, at);
  }

  markShown(record: Pick<Interaction, 'interactionId'>, at: number): void {
    this.#interactions.note('shownAt', record, at);
  }

  markReused(record: Pick<Interaction, 'interactionId'>, at: number): void {
    this.#interactions.note('reusedAt', record, at);
  }

  acknowledge(record: Pick<Interaction, 'interactionId' | 'requestDigest'>, at: number): void {
    this.#database.transaction(() => this.#interactions.acknowledge(record, at));
  }

  erase(info: SessionInfo): Promise<void> {
    const isThere = this.#applied.count > 0;
    const incarnation = isThere ? this.#meta.get<string>('incarnation') : undefined;
    // Also after a write that failed: then there is no table.
    this.#applied = NOTHING_APPLIED;
    const erased = this.#database.replaceAll(() => {
      this.#applied = migrate(this.#database, this.#migrations, NOTHING_APPLIED, this.#whole);
      this.#meta.put('info', tombstoneOf(info));
      if (incarnation !== undefined) this.#meta.put('incarnation', incarnation);
    });
    for (const rows of [this.#keys, this.#agent, this.history]) rows.forget();
    this.#readTail();
    return erased;
  }
}

const NOTHING_APPLIED: Applied = { count: 0, isNoted: false };

interface LastRow {
  readonly last_seq: number;
  readonly reported_seq: number;
  /** Null in a row of an older version. */
  readonly tail: string | null;
}
