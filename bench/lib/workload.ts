import type { Bundles } from './bench-server.ts';
import type { Finding } from './finding.ts';
import type { Comparison } from './interleave.ts';

export interface Bench extends Bundles {
  /** Few rounds of few operations: to see that everything works, not to believe the figures. */
  readonly quick: boolean;
  /** Stands in for each workload's own number of rounds. */
  readonly rounds: number | undefined;
  readonly log: (line: string) => void;
}

export interface Measured {
  readonly findings: readonly Finding[];
  /** Every block, for whoever wants to count again. */
  readonly comparisons?: Readonly<Record<string, Comparison>>;
  readonly raw?: unknown;
}

export interface Workload {
  /** What `--only` calls it. */
  readonly name: string;
  run(bench: Bench): Promise<Measured>;
}
