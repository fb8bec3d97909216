/**
 * Reports the log to the workspace, from the `seq` that the workspace last confirmed.
 *
 * The log itself is the outbox and `reportedSeq` a cursor into it, so a crash between a commit and its report loses
 * nothing. A confirmation costs no write: the cursor is stored with the next log row. After waking, a session may
 * report its last stretch again, and the workspace recognizes it by its own head.
 *
 * What asks people, and what the list of sessions shows, is reported a moment later. The rest waits up to a second for the
 * next question, to go with it: an agent that asks again and again then costs the workspace one commit a question in place
 * of two. It does not wait while someone follows the inbox, which the workspace says in its reply to a report.
 *
 * The workspace knows a session only from its reports. If it knows more than the log has, or knows the session by
 * another incarnation, then an older copy has replaced the file: the session takes a new name and reports everything
 * from the beginning.
 */
import {
  buildReport,
  type LogConflict,
  type Report,
  type ReportReply,
  type ReportSource,
} from '../core/report.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { SessionStore, SessionPorts } from './ports.ts';
import { UnreportedLog, type WrittenEvents } from './unreported-log.ts';

/** Long enough to send an open and its quick answer as one, short enough to feel immediate. */
const REPORT_AFTER_MS = 250;
/** Settlements leave inboxes and cards of targets this much later, at most. */
export const REPORT_REST_AFTER_MS = 1_000;
const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 300_000;

/** After more unconfirmed reports than this, an unexpected head counts as another log, and the session starts over. */
const MAX_LOST = 100;

type KnownToWorkspace = Pick<ReportSource, 'reportedAtMost' | 'unconfirmedHeads'>;

export interface OutboxPorts {
  /** Of the log as it is now. */
  readonly head: () => number;
  /** The next stretch after `reportedSeq`; undefined when there is none. `written` is that stretch, if it is in memory. */
  readonly nextReport: (
    reportedSeq: number,
    known: KnownToWorkspace,
    written: readonly SessionEvent[] | undefined,
  ) => Report | undefined;
  readonly send: (report: Report) => Promise<ReportReply>;
  /** Gives a replaced file a new name. Throws if the name cannot be written. */
  readonly startOver: (known: LogConflict) => void;
  /** Called when the workspace has the whole log. */
  readonly onReported: () => void;
  readonly onFailure: (retryAt: number) => void;
  readonly now: () => number;
  readonly later: SessionPorts['later'];
  readonly warn: (message: string, evidence: unknown) => void;
}

interface NextStretch {
  readonly isUrgent: boolean;
  readonly written?: WrittenEvents;
}

export class Outbox {
  readonly #ports: OutboxPorts;
  #reportedSeq: number;
  /** The highest head that the workspace can have: the log's at waking, or a later confirmed one. */
  #reportedAtMost: number;
  #unconfirmedHeads: readonly number[] = [];
  #failures = 0;
  #retryAt: number | null = null;
  /** The next report, while a timer runs for it. */
  #due: { readonly at: number; readonly cancel: () => void } | undefined;
  /** What the report under way has to reach. */
  #upTo = 0;
  /** Of the workspace, as it replied last: someone follows its inbox. */
  #isWatched = false;
  #reporting: Promise<void> | null = null;
  readonly #unreported = new UnreportedLog();

  constructor(reportedSeq: number, ports: OutboxPorts) {
    this.#reportedSeq = reportedSeq;
    this.#reportedAtMost = ports.head();
    this.#ports = ports;
  }

  get reportedSeq(): number {
    return this.#reportedSeq;
  }

  /** The time of the next attempt after a failure, for the alarm. Null during an attempt. */
  get retryAt(): number | null {
    return this.#retryAt;
  }

  /** `written` is what the log has more by now; without it, the report reads the log. */
  reportSoon({ isUrgent, written }: NextStretch): void {
    if (written !== undefined) this.#unreported.add(written);
    const ms = isUrgent || this.#isWatched ? REPORT_AFTER_MS : REPORT_REST_AFTER_MS;
    const at = this.#ports.now() + ms;
    if (this.#due !== undefined && this.#due.at <= at) return;
    this.#due?.cancel();
    const cancel = this.#ports.later(ms, () => {
      this.#due = undefined;
      void this.reportNow();
    });
    this.#due = { at, cancel };
  }

  /** Resolves when the workspace has everything up to the present head, or one attempt has failed. */
  reportNow(): Promise<void> {
    this.#upTo = this.#ports.head();
    if (this.#reporting !== null) return this.#reporting;
    this.#due?.cancel();
    this.#due = undefined;
    this.#reporting = this.#report();
    return this.#reporting;
  }

  async #report(): Promise<void> {
    try {
      await this.#reportAll();
    } finally {
      this.#reporting = null;
    }
    // Called in the moment in which the report ended; after a failure, the alarm comes.
    if (this.#reportedSeq < this.#upTo && this.#retryAt === null) await this.reportNow();
  }

  /** Resolves when the workspace has the log up to `head`, or one attempt has failed. */
  async waitFor(head: number): Promise<void> {
    while (this.#reportedSeq < head) {
      const before = this.#failures;
      await this.reportNow();
      if (this.#failures > before) return;
    }
  }

  async #reportAll(): Promise<void> {
    this.#retryAt = null;
    try {
      // What is written meanwhile has a timer of its own: a session that never rests would report without a pause.
      while (this.#reportedSeq < this.#upTo) {
        const known = {
          reportedAtMost: this.#reportedAtMost,
          unconfirmedHeads: this.#unconfirmedHeads,
        };
        const written = this.#unreported.after(this.#reportedSeq);
        const report = this.#ports.nextReport(this.#reportedSeq, known, written);
        if (report === undefined) {
          this.#upTo = this.#reportedSeq;
          break;
        }
        this.#unconfirmedHeads = [...this.#unconfirmedHeads, report.head].slice(-MAX_LOST);
        const reply = await this.#ports.send(report);
        if (typeof reply !== 'number' && 'incarnation' in reply) {
          this.#startOver(report, reply);
          continue;
        }
        this.#isWatched = typeof reply !== 'number';
        const confirmed = typeof reply === 'number' ? reply : reply.head;
        if (confirmed === report.after)
          throw new Error('The workspace accepted nothing of the report');
        this.#reportedSeq = confirmed;
        this.#reportedAtMost = Math.max(this.#reportedAtMost, confirmed);
        this.#unconfirmedHeads = [];
        this.#failures = 0;
      }
      if (this.#reportedSeq >= this.#ports.head()) this.#ports.onReported();
    } catch (cause) {
      this.#failures += 1;
      const wait = Math.min(RETRY_MIN_MS * 2 ** (this.#failures - 1), RETRY_MAX_MS);
      this.#retryAt = this.#ports.now() + wait;
      this.#ports.warn('A report to the workspace failed; it will be sent again', cause);
      this.#ports.onFailure(this.#retryAt);
    }
  }

  #startOver(report: Report, known: LogConflict): void {
    if (report.replaces !== undefined)
      throw new Error('The workspace did not drop the log that this one replaces');
    this.#ports.startOver(known);
    this.#reportedSeq = 0;
    this.#unconfirmedHeads = [];
  }
}

/**
 * Bounds a report: what it holds of its events is never larger than the events, apart from the requests of open
 * interactions. After a day without the workspace a session sends many reports, and the workspace serves others
 * between.
 */
const REPORT_FIT = { maxEvents: 1_000, maxBytes: 1024 * 1024 };

export function readReportAfter(
  store: SessionStore,
  state: SessionState | null,
  reportedSeq: number,
  source: ReportSource,
  written?: readonly SessionEvent[],
): Report | undefined {
  if (state === null || reportedSeq >= state.head) return undefined;
  const events = written ?? readEventsAfter(store, reportedSeq);
  const last = events.at(-1);
  if (last === undefined) return undefined;
  return { ...buildReport(state, reportedSeq, events, source), head: last.seq };
}

function readEventsAfter(store: SessionStore, seq: number): readonly SessionEvent[] {
  const { json = '' } = store.readLog(seq, REPORT_FIT) ?? {};
  return JSON.parse(`[${json}]`) as SessionEvent[];
}

/**
 * The name under which the file of a session reports. A file gets a random name with the first commit, and another one
 * when it turns out to be an older copy, or a new file under a known session id.
 */
export class Incarnation {
  readonly #ports: SessionPorts;
  #name: string;
  /** The name that the workspace must drop in favor of this one. */
  #replaces: string | undefined;

  constructor(name: string, ports: SessionPorts) {
    this.#name = name;
    this.#ports = ports;
  }

  /** Takes the name that the first commit has stored. */
  begin(name: string): void {
    this.#name = name;
  }

  reporter(known: KnownToWorkspace): ReportSource {
    const replaces = this.#replaces;
    return { incarnation: this.#name, ...known, ...(replaces !== undefined && { replaces }) };
  }

  async send(report: Report): Promise<ReportReply> {
    const reply = await this.#ports.workspace.report(report);
    if (typeof reply === 'number' || 'isWatched' in reply) this.#replaces = undefined;
    return reply;
  }

  /** Throws if the new name cannot be written. */
  startOver(known: LogConflict): void {
    const { store, freshId, now } = this.#ports;
    const incarnation = freshId();
    const nothing = { events: [], eventsJson: '', records: [], rulesAdded: [], rulesRevoked: [] };
    store.commit({ ...nothing, now: now(), reportedSeq: 0, incarnation });
    this.#name = incarnation;
    this.#replaces = known.incarnation;
  }
}
