/**
 * `npm run mutants -- [--quick] [--only "part of a name"]`
 *
 * Plants one fault after the other in a copy of the sources and runs the suites that should notice.
 * Ends with 1 when one of them does not, when a fault has no place any more, or when a suite finds
 * something in the copy as it is, because then its failures would prove nothing.
 */
import { parseArgs } from 'node:util';
import { type Mutant, type Suite, suiteName } from './mutant.ts';
import { MUTANTS, QUICK } from './mutants.ts';
import { runSuite, type Verdict } from './run-suite.ts';
import { TreeCopy } from './tree-copy.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const chosen = values.quick ? quickOnes() : MUTANTS;
const mutants = chosen.filter(({ name }) => name.includes(values.only));
const copy = new TreeCopy();
process.once('SIGINT', () => {
  copy.remove();
  process.exit(130);
});

const problems: string[] = [];
const from = performance.now();
try {
  for (const suite of suitesOf(mutants)) {
    const verdict = await tried(() => runSuite(suite, copy.folder));
    say('as it is', suite, verdict, typeof verdict !== 'string' && !verdict.found);
  }
  for (const mutant of mutants) {
    for (const suite of mutant.caughtBy) {
      const verdict = await tried(() => copy.withFault(mutant, () => runSuite(suite, copy.folder)));
      say(mutant.name, suite, verdict, typeof verdict !== 'string' && verdict.found);
    }
  }
} finally {
  copy.remove();
}
const minutes = ((performance.now() - from) / 60_000).toFixed(1);
const many = `${mutants.length} faults, ${problems.length} problems, ${minutes} minutes`;
console.log([many, ...problems].join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;

function quickOnes(): Mutant[] {
  return MUTANTS.filter(({ name }) => QUICK.includes(name)).map((mutant) => ({
    ...mutant,
    caughtBy: mutant.caughtBy.filter(({ type }) => type === 'node'),
  }));
}

/** Each once; of those that differ only in how long they take, each all the same. */
function suitesOf(some: readonly Mutant[]): Suite[] {
  const all = some.flatMap(({ caughtBy }) => caughtBy);
  return [...new Map(all.map((suite) => [suiteName(suite), suite])).values()];
}

async function tried(work: () => Promise<Verdict>): Promise<Verdict | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function say(name: string, suite: Suite, verdict: Verdict | string, isRight: boolean): void {
  const by = suiteName(suite);
  if (!isRight) problems.push(`${name} / ${by}: ${problemIn(name, verdict)}`);
  const told =
    typeof verdict === 'string'
      ? 'DID NOT RUN'
      : `${verdict.seconds.toFixed(1).padStart(5)} s  ${resultOf(name, verdict)}`;
  console.log(`${name.padEnd(48)}${by.padEnd(40)}${told}`);
}

function isPlanted(name: string): boolean {
  return name !== 'as it is';
}

function resultOf(name: string, { found, what }: Verdict): string {
  if (found) return `${isPlanted(name) ? 'caught' : 'FAILS'}: ${what.slice(0, 90)}`;
  return isPlanted(name) ? 'NOT CAUGHT' : 'passes';
}

function problemIn(name: string, verdict: Verdict | string): string {
  return typeof verdict === 'string' ? verdict : resultOf(name, verdict);
}
