/**
 * Until when quiet hours last. They follow the wall clock of the person, also on the days on which clocks change.
 *
 * A time that a change of the clocks skips counts as the moment of the change; of a time that comes twice, the first one
 * after `at` counts. Without a special case for the days of change, a reminder would come an hour early or late.
 */
import type { Announcement } from '../../protocol/schema/announcement.ts';
import { isTimeZone, type QuietHours } from '../../protocol/schema/quiet-hours.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;

/** When quiet hours that last at this time end; null outside of them. */
export function quietUntil({ from, to, timeZone }: QuietHours, at: number): number | null {
  // A zone that a later platform has dropped must not stop the deliveries of its person.
  if (!isTimeZone(timeZone)) return null;
  const wallClock = makeWallClock(timeZone);
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const wall = wallClock(minute);
  const ofDay = (wall / MINUTE) % DAY_MINUTES;
  const [begin, end] = [minuteOfDay(from), minuteOfDay(to)];
  const isQuiet = begin < end ? begin <= ofDay && ofDay < end : begin <= ofDay || ofDay < end;
  if (!isQuiet) return null;
  const left = (end - ofDay + DAY_MINUTES) % DAY_MINUTES;
  return findInstant(wallClock, minute, wall + left * MINUTE);
}

/**
 * Until when this announcement waits for the person of a target; null: it is sent now. Only a reminder waits, and none
 * whose request would have ended by then. Without `expiresAt` the request has settled, and what says so ends the reminder.
 */
export function heldUntil(
  hours: QuietHours | undefined,
  announcement: Announcement,
  now: number,
): number | null {
  if (hours === undefined || announcement.type !== 'interaction.reminder') return null;
  const until = quietUntil(hours, now);
  const { expiresAt = null } = announcement;
  return until !== null && expiresAt !== null && expiresAt <= until ? null : until;
}

/** The first time after `after` at which the wall shows `wanted`, or at which clocks leave it out. */
function findInstant(wallClock: WallClock, after: number, wanted: number): number {
  const first = wanted - (wallClock(after) - after);
  const second = wanted - (wallClock(first) - first);
  const shown = [first, second].filter((at) => at > after && wallClock(at) === wanted);
  return shown.length > 0 ? Math.min(...shown) : findChange(wallClock, after, first);
}

/** The minute between the two at which the clocks change. */
function findChange(wallClock: WallClock, before: number, behind: number): number {
  const offset = wallClock(before) - before;
  let [low, high] = [before / MINUTE, behind / MINUTE];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallClock(middle * MINUTE) - middle * MINUTE === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE;
}

/** What the wall of the zone shows at a time, as the time at which a wall of UTC shows the same. */
type WallClock = (at: number) => number;

function makeWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
  };
}

function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
