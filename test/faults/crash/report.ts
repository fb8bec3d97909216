/** The figures of a crash test. */
import { type Percentiles, percentiles } from '../../support/percentiles.ts';
import type { FaultReport } from '../report.ts';
import type { Lag } from './idle-questions.ts';
import type { CrashContext } from './crash-context.ts';

export interface CrashReport extends FaultReport {
  readonly kills: number;
  readonly durationMs: number;
  readonly clients: number;
  /** Includes idle sessions. */
  readonly sessions: number;
  readonly acknowledged: number;
  readonly inDoubtReplayed: number;
  readonly notTried: number;
  readonly unavailable: number;
  readonly replaysCompared: number;
  readonly claimsChecked: number;
  readonly recordsChecked: number;
  readonly waitersServed: number;
  readonly batches: number;
  readonly answersTogether: number;
  readonly events: number;
  readonly reconnects: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly startMs: Percentiles;
  /** From the deadline, or from the next start, until the untouched interaction was settled. */
  readonly deadlineLagMs: Percentiles;
  readonly overdueInDowntimeLagMs: Percentiles;
  readonly inboxConvergedMs: number;
  readonly staleUntilTouched: number;
  readonly files: number;
  readonly violations: number;
}

interface Parts {
  readonly seed: string;
  readonly kills: number;
  readonly durationMs: number;
  readonly clients: number;
  readonly sessions: number;
  readonly events: number;
  readonly connects: number;
  readonly files: number;
  readonly startMs: readonly number[];
  readonly lags: readonly Lag[];
  readonly context: CrashContext;
}

export function reportOf(parts: Parts): CrashReport {
  const { context, startMs, lags, connects, ...same } = parts;
  const { counts, findings } = context;
  return {
    ...same,
    acknowledged: counts.acked,
    inDoubtReplayed: counts.doubted,
    notTried: counts.notTried,
    unavailable: counts.unavailable,
    replaysCompared: counts.replayed,
    claimsChecked: counts.checkedClaims,
    recordsChecked: counts.checkedRecords,
    waitersServed: counts.waitersServed,
    batches: counts.batches,
    answersTogether: counts.together,
    reconnects: connects,
    statuses: counts.statuses,
    startMs: percentiles(startMs),
    deadlineLagMs: percentiles(lags.map(({ ms }) => ms)),
    overdueInDowntimeLagMs: percentiles(
      lags.filter(({ inDowntime }) => inDowntime).map(({ ms }) => ms),
    ),
    inboxConvergedMs: counts.inboxConvergedMs,
    staleUntilTouched: counts.staleUntilTouched,
    violations: findings.count,
    findings: findings.kept,
  };
}
