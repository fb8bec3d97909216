/** One row of the result: the figures of both sides, their ratio, and the goal if there is one. */
import { type Comparison, spreadOver } from './interleave.ts';
import type { Spread } from './statistics.ts';

export interface Goal {
  readonly of: 'ratio' | 'product';
  readonly atMost: number;
}

/** The figures that the first paragraph of docs/performance.md names. */
export type FindingKey = 'trip-cpu' | 'paced-cpu' | 'paced-syncs' | 'wakes' | 'crash';

export interface Finding {
  readonly key?: FindingKey;
  readonly what: string;
  readonly unit: string;
  readonly product?: Spread | undefined;
  readonly floor?: Spread | undefined;
  readonly ratio?: Spread | undefined;
  readonly goals: readonly Goal[];
  /** Why there is no figure, or what the figure excludes. */
  readonly note?: string | undefined;
  /** For the whole report; the table of docs/performance.md is without it. */
  readonly isDetail?: boolean;
}

/** Undefined if the metric was not measured. */
export function isReached(finding: Finding): boolean | undefined {
  const results = finding.goals.map(({ of, atMost }) => {
    const median = finding[of]?.median;
    return median === undefined ? undefined : median <= atMost;
  });
  if (results.length === 0 || results.includes(undefined)) return undefined;
  return !results.includes(false);
}

const UNSTEADY = 'no ratio: no block stood between steady ones';

export interface About {
  readonly key?: FindingKey | undefined;
  readonly what: string;
  readonly unit: string;
  readonly metric: string;
  readonly of?: string;
  readonly goals?: readonly Goal[];
  readonly note?: string;
  readonly isDetail?: boolean;
  /** A metric that is mostly zero on both sides, so that a ratio would mean nothing. */
  readonly isCount?: boolean;
}

export function findingFrom(comparison: Comparison, about: About): Finding {
  const { what, unit, metric, of = 'product', goals = [], note, isCount, isDetail, key } = about;
  const other = comparison.others[of];
  const ratio = isCount === true ? undefined : spreadOver(other?.ratios ?? [], metric);
  return {
    ...(key !== undefined && { key }),
    what,
    unit,
    product: spreadOver(other?.blocks ?? [], metric),
    floor: spreadOver(comparison.floor, metric),
    ratio,
    goals,
    note: ratio === undefined && isCount !== true ? (note ?? UNSTEADY) : note,
    ...(isDetail === true && { isDetail }),
  };
}
