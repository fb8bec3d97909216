/** The figures of a network-cut test, as JSON and as text. */
import type { Finding } from '../../support/findings.ts';

export interface NetcutReport {
  readonly seed: string;
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
  readonly findings: readonly Finding[];
}

type Report = { readonly seed: string; readonly findings: readonly Finding[] };

export function reportText({ findings, ...figures }: Report): string {
  const rows = Object.entries(figures).map(([name, value]) => `${name.padEnd(16)}${value}`);
  const violations = findings.map(
    ({ rule, session, evidence }) =>
      `VIOLATION ${rule}  session ${session}  seed ${figures.seed}\n  ${evidence}`,
  );
  return [...rows, ...violations].join('\n');
}
