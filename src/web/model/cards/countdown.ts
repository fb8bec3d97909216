/**
 * The time left to answer, by the server's clock (UI-5).
 *
 * The announcement changes only at the thresholds; a screen reader that counts seconds is no help.
 */
import type { Interaction } from '../../../protocol/types.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../absolute-time.ts';
import { t, tn } from '../language.ts';

const WEEK_MS = 7 * DAY_MS;

const AMBER_MS = 2 * MINUTE_MS;
const RED_MS = MINUTE_MS;

export interface Countdown {
  readonly level: 'calm' | 'amber' | 'red' | 'parked';
  readonly text: string;
  /** For screen readers; an equal text is not announced again. */
  readonly announcement: string;
  /** When to compute the countdown again; null: never. */
  readonly nextMs: number | null;
  /** Time is short and can be extended. */
  readonly canExtend: boolean;
}

type Timed = Pick<Interaction, 'status' | 'expiresAt' | 'overdue' | 'extendedBy'>;

/** Undefined without a countdown: the interaction has ended, or has no deadline. */
export function countdownOf(record: Timed, now: number): Countdown | undefined {
  if (record.status !== 'open') return undefined;
  if (record.overdue === true) return parked();
  if (record.expiresAt === null) return undefined;
  const left = Math.max(0, record.expiresAt - now);
  const level = left <= RED_MS ? 'red' : left <= AMBER_MS ? 'amber' : 'calm';
  return {
    level,
    text: left === 0 ? t('Expired') : t('{time} left', { time: timeLeft(left) }),
    announcement: announcementOf(level),
    nextMs: left === 0 ? null : refreshStepOf(left),
    canExtend: level !== 'calm' && left > 0 && record.extendedBy === undefined,
  };
}

const parked = (): Countdown => ({
  level: 'parked',
  text: t('Overdue, still open'),
  announcement: '',
  nextMs: null,
  canExtend: false,
});

function announcementOf(level: 'calm' | 'amber' | 'red'): string {
  if (level === 'calm') return '';
  return level === 'amber' ? t('Two minutes left to answer') : t('One minute left to answer');
}

/** Two units, rounded to the smaller one; the last ten minutes in seconds. */
function timeLeft(ms: number): string {
  if (ms >= WEEK_MS) return tn(Math.round(ms / DAY_MS), '1 day', '{count} days');
  const hours = Math.round(ms / HOUR_MS);
  if (hours >= 24)
    return twoUnits(
      hours,
      24,
      (days) => tn(days, '1 day', '{count} days'),
      (rest) => t('{count} h', { count: rest }),
    );
  if (ms > 10 * MINUTE_MS)
    return twoUnits(
      Math.round(ms / MINUTE_MS),
      60,
      (count) => t('{count} h', { count }),
      (rest) => t('{count} min', { count: rest }),
    );
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function twoUnits(
  count: number,
  inLarger: number,
  larger: (count: number) => string,
  smaller: (count: number) => string,
): string {
  const whole = Math.floor(count / inLarger);
  const rest = count % inLarger;
  const parts = [whole > 0 && larger(whole), rest > 0 && smaller(rest)];
  return parts.filter(Boolean).join(' ');
}

function refreshStepOf(ms: number): number {
  return ms > 11 * MINUTE_MS ? 30 * SECOND_MS : SECOND_MS;
}
