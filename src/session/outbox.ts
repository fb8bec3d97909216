/**
 * Tells the workspace what the log says, from where it last confirmed.
 *
 * The log itself is the outbox: `told` is a cursor into it, so what must be told is written in the
 * same transaction as what happened, and a crash between the two cannot lose it. Confirming costs
 * no write; the cursor is stored with the next log row, and after waking the last stretch may be
 * told twice, which the workspace notices by its own head.
 *
 * The workspace can know of this session only what it was told by it. If it knows more, or knows the
 * session by another name, the file was exchanged for an older copy while nobody looked: the session
 * takes a new name and tells everything from the beginning.
 */
import { type AnotherLog, type Report, reportOf, type Teller } from '../core/report.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { SessionStore } from './ports.ts';

/** Long enough to send an open and its quick answer as one, short enough to feel immediate. */
const REPORT_AFTER_MS = 250;
const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 300_000;

/** Beyond so many lost answers one that was heard is taken for another log, and all is told anew. */
const MAX_LOST = 100;

export type KnownToWorkspace = Pick<Teller, 'mayKnow' | 'orKnows'>;

export interface OutboxPorts {
  /** What is to be told after `told`, or undefined when there is nothing. */
  readonly nextReport: (reportedSeq: number, known: KnownToWorkspace) => Report | undefined;
  readonly send: (report: Report) => Promise<number | AnotherLog>;
  /** The file was exchanged. Takes a new name for it; throws when that cannot be written. */
  readonly startOver: (known: AnotherLog) => void;
  /** Called when everything has been told. */
  readonly onReported: () => void;
  readonly onFailure: (retryAt: number) => void;
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
  readonly warn: (message: string, evidence: unknown) => void;
}

export class Outbox {
  readonly #ports: OutboxPorts;
  #reportedSeq: number;
  /** How far the workspace can have heard: the log as it was found, and what was confirmed since. */
  #mayKnow: number;
  #orKnows: readonly number[] = [];
  #failures = 0;
  #retryAt: number | null = null;
  #scheduled = false;
  #reporting: Promise<void> | null = null;

  constructor({ reportedSeq, head }: { reportedSeq: number; head: number }, ports: OutboxPorts) {
    this.#reportedSeq = reportedSeq;
    this.#mayKnow = head;
    this.#ports = ports;
  }

  get reportedSeq(): number {
    return this.#reportedSeq;
  }

  /** When to try again after a failure; one of the session's deadlines. Null during the attempt. */
  get retryAt(): number | null {
    return this.#retryAt;
  }

  reportSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#ports.later(REPORT_AFTER_MS, () => {
      this.#scheduled = false;
      void this.reportNow();
    });
  }

  /** Resolves when everything up to the present head was told, or one attempt has failed. */
  reportNow(): Promise<void> {
    this.#reporting ??= this.#reportAll().finally(() => {
      this.#reporting = null;
    });
    return this.#reporting;
  }

  /** Resolves when the log is told that far, or the workspace could not be told. */
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
      for (;;) {
        const known = { mayKnow: this.#mayKnow, orKnows: this.#orKnows };
        const report = this.#ports.nextReport(this.#reportedSeq, known);
        if (report === undefined) break;
        this.#orKnows = [...this.#orKnows, report.head].slice(-MAX_LOST);
        const confirmed = await this.#ports.send(report);
        if (typeof confirmed !== 'number') {
          this.#startOver(report, confirmed);
          continue;
        }
        if (confirmed === report.after) throw new Error('The workspace took nothing of the report');
        this.#reportedSeq = confirmed;
        this.#mayKnow = Math.max(this.#mayKnow, confirmed);
        this.#orKnows = [];
        this.#failures = 0;
      }
      this.#ports.onReported();
    } catch (cause) {
      this.#failures += 1;
      const wait = Math.min(RETRY_MIN_MS * 2 ** (this.#failures - 1), RETRY_MAX_MS);
      this.#retryAt = this.#ports.now() + wait;
      this.#ports.warn('The workspace could not be told; it will be tried again', cause);
      this.#ports.onFailure(this.#retryAt);
    }
  }

  #startOver(report: Report, known: AnotherLog): void {
    if (report.replaces !== undefined) throw new Error('The workspace did not drop what it knew');
    this.#ports.startOver(known);
    this.#reportedSeq = 0;
    this.#orKnows = [];
  }
}

/**
 * What a report says of its events is never larger than they are, so this bounds it, beside the requests of what is open:
 * a session that could not report for a day does it in many calls, and the workspace serves others in between.
 */
const REPORT_FIT = { maxEvents: 1_000, maxBytes: 1024 * 1024 };

export function readReportAfter(
  store: SessionStore,
  state: SessionState | null,
  reportedSeq: number,
  teller: Teller,
): Report | undefined {
  if (state === null || reportedSeq >= state.head) return undefined;
  const chunk = store.readLog(reportedSeq, REPORT_FIT);
  if (chunk === undefined) return undefined;
  const events = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
  return { ...reportOf(state, reportedSeq, events, teller), head: chunk.lastSeq };
}
