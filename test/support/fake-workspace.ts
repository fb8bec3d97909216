/** A workspace that receives the reports of one session, and detects old reports and gaps by their head. */
import type { Report, ReportReply } from '../../src/core/report.ts';
import type { Announcement } from '../../src/protocol/schema/announcement.ts';
import type { AuditEntry, InboxEntry } from '../../src/protocol/schema/workspace.ts';
import type { ReportReceiver } from '../../src/session/ports.ts';

export class FakeWorkspace implements ReportReceiver {
  /** The last reported `seq`; a test may set it back. */
  head = 0;
  deletedAt: number | null = null;
  readonly open = new Map<string, InboxEntry>();
  readonly audit: AuditEntry[] = [];
  /** Each announcement once, however often it was reported. */
  readonly announced: Announcement[] = [];
  /** Every received report, including useless ones. */
  readonly reports: Report[] = [];
  isDown = false;
  /** Someone follows the inbox. */
  isWatched = false;
  /** How many reports are in progress now, and the maximum so far. */
  reporting = 0;
  mostAtOnce = 0;
  readonly #trace: string[];
  #isHeld = false;
  #held: (() => void)[] = [];

  constructor(trace: string[] = []) {
    this.#trace = trace;
  }

  async report(report: Report): Promise<ReportReply> {
    this.#trace.push('tell');
    this.reporting += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.reporting);
    try {
      if (this.#isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
      if (this.isDown) throw new Error('The workspace is out of reach');
      const head = this.#apply(structuredClone(report));
      return this.isWatched ? { head, isWatched: true } : head;
    } finally {
      this.reporting -= 1;
    }
  }

  /** Reports arrive, but are not answered before `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  #apply(report: Report): number {
    this.reports.push(report);
    if (report.head <= this.head || report.after > this.head) return this.head;
    for (const id of report.closed) this.open.delete(id);
    for (const entry of report.open) this.open.set(entry.interactionId, entry);
    this.audit.push(...report.audit);
    this.announced.push(...report.announcements.filter(({ seq }) => seq > this.head));
    this.deletedAt ??= report.deletedAt;
    this.head = report.head;
    return this.head;
  }
}
