/**
 * Plants one fault after another in a copy of the sources and runs the suites that should notice.
 *
 * A finding is a suite that does not notice, a fault whose place is gone, or a suite that fails in the unchanged copy,
 * because its failures would then prove nothing.
 */
import type { FaultReport } from '../faults/report.ts';
import type { Finding } from '../support/findings.ts';
import { type Mutant, type Suite, suiteName } from './mutant.ts';
import { MUTANTS, QUICK } from './mutants.ts';
import { runSuite, type Verdict } from './run-suite.ts';
import { TreeCopy } from './tree-copy.ts';

export interface MutantsOptions {
  /** A few faults, and of their suites those that take seconds. */
  readonly isQuick: boolean;
  /** Only faults whose name holds this. */
  readonly only: string;
  readonly seed: string;
  readonly say?: ((line: string) => void) | undefined;
}

export interface MutantsReport extends FaultReport {
  readonly faults: number;
  readonly minutes: string;
}

export async function runMutants(options: MutantsOptions): Promise<MutantsReport> {
  const { isQuick, only, seed, say } = options;
  const mutants = (isQuick ? quickMutants() : MUTANTS).filter(({ name }) => name.includes(only));
  const findings: Finding[] = [];
  const since = performance.now();
  const copy = new TreeCopy();
  const removeCopy = () => {
    copy.remove();
    process.exit(130);
  };
  process.once('SIGINT', removeCopy);
  const report = (name: string, suite: Suite, verdict: Verdict | string) => {
    const isPlanted = name !== UNCHANGED;
    const isRight = typeof verdict !== 'string' && verdict.found === isPlanted;
    const result = typeof verdict === 'string' ? verdict : resultOf(isPlanted, verdict);
    if (!isRight) findings.push({ rule: 'MUTANT', session: '', evidence: result, when: name });
    const seconds = typeof verdict === 'string' ? '' : `${verdict.seconds.toFixed(1)} s`;
    say?.(`${name.padEnd(48)}${suiteName(suite).padEnd(40)}${seconds.padStart(7)}  ${result}`);
  };
  try {
    for (const suite of suitesOf(mutants)) {
      report(UNCHANGED, suite, await verdictOf(() => runSuite(suite, copy.folder)));
    }
    for (const mutant of mutants) {
      for (const suite of mutant.caughtBy) {
        const run = () => copy.withFault(mutant, () => runSuite(suite, copy.folder));
        report(mutant.name, suite, await verdictOf(run));
      }
    }
  } finally {
    process.off('SIGINT', removeCopy);
    copy.remove();
  }
  const minutes = ((performance.now() - since) / 60_000).toFixed(1);
  return { seed, faults: mutants.length, minutes, findings };
}

const UNCHANGED = 'as it is';

function quickMutants(): Mutant[] {
  return MUTANTS.filter(({ name }) => QUICK.includes(name)).map((mutant) => ({
    ...mutant,
    caughtBy: mutant.caughtBy.filter(({ type }) => type === 'node'),
  }));
}

/** Each suite once; suites that differ only in their length are each run. */
function suitesOf(mutants: readonly Mutant[]): Suite[] {
  const all = mutants.flatMap(({ caughtBy }) => caughtBy);
  return [...new Map(all.map((suite) => [suiteName(suite), suite])).values()];
}

/** A sentence when the suite could not be run. */
async function verdictOf(work: () => Promise<Verdict>): Promise<Verdict | string> {
  try {
    return await work();
  } catch (error) {
    return `DID NOT RUN: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function resultOf(isPlanted: boolean, { found, what }: Verdict): string {
  if (found) return `${isPlanted ? 'caught' : 'FAILS'}: ${what.slice(0, 90)}`;
  return isPlanted ? 'NOT CAUGHT' : 'passes';
}
