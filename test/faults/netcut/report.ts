/** The figures of a network-cut test. */
import type { FaultReport } from '../report.ts';

export interface NetcutReport extends FaultReport {
  readonly durationMs: number;
  readonly cuts: number;
  readonly resets: number;
  readonly ends: number;
  readonly halfOpen: number;
  /** Connections that were held up and then went on; they are no cuts. */
  readonly stalls: number;
  readonly connections: number;
  readonly subscribers: number;
  /** Events heard, by all subscribers together. */
  readonly deliveries: number;
  /** Those of them that were heard while connections were still being cut. */
  readonly deliveriesUnderCuts: number;
  /** From the moment the network was whole until the last subscriber had heard everything. */
  readonly caughtUpMs: number;
  readonly violations: number;
}
