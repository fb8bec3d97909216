/** One session in memory, for tests and for agents that need no storage beyond their process. */
import type { StoredConversation, StoredSummary } from '../../agent/conversation.ts';
import type { ModelMessage } from '../../agent/message.ts';
import type { Run } from '../../agent/run/run.ts';
import type { RunChange } from '../../agent/run/run-draft.ts';
import { type SessionInfo, tombstoneOf } from '../../core/state.ts';
import { countBytes } from '../../protocol/bytes.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import { parseInteractionId } from '../../protocol/ids.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { countFitting } from '../count-fitting.ts';
import { bySettledAt, isUnacknowledged } from '../../core/unacknowledged.ts';
import type * as ports from '../../session/ports.ts';
import { splitText } from '../split-text.ts';
import { MemoryAttachedFiles } from './attached-files.ts';
import type { FileChange, FileEntry, SessionFiles, StoredFile } from '../../agent/tools/ports.ts';

export class MemorySessionStore implements ports.SessionStore {
  #info: SessionInfo | null = null;
  #reportedSeq = 0;
  #incarnation = '';
  #log: SessionEvent[] = [];
  readonly #records = new Map<string, Interaction>();
  /** The interactions that were reassigned, by the calls that they were reassigned to. */
  readonly #reassigned = new Map<string, string>();
  /** In the order in which they settled. */
  readonly #settled = new Set<string>();
  readonly #unacknowledged = new Set<string>();
  readonly #rules = new Map<string, Rule>();
  readonly #keys = new Map<string, ports.StoredResult & { at: number }>();
  readonly files = new MemoryFiles();
  readonly history = new MemoryHistory();
  readonly heldInputs = new MemoryHeldInputs();
  readonly attachedFiles = new MemoryAttachedFiles();
  #run: Run | null = null;
  #messages: ModelMessage[] = [];
  #summaries: StoredSummary[] = [];

  load(): ports.StoredSession | null {
    if (this.#info === null) return null;
    return {
      info: this.#info,
      head: this.#log.at(-1)?.seq ?? 0,
      reportedSeq: this.#reportedSeq,
      incarnation: this.#incarnation,
      open: [...this.#records.values()].filter((record) => record.status === 'open'),
      rules: [...this.#rules.values()],
      run: this.#run,
    };
  }

  commit(commit: ports.Commit): void {
    const head = this.#log.length;
    if (commit.events.some((event, index) => event.seq !== head + index + 1)) {
      throw new Error(`These events do not follow event ${head}`);
    }
    for (const { interactionId, rev, undone } of commit.records) {
      const stored = this.#records.get(interactionId);
      const isFree = undone === undefined ? stored?.status === 'open' : mayBeUndone(stored);
      const begins = rev === 1 || commit.events.some((event) => isRequestOf(event, interactionId));
      const expected = begins ? stored === undefined : isFree;
      if (!expected) throw new Error(`Interaction ${interactionId} was not open`);
    }
    const moved = (commit.reassigned ?? []).map((one) => this.#reassign(one, commit));
    this.attachedFiles.markUsed(commit.usedFiles ?? []);
    this.#log.push(...structuredClone(commit.events));
    this.#reportedSeq = commit.reportedSeq;
    if (commit.info !== undefined) this.#info = commit.info;
    this.#incarnation = commit.incarnation ?? this.#incarnation;
    for (const record of [...commit.records, ...moved]) {
      this.#records.set(record.interactionId, record);
      if (record.status === 'settled') this.#settled.add(record.interactionId);
      if (isUnacknowledged(record)) this.#unacknowledged.add(record.interactionId);
      else this.#unacknowledged.delete(record.interactionId);
    }
    for (const { interactionId, to } of commit.reassigned ?? []) {
      this.#reassigned.set(to.toolCallId, interactionId);
    }
    for (const rule of commit.rulesAdded) this.#rules.set(rule.id, rule);
    for (const id of commit.rulesRevoked) this.#rules.delete(id);
    if (commit.history !== undefined) this.history.write(commit.history);
    for (const held of commit.heldInputs ?? []) {
      this.heldInputs.write(held.interactionId, held.text);
    }
    if (commit.agent !== undefined) this.#writeAgent(commit.agent, commit.now);
    if (commit.keyedResult !== undefined) this.saveResult(commit.keyedResult, commit.now);
  }

  #reassign({ interactionId, to }: ports.Reassigned, { records, now }: ports.Commit): Interaction {
    const changed = records.find((record) => record.interactionId === interactionId);
    if (changed !== undefined) return changed;
    const stored = this.#records.get(interactionId);
    if (stored?.status !== 'settled' || stored.acknowledgedAt !== undefined) {
      throw new Error(`Interaction ${interactionId} was acknowledged`);
    }
    return {
      ...stored,
      deliveredAt: stored.deliveredAt ?? now,
      reassignedTo: to,
      rev: stored.rev + 1,
    };
  }

  #writeAgent(change: RunChange, now: number): void {
    const { run, messages, clearsConversation, files, summary } = change;
    this.#run = structuredClone(run);
    if (clearsConversation) this.#summaries = [];
    if (summary === 'restored') this.#summaries.pop();
    else if (summary !== undefined) this.#summaries.push(structuredClone(summary));
    this.#messages = [...(clearsConversation ? [] : this.#messages), ...structuredClone(messages)];
    for (const file of files) this.files.write(file, now);
  }

  conversation(): StoredConversation {
    const summary = this.#summaries.at(-1);
    const messages = this.#messages.slice((summary?.from ?? 1) - 1);
    return structuredClone({ messages, ...(summary !== undefined && { summary }) });
  }

  readLog(after: number, fit: { maxEvents: number; maxBytes: number }): ports.LogChunk | undefined {
    const parts: string[] = [];
    let size = 0;
    for (const event of this.#log.slice(after, after + fit.maxEvents)) {
      const json = JSON.stringify(event);
      const bytes = countBytes(json);
      if (parts.length > 0 && size + bytes > fit.maxBytes) break;
      parts.push(json);
      size += bytes + 1;
    }
    if (parts.length === 0) return undefined;
    return { json: parts.join(','), count: parts.length, lastSeq: after + parts.length };
  }

  readLogBefore(
    before: number,
    fit: { maxEvents: number; maxBytes: number },
  ): ports.LogChunk | undefined {
    const parts: string[] = [];
    let size = 0;
    for (const event of this.#log.slice(0, before - 1).toReversed()) {
      const json = JSON.stringify(event);
      size += countBytes(json) + 1;
      const fits = parts.length < fit.maxEvents && size - 1 <= fit.maxBytes;
      if (parts.length > 0 && !fits) break;
      parts.unshift(json);
    }
    if (parts.length === 0) return undefined;
    const lastSeq = Math.min(before - 1, this.#log.length);
    return { json: parts.join(','), count: parts.length, lastSeq };
  }

  record(toolCallId: string, step: number): Interaction | undefined {
    return this.#records.get(`${toolCallId}~${step}`);
  }

  latestRecord(toolCallId: string): Interaction | undefined {
    const steps = [...this.#records.values()].filter((record) => record.toolCallId === toolCallId);
    const [own] = steps.sort((a, b) => recordStep(b) - recordStep(a));
    return own ?? this.#records.get(this.#reassigned.get(toolCallId) ?? '');
  }

  unacknowledged(requestDigest: string): Interaction[] {
    const records = [...this.#unacknowledged].flatMap((id) => this.#records.get(id) ?? []);
    return records.filter((record) => record.requestDigest === requestDigest).sort(bySettledAt);
  }

  forgetUnacknowledged(): void {
    this.#unacknowledged.clear();
  }

  settled(
    fit: { maxRecords: number; maxBytes: number },
    before?: { interactionId: string },
  ): ports.SettledPage {
    const newestFirst = [...this.#settled].toReversed();
    const from = before === undefined ? 0 : newestFirst.indexOf(before.interactionId) + 1;
    const isUnknown = before !== undefined && from === 0;
    const left = isUnknown
      ? []
      : newestFirst.slice(from).flatMap((id) => this.#records.get(id) ?? []);
    const candidates = left.slice(0, fit.maxRecords + 1);
    const sizes = candidates.map((record) => countBytes(JSON.stringify(record)));
    const count = countFitting(sizes, fit);
    return { records: candidates.slice(0, count), hasMore: left.length > count };
  }

  findResult(key: string, now: number): ports.StoredResult | undefined {
    const known = this.#keys.get(key);
    return known !== undefined && known.at > now - LIMITS.idempotencyMs ? known : undefined;
  }

  saveResult({ key, bodyHash, reply }: ports.KeyedResult, now: number): void {
    this.#keys.set(key, { bodyHash, reply, at: now });
  }

  markDelivered({ interactionId }: Pick<Interaction, 'interactionId'>, at: number): void {
    const record = this.#records.get(interactionId);
    if (record !== undefined) this.#records.set(interactionId, { ...record, deliveredAt: at });
  }

  markShown({ interactionId }: Pick<Interaction, 'interactionId'>, at: number): void {
    const record = this.#records.get(interactionId);
    if (record !== undefined) this.#records.set(interactionId, { ...record, shownAt: at });
  }

  markReused({ interactionId }: Pick<Interaction, 'interactionId'>, at: number): void {
    const record = this.#records.get(interactionId);
    if (record !== undefined) this.#records.set(interactionId, { ...record, reusedAt: at });
  }

  acknowledge({ interactionId }: Pick<Interaction, 'interactionId'>, at: number): void {
    this.#unacknowledged.delete(interactionId);
    const record = this.#records.get(interactionId);
    if (record === undefined) return;
    const { deliveredAt = at } = record;
    this.#records.set(interactionId, { ...record, deliveredAt, acknowledgedAt: at });
  }

  async erase(info: SessionInfo): Promise<void> {
    this.#info = tombstoneOf(info);
    this.#log = [];
    this.#reportedSeq = 0;
    this.#records.clear();
    this.#reassigned.clear();
    this.#settled.clear();
    this.#unacknowledged.clear();
    this.#rules.clear();
    this.#keys.clear();
    this.files.clear();
    this.history.clear();
    this.heldInputs.clear();
    this.attachedFiles.clear();
    this.#run = null;
    this.#messages = [];
    this.#summaries = [];
  }
}

class MemoryHeldInputs implements ports.HeldInputs {
  readonly #parts = new Map<string, readonly string[]>();

  write(interactionId: string, text: string): void {
    this.#parts.set(interactionId, splitText(text));
  }

  part(interactionId: string, part: number): string | undefined {
    return this.#parts.get(interactionId)?.[part];
  }

  bytes(): number {
    return [...this.#parts.values()].flat().reduce((sum, text) => sum + countBytes(text), 0);
  }

  clear(): void {
    this.#parts.clear();
  }
}

/** An agent that has the decision keeps it. */
function mayBeUndone(stored: Interaction | undefined): boolean {
  if (stored?.status !== 'settled' || stored.undone !== undefined) return false;
  return (stored.deliveredAt ?? stored.acknowledgedAt ?? stored.shownAt) === undefined;
}

function isRequestOf(event: SessionEvent, interactionId: string): boolean {
  return event.type === 'interaction_request' && event.payload.interactionId === interactionId;
}

function recordStep({ interactionId }: Interaction): number {
  return parseInteractionId(interactionId)?.step ?? 0;
}

/** The files of one session in memory. */
class MemoryFiles implements SessionFiles {
  readonly #files = new Map<string, StoredFile>();

  write({ path, content }: FileChange, updatedAt: number): void {
    const size = countBytes(content);
    this.#files.set(path, { path, content, size, updatedAt });
  }

  read(path: string): StoredFile | undefined {
    return this.#files.get(path);
  }

  list(): FileEntry[] {
    const all = [...this.#files.values()].map(({ path, size, updatedAt }) => ({
      path,
      size,
      updatedAt,
    }));
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  clear(): void {
    this.#files.clear();
  }
}

/** The imported history of a session in memory. */
class MemoryHistory implements ports.HistoryRows {
  readonly #rows = new Map<number, readonly ports.HistoryRow[]>();

  list(cli: number): ports.HistoryRowHead[] {
    return (this.#rows.get(cli) ?? []).map(({ lines, ...head }) => ({
      ...head,
      bytes: countLineBytes(lines),
    }));
  }

  lines(cli: number, first: number): readonly string[] {
    return this.#rows.get(cli)?.find((row) => row.first === first)?.lines ?? [];
  }

  bytes(): number {
    return [...this.#rows.values()]
      .flat()
      .reduce((total, { lines }) => total + countLineBytes(lines), 0);
  }

  write({ cli, first, rows }: ports.HistoryChange): void {
    const kept = (this.#rows.get(cli) ?? []).filter((row) => row.first < first);
    this.#rows.set(cli, [...kept, ...rows]);
  }

  clear(): void {
    this.#rows.clear();
  }
}

function countLineBytes(lines: readonly string[]): number {
  return countBytes(lines.join('\n'));
}
