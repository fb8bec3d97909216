/**
 * One session in SQLite. A commit is one transaction of few rows: a log row, a row for each touched interaction, and
 * rarely another. The file is long because a commit writes all of these rows in one transaction.
 */
import type { ModelMessage } from '../../agent/message.ts';
import type { SessionFiles } from '../../agent/tools/ports.ts';
import type { SessionInfo } from '../../core/state.ts';
import { parseInteractionId } from '../../protocol/ids.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import type * as ports from '../../session/ports.ts';
import { countFitting } from '../count-fitting.ts';
import { AgentRows } from './agent-rows.ts';
import { AttachedFileRows } from './attached-file-rows.ts';
import type { Database } from './database.ts';
import { HeldInputRows } from './held-input-rows.ts';
import { HistoryTable } from './history-table.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { type LogFit, readLog, readLogBefore } from './read-log.ts';
import { MetaRows } from './meta-rows.ts';
import { bySettledAt, isUnacknowledged } from '../../core/unacknowledged.ts';
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
  #applied: Applied;

  constructor(database: Database, migrations: Migrations) {
    this.#database = database;
    this.#migrations = migrations;
    this.#meta = new MetaRows(database);
    this.#keys = new IdempotencyKeys(database, this.#meta);
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
    const [last] = this.#database.all<{ last_seq: number; reported_seq: number }>(
      'SELECT last_seq, reported_seq FROM log ORDER BY last_seq DESC LIMIT 1',
    );
    const open = this.#database.all<{ record: string }>(
      "SELECT record FROM interaction WHERE status = 'open'",
    );
    return {
      info,
      head: last?.last_seq ?? 0,
      reportedSeq: last?.reported_seq ?? 0,
      incarnation: this.#meta.get<string>('incarnation') ?? '',
      open: open.map((row) => JSON.parse(row.record) as Interaction),
      rules: this.#meta.family<Rule>('rule').map(({ value }) => value),
      run: info.agent === null ? null : this.#agent.run(),
    };
  }

  commit(commit: ports.Commit): void {
    const applied = this.#applied;
    try {
      this.#database.transaction(() => {
        if (!applied.isNoted) this.#migrate();
        this.#write(commit);
      });
    } catch (cause) {
      this.#applied = applied;
      this.#keys.forget();
      throw cause;
    }
  }

  #migrate(): void {
    this.#applied = migrate(this.#database, this.#migrations, this.#applied);
  }

  #write(commit: ports.Commit): void {
    const { events, keyedResult: remember } = commit;
    const first = events[0];
    const last = events.at(-1);
    if (first !== undefined && last !== undefined) {
      this.#database.run(
        'INSERT INTO log (last_seq, first_seq, reported_seq, events) VALUES (?, ?, ?, ?)',
        last.seq,
        first.seq,
        commit.reportedSeq,
        commit.eventsJson,
      );
    }
    if (commit.agent !== undefined) this.#agent.write(commit.agent, commit.now);
    if (commit.history !== undefined) this.history.write(commit.history);
    const { heldInput: held } = commit;
    if (held !== undefined) this.heldInputs.write(held.interactionId, held.text);
    this.attachedFiles.markUsed(commit.usedFiles ?? []);
    let keyIsStored = false;
    for (const record of commit.records) {
      keyIsStored = this.#writeRecord(record, remember) || keyIsStored;
    }
    for (const one of commit.reassigned ?? []) this.#reassign(one, commit);
    if (commit.info !== undefined) this.#meta.put('info', commit.info);
    if (commit.incarnation !== undefined) this.#meta.put('incarnation', commit.incarnation);
    for (const rule of commit.rulesAdded) this.#meta.put(`rule/${rule.id}`, rule);
    for (const id of commit.rulesRevoked) this.#meta.remove(`rule/${id}`);
    if (remember === undefined) return;
    if (keyIsStored) this.#keys.note(remember, commit.now);
    else this.#keys.add(remember, commit.now);
  }

  /** Returns whether the row now holds the idempotency key of the command. */
  #writeRecord(record: Interaction, remember: ports.Commit['keyedResult']): boolean {
    const reply = remember?.reply;
    const named =
      reply?.type === 'interaction' && reply.interactionId === record.interactionId
        ? remember
        : undefined;
    const { toolCallId, step } = recordKeyOf(record.interactionId);
    if (record.rev === 1) {
      this.#database.run(
        `INSERT INTO interaction
           (tool_call_id, step, status, opened_at, expires_at, open_key, open_hash, record)
         VALUES (?, ?, 'open', ?, ?, ?, ?, ?)`,
        toolCallId,
        step,
        record.openedAt,
        record.expiresAt,
        named?.key ?? null,
        named?.bodyHash ?? null,
        JSON.stringify(record),
      );
      return named !== undefined;
    }
    if (record.undone !== undefined && record.status === 'settled') {
      this.#writeUndone(record);
      return false;
    }
    if (isUnacknowledged(record)) this.#meta.put(unacknowledgedKey(record), '');
    const settles = record.status === 'settled' && named !== undefined;
    const changed = this.#database.run(
      `UPDATE interaction
       SET status = ?, settled_at = ?, expires_at = ?, settle_key = ?, settle_hash = ?, record = ?
       WHERE tool_call_id = ? AND step = ? AND status = 'open'`,
      record.status,
      record.settledAt,
      record.expiresAt,
      settles ? named.key : null,
      settles ? named.bodyHash : null,
      JSON.stringify(record),
      toolCallId,
      step,
    );
    if (changed !== 1) throw new Error(`Interaction ${record.interactionId} was not open`);
    return settles;
  }

  /** An agent that has the decision keeps it. */
  #writeUndone(record: Interaction): void {
    const { toolCallId, step } = recordKeyOf(record.interactionId);
    const changed = this.#database.run(
      `UPDATE interaction SET record = ?
       WHERE tool_call_id = ? AND step = ? AND status = 'settled'
         AND json_extract(record, '$.deliveredAt') IS NULL
         AND json_extract(record, '$.acknowledgedAt') IS NULL
         AND json_extract(record, '$.shownAt') IS NULL
         AND json_extract(record, '$.undone') IS NULL`,
      JSON.stringify(record),
      toolCallId,
      step,
    );
    if (changed !== 1) throw new Error(`The decision on ${record.interactionId} was delivered`);
    this.#meta.remove(unacknowledgedKey(record));
  }

  #reassign({ interactionId, to }: ports.Reassigned, { records, now }: ports.Commit): void {
    this.#meta.put(`call/${to.toolCallId}`, interactionId);
    if (records.some((record) => record.interactionId === interactionId)) return;
    const { toolCallId, step } = recordKeyOf(interactionId);
    const changed = this.#database.run(
      `UPDATE interaction SET record = json_set(
         record, '$.deliveredAt', coalesce(json_extract(record, '$.deliveredAt'), ?),
         '$.reassignedTo', json(?), '$.rev', json_extract(record, '$.rev') + 1
       )
       WHERE tool_call_id = ? AND step = ? AND status = 'settled'
         AND json_extract(record, '$.acknowledgedAt') IS NULL`,
      now,
      JSON.stringify(to),
      toolCallId,
      step,
    );
    if (changed !== 1) throw new Error(`Interaction ${interactionId} was acknowledged`);
  }

  readLog(after: number, fit: LogFit): ports.LogChunk | undefined {
    return this.#applied.count === 0 ? undefined : readLog(this.#database, after, fit);
  }

  readLogBefore(before: number, fit: LogFit): ports.LogChunk | undefined {
    return this.#applied.count === 0 ? undefined : readLogBefore(this.#database, before, fit);
  }

  record(toolCallId: string, step: number): Interaction | undefined {
    const [row] = this.#database.all<{ record: string }>(
      'SELECT record FROM interaction WHERE tool_call_id = ? AND step = ?',
      toolCallId,
      step,
    );
    return row && (JSON.parse(row.record) as Interaction);
  }

  latestRecord(toolCallId: string): Interaction | undefined {
    const [row] = this.#database.all<{ record: string }>(
      'SELECT record FROM interaction WHERE tool_call_id = ? ORDER BY step DESC LIMIT 1',
      toolCallId,
    );
    if (row !== undefined) return JSON.parse(row.record) as Interaction;
    const reassigned = this.#meta.get<string>(`call/${toolCallId}`);
    const id = reassigned === undefined ? undefined : recordKeyOf(reassigned);
    return id && this.record(id.toolCallId, id.step);
  }

  unacknowledged(requestDigest: string): Interaction[] {
    const rows = this.#meta.family(`${UNACKNOWLEDGED}/${requestDigest}`);
    const records = rows.flatMap(({ name }) => {
      const { toolCallId, step } = recordKeyOf(name);
      return this.record(toolCallId, step) ?? [];
    });
    return records.sort(bySettledAt);
  }

  forgetUnacknowledged(): void {
    this.#meta.removeFamily(UNACKNOWLEDGED);
  }

  /** Reads the sizes first: a thousand records of 250 KB need more memory than an object has. */
  settled(
    fit: { maxRecords: number; maxBytes: number },
    before?: { settledAt: number; interactionId: string },
  ): ports.SettledPage {
    const from = before && recordKeyOf(before.interactionId);
    const newestFirst = <Row>(column: string, limit: number) =>
      this.#database.all<Row>(
        `SELECT ${column} FROM interaction
         WHERE status = 'settled' AND (settled_at, tool_call_id, step) < (?, ?, ?)
         ORDER BY settled_at DESC, tool_call_id DESC, step DESC LIMIT ?`,
        before?.settledAt ?? Number.MAX_SAFE_INTEGER,
        from?.toolCallId ?? '',
        from?.step ?? 0,
        limit,
      );
    const sized = newestFirst<{ bytes: number }>(
      'octet_length(record) AS bytes',
      fit.maxRecords + 1,
    );
    const count = countFitting(
      sized.map(({ bytes }) => bytes),
      fit,
    );
    const rows = newestFirst<{ record: string }>('record', count);
    return {
      records: rows.map((row) => JSON.parse(row.record) as Interaction),
      hasMore: sized.length > count,
    };
  }

  messages(): ModelMessage[] {
    return this.#agent.messages();
  }

  get files(): SessionFiles {
    return this.#agent;
  }

  findResult(key: string, now: number): ports.StoredResult | undefined {
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
    this.#note('$.deliveredAt', record, at);
  }

  markShown(record: Pick<Interaction, 'interactionId'>, at: number): void {
    this.#note('$.shownAt', record, at);
  }

  #note(path: string, { interactionId }: Pick<Interaction, 'interactionId'>, at: number): void {
    const { toolCallId, step } = recordKeyOf(interactionId);
    this.#database.run(
      `UPDATE interaction SET record = json_set(record, ?, ?)
       WHERE tool_call_id = ? AND step = ?`,
      path,
      at,
      toolCallId,
      step,
    );
  }

  acknowledge(record: Pick<Interaction, 'interactionId' | 'requestDigest'>, at: number): void {
    const { toolCallId, step } = recordKeyOf(record.interactionId);
    this.#database.transaction(() => {
      this.#database.run(
        `UPDATE interaction SET record = json_set(
           record, '$.acknowledgedAt', ?, '$.deliveredAt', coalesce(json_extract(record, '$.deliveredAt'), ?)
         )
         WHERE tool_call_id = ? AND step = ?`,
        at,
        at,
        toolCallId,
        step,
      );
      this.#meta.remove(unacknowledgedKey(record));
    });
  }

  erase(info: SessionInfo): void {
    this.#database.transaction(() => {
      for (const table of ['log', 'interaction']) this.#database.run(`DELETE FROM ${table}`);
      for (const family of ['rule', 'key', 'call', UNACKNOWLEDGED]) this.#meta.removeFamily(family);
      this.#agent.erase();
      this.history.erase();
      this.heldInputs.erase();
      this.attachedFiles.erase();
      this.#meta.put('info', {
        ...info,
        title: null,
        metadata: {},
        queued: [],
        turn: null,
        agent: null,
        cliSessions: [],
      });
    });
    this.#keys.forget();
  }
}

const UNACKNOWLEDGED = 'unacknowledged';

function unacknowledgedKey({
  requestDigest,
  interactionId,
}: Pick<Interaction, 'interactionId' | 'requestDigest'>): string {
  return `${UNACKNOWLEDGED}/${requestDigest}/${interactionId}`;
}

function recordKeyOf(interactionId: string): { toolCallId: string; step: number } {
  const key = parseInteractionId(interactionId);
  if (key === undefined) throw new Error(`Not an interaction id: ${interactionId}`);
  return key;
}
