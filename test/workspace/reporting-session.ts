/** The log of a session, reduced to the interaction of each event, and its reports. */
import type { Report, ReportSource } from '../../src/core/report.ts';
import type { Announcement } from '../../src/protocol/schema/announcement.ts';
import type { AuditEntry, InboxEntry } from '../../src/protocol/schema/workspace.ts';

interface LogEntry {
  readonly about?: string;
  readonly audit?: AuditEntry;
  readonly announcement?: Announcement;
}

export class ReportingSession {
  readonly id: string;
  readonly open = new Map<string, InboxEntry>();
  title: string | null = null;
  archived = false;
  about: Report['about'];
  readonly #createdAt: number;
  #deletedAt: number | null = null;
  readonly #log: LogEntry[] = [];

  constructor(id: string, createdAt = 1_700_000_000_000) {
    this.id = id;
    this.#createdAt = createdAt;
    this.#log.push({});
  }

  get head(): number {
    return this.#log.length;
  }

  ask(interactionId: string, expiresAt: number | null, more: Partial<InboxEntry> = {}): this {
    const entry: InboxEntry = {
      sessionId: this.id,
      sessionTitle: this.title,
      interactionId,
      toolCallId: toolCallOf(interactionId),
      toolName: 'bash',
      kind: 'approval',
      presentation: 'tool',
      request: { input: { command: 'ls' } },
      inputDigest: 'digest',
      openedAt: this.#createdAt,
      openedBy: { credential: `key of ${this.id}`, subject: 'agent' },
      expiresAt,
      ...more,
    };
    this.open.set(interactionId, entry);
    const {
      sessionId: _session,
      sessionTitle: _title,
      openedAt: at,
      overdue: _due,
      ...asked
    } = entry;
    const openedBy = { credential: 'key_1', subject: 'agent' };
    this.#log.push({
      about: interactionId,
      announcement: { type: 'interaction.requested', seq: this.head + 1, at, ...asked, openedBy },
    });
    return this;
  }

  /** Changes an open interaction: more time, overdue, a step. */
  change(interactionId: string, change: Partial<InboxEntry>): this {
    const entry = this.open.get(interactionId);
    if (entry === undefined) throw new Error(`${interactionId} is not open`);
    this.open.set(interactionId, { ...entry, ...change });
    this.#log.push({ about: interactionId });
    return this;
  }

  settle(interactionId: string, how: Partial<AuditEntry> = {}): this {
    const entry = this.open.get(interactionId);
    if (entry === undefined) throw new Error(`${interactionId} is not open`);
    this.open.delete(interactionId);
    const audit: AuditEntry = {
      at: this.#createdAt + this.head,
      sessionId: this.id,
      seq: this.head + 1,
      what: 'interaction',
      subject: 'ada',
      via: 'web',
      interactionId,
      toolName: 'bash',
      kind: 'approval',
      outcome: 'approved',
      digest: 'digest',
      ...how,
    };
    const { at, seq, subject, via, toolName = '', kind = '', outcome = 'approved' } = audit;
    const about = { seq, at, interactionId, toolCallId: toolCallOf(interactionId), toolName, kind };
    const announcement: Announcement = {
      type: 'interaction.resolved',
      ...about,
      outcome,
      settledBy: { subject, via },
      inputDigest: 'digest',
      ...(entry.audience !== undefined && { audience: entry.audience }),
    };
    this.#log.push({ about: interactionId, audit, announcement });
    return this;
  }

  /** Appends an event that does not concern the inbox. */
  appendOther(): this {
    this.#log.push({});
    return this;
  }

  rename(title: string): this {
    this.title = title;
    return this.appendOther();
  }

  /** Cancels open interactions first, as a session does. */
  remove(at: number): this {
    for (const id of this.open.keys()) this.settle(id, { outcome: 'cancelled', via: 'system' });
    this.#deletedAt = at;
    return this.appendOther();
  }

  report(after = 0, head = this.head, teller: Partial<ReportSource> = {}): Report {
    const entries = this.#log.slice(after, head);
    const touched = new Set(entries.map((entry) => entry.about).filter((id) => id !== undefined));
    return {
      incarnation: 'file',
      reportedAtMost: this.head,
      unconfirmedHeads: [],
      ...teller,
      workspace: 'main',
      sessionId: this.id,
      after,
      head,
      title: this.title,
      ...(this.archived && { archived: true as const }),
      ...(this.about !== undefined && { about: this.about }),
      createdAt: this.#createdAt,
      deletedAt: this.#deletedAt,
      open: [...touched].flatMap((id) => this.open.get(id) ?? []),
      closed: [...touched].filter((id) => !this.open.has(id)),
      audit: entries.map((entry) => entry.audit).filter((entry) => entry !== undefined),
      announcements: entries.flatMap((entry) => entry.announcement ?? []),
    };
  }
}

function toolCallOf(interactionId: string): string {
  return interactionId.slice(0, interactionId.lastIndexOf('~'));
}
