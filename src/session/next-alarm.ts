/**
 * When the one alarm of a session is due: the earliest of everything that must happen by itself.
 *
 * Pure. The alarm is a nudge, never the rule: what it is late for is ended by whoever looks at the session next.
 */

/**
 * A session that died before it told the workspace is woken after so long, if nothing else would: or
 * the inbox would go on showing what was settled, and hiding what has no deadline.
 */
const TELL_BY_MS = 60_000;
/** An alarm this far in the past will not fire any more, whatever the platform says of it. */
const ALARM_LOST_AFTER_MS = 120_000;
/**
 * While a turn is at work, the alarm comes so often: it takes the turn up again if its process died, and keeps a
 * process alive that would be put to sleep after ten seconds without a request.
 */
const LEASE_MS = 5_000;

export interface Timetable {
  readonly now: number;
  readonly armedAt: number | null;
  /** Of deadlines, timeouts, and the pause before the model is asked again. */
  readonly dueAt: number | null;
  /** Before this, what is due could not be written, and an alarm for it would do nothing but fail. */
  readonly stuckUntil: number;
  /** Of telling the workspace. */
  readonly retryAt: number | null;
  readonly isAtWork: boolean;
  /** It was at work until now, and the alarm may be for that alone: it would wake a session that waits for a person. */
  readonly leavesWork: boolean;
  /** The workspace has not heard of something, and nobody is about to tell it. */
  readonly mustTell: boolean;
}

/** Undefined: it is as it should be. */
export function nextAlarm(timetable: Timetable): number | undefined {
  const { now, armedAt, dueAt, stuckUntil, retryAt, isAtWork, leavesWork, mustTell } = timetable;
  const times = [dueAt === null ? null : Math.max(dueAt, stuckUntil), retryAt].filter(
    (at) => at !== null,
  );
  if (isAtWork) times.push(now + LEASE_MS);
  if (times.length === 0 && armedAt === null && mustTell) times.push(now + TELL_BY_MS);
  if (times.length === 0) return undefined;
  const next = Math.max(Math.min(...times), now + 1);
  const isLost = armedAt === null || armedAt < now - ALARM_LOST_AFTER_MS;
  return isLost || next < armedAt || (leavesWork && next > armedAt) ? next : undefined;
}
