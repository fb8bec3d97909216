/**
 * Named deadlines over the one alarm of a session.
 *
 * The alarm is a nudge, never the rule: the next caller that looks at the session ends what the alarm is late for. Each
 * move of the alarm is a write, so it moves to an earlier time alone, and to a later one only when a lease is over: left
 * where it is, it would wake a session that waits for a person.
 */
import type { SessionAlarm } from './ports.ts';

/**
 * `deadline`: something in the session is due. `retry`: the workspace could not be reached. `lease`: a turn is at work.
 * `report`: the workspace does not know of records that changed.
 */
export type DeadlineName = 'deadline' | 'retry' | 'lease' | 'report';

/**
 * While a turn is at work the alarm comes so often: it takes the turn up again if its process died, and keeps a process
 * alive that would be put to sleep after ten seconds without a request.
 */
export const LEASE_MS = 5_000;
/**
 * A session that died before its report is woken after so long, if nothing else would wake it: or the inbox would go on
 * showing what was settled, and hiding what has no deadline.
 */
export const REPORT_WITHIN_MS = 60_000;
/** What is due and could not be written is tried again after so long; tried at once, it would do nothing but fail. */
const DUE_RETRY_MS = 2_000;
/** An alarm this far in the past will not fire any more, whatever the platform says of it. */
const LOST_AFTER_MS = 120_000;

export class AlarmSchedule {
  readonly #alarm: SessionAlarm;
  readonly #now: () => number;
  readonly #at: Record<DeadlineName, number | null> = {
    deadline: null,
    retry: null,
    lease: null,
    report: null,
  };
  #writeAgainAt = 0;
  /** The alarm may be set for a lease that is over. It stays until the report, or a crash would leave that to chance. */
  #hasLease = false;
  #isFiring = false;

  constructor({ alarm, now }: { readonly alarm: SessionAlarm; readonly now: () => number }) {
    this.#alarm = alarm;
    this.#now = now;
  }

  set(name: DeadlineName, at: number | null): void {
    this.#at[name] = at;
  }

  /** Whether what was due could be written. */
  noteWrite(isWritten: boolean): void {
    this.#writeAgainAt = isWritten ? 0 : this.#now() + DUE_RETRY_MS;
  }

  /** Runs what the alarm went off for. It reports last, and the platform runs it again if it dies before. */
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
    const { deadline, retry, lease, report } = this.#at;
    const due = deadline === null ? null : Math.max(deadline, this.#writeAgainAt);
    const times = [due, retry, lease].filter((at) => at !== null);
    if (times.length > 0) return Math.min(...times);
    return this.#alarm.armedAt === null && !this.#isFiring ? report : null;
  }

  /** True at the moment when the alarm need not stand for a lease any longer. */
  #endLease(): boolean {
    const { lease, report } = this.#at;
    const hadLease = this.#hasLease;
    this.#hasLease = lease !== null || (hadLease && report !== null);
    return hadLease && !this.#hasLease;
  }
}
