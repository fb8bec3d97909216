/**
 * How long there is to answer, by the server's clock (UI-5).
 *
 * What is said aloud changes at the thresholds alone; a voice that counts seconds is no help.
 */
import type { Interaction } from '../../../client/words.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const AMBER_MS = 2 * MINUTE;
const RED_MS = MINUTE;

export interface Countdown {
  readonly level: 'calm' | 'amber' | 'red' | 'parked';
  readonly text: string;
  /** For those who hear the page; the same text is not said twice. */
  readonly said: string;
  /** When to look again, if ever. */
  readonly nextMs: number | null;
  /** Time is short, and more can be had. */
  readonly canExtend: boolean;
}

type Timed = Pick<Interaction, 'status' | 'expiresAt' | 'overdue' | 'extendedBy'>;

/** Undefined when there is nothing to count: it is over, or it waits for ever. */
export function countdownOf(record: Timed, now: number): Countdown | undefined {
  if (record.status !== 'open') return undefined;
  if (record.overdue === true) return PARKED;
  if (record.expiresAt === null) return undefined;
  const left = Math.max(0, record.expiresAt - now);
  const level = left <= RED_MS ? 'red' : left <= AMBER_MS ? 'amber' : 'calm';
  return {
    level,
    text: left === 0 ? 'Time is up' : `${timeLeft(left)} left`,
    said: SAID[level],
    nextMs: left === 0 ? null : stepOf(left),
    canExtend: level !== 'calm' && left > 0 && record.extendedBy === undefined,
  };
}

const PARKED: Countdown = {
  level: 'parked',
  text: 'Overdue, still open',
  said: '',
  nextMs: null,
  canExtend: false,
};

const SAID = {
  calm: '',
  amber: 'Two minutes left to answer',
  red: 'One minute left to answer',
} as const;

/** Rounded up, so that "1 minute" is never more than what is left to think. */
function timeLeft(ms: number): string {
  if (ms > 2 * DAY) return `${Math.floor(ms / DAY)} days`;
  if (ms > 2 * HOUR) return `${Math.floor(ms / HOUR)} hours`;
  if (ms > 10 * MINUTE) return `${Math.floor(ms / MINUTE)} min`;
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function stepOf(ms: number): number {
  return ms > 11 * MINUTE ? 30 * SECOND : SECOND;
}
