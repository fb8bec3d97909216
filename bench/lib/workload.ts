import type { Bundles } from './bench-server.ts';
import type { Finding } from './finding.ts';
import type { Comparison } from './interleave.ts';

export interface Bench extends Bundles {
  /** Few rounds of few operations: shows that everything works; the figures mean little. */
  readonly quick: boolean;
  /** Replaces each workload's own number of rounds. */
  readonly rounds: number | undefined;
  readonly log: (line: string) => void;
}

export interface Measured {
  readonly findings: readonly Finding[];
  /** Every block, for later analysis. */
  readonly comparisons?: Readonly<Record<string, Comparison>>;
  readonly raw?: unknown;
}

export interface Workload {
  /** The name for `--only`. */
  readonly name: string;
  run(bench: Bench): Promise<Measured>;
}
