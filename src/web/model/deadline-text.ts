/** Deadlines as people write them into a field: `10m`, `2h`, `1d`, `none`; empty leaves them to the deployment. */
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const WITHOUT_DEADLINE = 'none';
const MAX_SECONDS = 365 * 86_400;

/** Seconds, null for no deadline; undefined for a text that is neither. */
export function readDeadline(text: string): number | null | undefined {
  const written = text.trim().toLowerCase();
  if (written === WITHOUT_DEADLINE) return null;
  const [, count, unit = 'm'] = /^(\d{1,8}) ?([smhd])?$/.exec(written) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0);
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : undefined;
}

export function writeDeadline(seconds: number | null | undefined): string {
  if (seconds === undefined) return '';
  if (seconds === null) return WITHOUT_DEADLINE;
  const [unit, size] =
    Object.entries(SECONDS_OF).findLast(([, size]) => seconds >= size && seconds % size === 0) ??
    [];
  return unit === undefined || size === undefined ? `${seconds}s` : `${seconds / size}${unit}`;
}
