/**
 * Named deadlines over the one alarm of a session.
 *
 * The alarm is a nudge, never the rule: the next caller that looks at the session ends what the alarm is late for. Each
 * move of the alarm is a write, so it moves to an earlier time alone, and to a later one only when a lease is over:
 * left where it is, it would wake a session that waits for a person.
 */
import { isActiveRun, nextToolTimeout, type Run } from '../agent/run/run.ts';
import { isDue, nextDeadline } from '../core/deadlines.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionAlarm } from './ports.ts';

/**
 * `deadline`: something in the session is due. `retry`: the workspace could not be reached. `lease`: a turn is at work.
 * `report`: the workspace does not know of records that changed. `files`: an attached file that nothing names is a day old.
 * `erasure`: the session is deleted, and its text is still there.
 */
export type DeadlineName = 'deadline' | 'retry' | 'lease' | 'report' | 'files' | 'erasure';

/**
 * The interval of the alarm while a turn works. It resumes the turn if its process died, and keeps the object in
 * memory, which the platform would evict after ten seconds without a request.
 */
export const LEASE_MS = 5_000;
/**
 * Wakes a session that died before its report, if nothing else would. Without it the inbox would keep a settled
 * interaction, and miss an open one that has no deadline. Almost every session has reported long before, and its wake
 * does nothing: after a minute, the wakes of sessions took as much time as the sessions made beside them.
 */
export const REPORT_WITHIN_MS = 600_000;
/** Wakes a session that died between its deletion and its erasure: no caller looks at it again. */
export const ERASE_WITHIN_MS = 5_000;
/** The pause before a failed write of what is due is tried again; an immediate try would fail the same way. */
const DUE_RETRY_MS = 2_000;
/** An alarm this far in the past never fires, whatever the platform says. */
const LOST_AFTER_MS = 120_000;

export class AlarmSchedule {
  readonly #alarm: SessionAlarm;
  readonly #now: () => number;
  readonly #at: Record<DeadlineName, number | null> = {
    deadline: null,
    retry: null,
    lease: null,
    report: null,
    files: null,
    erasure: null,
  };
  #writeAgainAt = 0;
  /** The alarm may stand for an ended lease. It stays until the report: after a crash nothing else would send that. */
  #hasLease = false;
  #isFiring = false;

  constructor({ alarm, now }: { readonly alarm: SessionAlarm; readonly now: () => number }) {
    this.#alarm = alarm;
    this.#now = now;
  }

  set(name: DeadlineName, at: number | null): void {
    this.#at[name] = at;
  }

  /** Records whether the end of what was due could be written. */
  noteWrite(isWritten: boolean): void {
    this.#writeAgainAt = isWritten ? 0 : this.#now() + DUE_RETRY_MS;
  }

  /**
   * Runs the work of a fired alarm. Its last step is the report; if the process dies before, the platform fires again.
   */
  async fire(work: () => Promise<void>): Promise<void> {
    this.#isFiring = true;
    try {
      await work();
    } finally {
      this.#isFiring = false;
    }
  }

  /** Moves the alarm if it is not where it should be. */
  arm(): void {
    const now = this.#now();
    const { armedAt } = this.#alarm;
    const mayBeLater = this.#endLease();
    const next = this.#earliest();
    if (next === null) return;
    const at = Math.max(next, now + 1);
    const isLost = armedAt === null || armedAt < now - LOST_AFTER_MS;
    if (isLost || at < armedAt || (mayBeLater && at > armedAt)) this.#alarm.arm(at);
  }

  #earliest(): number | null {
    const { deadline, retry, lease, report, files, erasure } = this.#at;
    const due = deadline === null ? null : Math.max(deadline, this.#writeAgainAt);
    const times = [due, retry, lease, erasure].filter((at) => at !== null);
    const wanted = times.length > 0 ? times : [this.#reportBefore(report, files)];
    const next = [...wanted, files].filter((at) => at !== null);
    return next.length === 0 ? null : Math.min(...next);
  }

  /** Only where no alarm is set, or one that only looks after files: that one may be a day away. */
  #reportBefore(report: number | null, files: number | null): number | null {
    const { armedAt } = this.#alarm;
    const isFree = armedAt === null || (files !== null && armedAt >= files);
    return isFree && !this.#isFiring ? report : null;
  }

  /** True once, when the alarm no longer stands for a lease. */
  #endLease(): boolean {
    const { lease, report } = this.#at;
    const hadLease = this.#hasLease;
    this.#hasLease = lease !== null || (hadLease && report !== null);
    return hadLease && !this.#hasLease;
  }
}

/** The earliest time at which something in the session is due; null if nothing is. */
export function nextDue(state: SessionState | null, run: Run | null): number | null {
  const due = [
    nextDeadline(state),
    nextToolTimeout(run),
    isActiveRun(run) ? run.retryAt : null,
  ].filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

/** Whether a command must first end something. A model that may be called again ends nothing. */
export function isOverdue(state: SessionState | null, run: Run | null, now: number): boolean {
  const timeout = nextToolTimeout(run);
  const isLate = timeout !== null && timeout <= now;
  return state !== null && (isLate || isDue(state, now));
}
