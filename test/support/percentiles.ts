export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** All zeros, including `count`, if nothing was measured. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { count: sorted.length, p50: at(0.5) ?? 0, p99: at(0.99) ?? 0, max: sorted.at(-1) ?? 0 };
}
