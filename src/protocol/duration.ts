const EXACT_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A duration in words, in the largest unit that divides it. */
export function describeDuration(ms: number): string {
  for (const [unit, size] of EXACT_UNITS) {
    if (ms >= size && ms % size === 0) {
      const count = ms / size;
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return `${ms / 1_000} seconds`;
}
