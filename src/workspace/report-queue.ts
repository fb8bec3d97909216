/**
 * Reports that arrive close together are applied in one task, which the platform writes as one commit: with many busy
 * sessions the commits of the workspace would follow one another without a pause, and everything else would wait behind
 * them.
 *
 * A report after a pause is applied at once. Each is applied by itself: one that fails does not stop the others.
 */
import type { Report, ReportReply } from '../core/report.ts';

/** A tenth of the pause before a report; no one sees the difference. */
export const JOIN_MS = 25;

interface ReportQueuePorts {
  readonly apply: (report: Report) => ReportReply;
  readonly later: (ms: number, work: () => void) => void;
}

interface WaitingReport {
  readonly report: Report;
  readonly resolve: (reply: ReportReply) => void;
  readonly reject: (cause: unknown) => void;
}

export class ReportQueue {
  readonly #ports: ReportQueuePorts;
  /** Null after a pause. */
  #waiting: WaitingReport[] | null = null;

  constructor(ports: ReportQueuePorts) {
    this.#ports = ports;
  }

  async receive(report: Report): Promise<ReportReply> {
    const waiting = this.#waiting;
    if (waiting !== null) {
      return new Promise((resolve, reject) => waiting.push({ report, resolve, reject }));
    }
    this.#collect();
    return this.#ports.apply(report);
  }

  #collect(): void {
    this.#waiting = [];
    this.#ports.later(JOIN_MS, () => this.#applyWaiting());
  }

  /** The replies leave with the commit of all. */
  #applyWaiting(): void {
    const reports = this.#waiting ?? [];
    this.#waiting = null;
    if (reports.length > 0) this.#collect();
    for (const { report, resolve, reject } of reports) {
      try {
        resolve(this.#ports.apply(report));
      } catch (cause) {
        reject(cause);
      }
    }
  }
}
