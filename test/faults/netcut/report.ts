/** The figures of a network-cut test. */
import type { FaultReport } from '../report.ts';

export interface NetcutReport extends FaultReport {
  readonly durationMs: number;
  readonly cuts: number;
  readonly resets: number;
  readonly ends: number;
  readonly halfOpen: number;
  /** Connections that stalled and then continued; they do not count as cuts. */
  readonly stalls: number;
  readonly connections: number;
  readonly subscribers: number;
  /** Events received by all subscribers together. */
  readonly deliveries: number;
  /** Of these, events received while the proxy still cut connections. */
  readonly deliveriesUnderCuts: number;
  /** From the moment the network was whole until the last subscriber had received everything. */
  readonly caughtUpMs: number;
  readonly violations: number;
}
