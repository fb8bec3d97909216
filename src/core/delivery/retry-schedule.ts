/** When a delivery is tried again, when it is given up, and when its target is. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The delays between eight attempts: a receiver that restarts is back soon, one that is broken is left alone. */
const DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  300 * SECOND,
  1_800 * SECOND,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
];
const LONGEST_MS = 10 * HOUR;
/** Half of it above and half below the delay: after an outage the repeats do not come all at once. */
const JITTER = 0.5;

/** After this many failures a delivery holds up the later ones of its session no more. */
export const ATTEMPTS_IN_ORDER = 2;
/** After so long without a success a target is disabled. */
const GIVE_UP_MS = 72 * HOUR;

/** Null: there is no other attempt, and the delivery is dead. `attempts` counts those that failed. */
export function nextAttemptAt(
  attempts: number,
  { now, chance, retryAfterMs = 0 }: { now: number; chance: number; retryAfterMs?: number },
): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const spread = delay * (1 - JITTER / 2 + JITTER * chance);
  return now + Math.round(Math.min(Math.max(spread, retryAfterMs), LONGEST_MS * (1 + JITTER / 2)));
}

export function isGivenUp(failingSince: number, now: number): boolean {
  return now - failingSince >= GIVE_UP_MS;
}

/** Milliseconds to wait, from seconds or from an HTTP date; undefined for any other text. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const date = header.trim().endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
