/**
 * `npm run bench`: the product and the floor, interleaved. See README.md.
 *
 *   --quick             under two minutes, to see that everything works
 *   --only a,b          only these workloads
 *   --rounds 9          in place of each workload's own number of rounds
 *   --data /dev/shm     where the data folders are made; default: the folder for temporary files
 *   --dist folder       a bundle that was built before, in place of a fresh one
 *   --no-save           leaves bench/results/ and docs/performance.md alone, as a quick or partial run always does
 *   --render            measures nothing: writes the pages again from bench/results/latest.json
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundle } from '../scripts/lib/build-bundle.ts';
import { fail } from '../scripts/lib/fail.ts';
import { DIST, ROOT } from '../scripts/lib/paths.ts';
import { builtBundle } from '../scripts/lib/worker-bundle.ts';
import { measuredCommit } from './lib/measured-commit.ts';
import { plot } from './lib/plot.ts';
import { findingsOf, performanceBlocks, type PublishedRun, writeBlocks } from './lib/published.ts';
import { type Circumstances, report } from './lib/report.ts';
import { spinMs } from './lib/spin.ts';
import type { Bench, Measured, Workload } from './lib/workload.ts';
import { appending } from './workloads/append.ts';
import { counting } from './workloads/costs.ts';
import { expiring } from './workloads/deadlines.ts';
import { fanningOut } from './workloads/fan-out.ts';
import { holding } from './workloads/held.ts';
import { importing } from './workloads/import.ts';
import { restarting } from './workloads/start.ts';
import { replaying } from './workloads/replay.ts';
import { growing } from './workloads/growth.ts';
import { starting } from './workloads/first-trips.ts';
import { pacing } from './workloads/paced.ts';
import { drawing } from './workloads/timeline.ts';
import { announcing } from './workloads/target.ts';
import { trips } from './workloads/trip.ts';
import { tripParts } from './workloads/trip-parts.ts';
import { turning } from './workloads/turn.ts';

const WORKLOADS: readonly Workload[] = [
  ...trips,
  tripParts,
  pacing,
  starting,
  replaying,
  drawing,
  importing,
  fanningOut,
  appending,
  turning,
  announcing,
  counting,
  growing,
  holding,
  restarting,
  expiring,
];
const RESULTS = path.join(ROOT, 'bench/results');
const LATEST = path.join(RESULTS, 'latest.json');
const PAGE = path.join(ROOT, 'docs/performance.md');

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    data: { type: 'string', default: tmpdir() },
    dist: { type: 'string' },
    'no-save': { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
  },
});

if (options.render) {
  renderPages(JSON.parse(readFileSync(LATEST, 'utf8')) as PublishedRun);
  process.exit();
}
const workloads = chosen(options.only);
const dataRoot = mkdtempSync(path.join(options.data, 'holdpoint-bench-'));
// A failure or Ctrl-C must not leave ten thousand sessions on the disk.
process.once('exit', () => rmSync(dataRoot, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await main();

async function main(): Promise<void> {
  const startedAt = new Date();
  // Before the run: a commit during it is not what is measured.
  const commit = measuredCommit();
  const bench: Bench = {
    quick: options.quick,
    rounds: options.rounds === undefined ? undefined : Number(options.rounds),
    product: builtBundle(await ownBundle()),
    dataRoot,
    log: console.log,
  };
  const spinBeforeMs = spinMs();
  console.log(`Processor check: ${spinBeforeMs.toFixed(0)} ms`);
  const measured: Record<string, Measured> = {};
  for (const workload of workloads) {
    console.log(`\n${workload.name}`);
    measured[workload.name] = await workload.run(bench);
  }
  const spinAfterMs = spinMs();
  const all = Object.values(measured);
  const findings = all.flatMap((one) => one.findings);
  const comparisons = all.flatMap((one) => Object.values(one.comparisons ?? {}));
  const circumstances: Circumstances = {
    startedAt: startedAt.toISOString(),
    minutes: (Date.now() - startedAt.getTime()) / 60_000,
    quick: options.quick,
    commit,
    workerd: versionOf('workerd'),
    node: process.versions.node,
    cpu: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
    dataRoot: options.data,
    spinBeforeMs,
    spinAfterMs,
    discarded: comparisons.reduce((sum, { discarded }) => sum + discarded, 0),
  };
  console.log(`\n${report(findings, circumstances)}`);
  // Parts of a run would stand in the pages as if they were of one run.
  if (options['no-save'] || options.quick || options.only !== undefined) return;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(LATEST, `${JSON.stringify({ circumstances, measured }, null, 2)}\n`);
  renderPages({ circumstances, measured });
}

function renderPages(run: PublishedRun): void {
  const findings = findingsOf(run);
  writeFileSync(path.join(RESULTS, 'latest.md'), report(findings, run.circumstances));
  writeFileSync(path.join(RESULTS, 'latest.svg'), plot(findings));
  writeFileSync(PAGE, writeBlocks(readFileSync(PAGE, 'utf8'), performanceBlocks(run)));
  console.log('Written to bench/results/ and docs/performance.md');
}

function chosen(only: string | undefined): readonly Workload[] {
  if (only === undefined) return WORKLOADS;
  return only.split(',').map((name) => {
    const found = WORKLOADS.find((workload) => workload.name === name);
    const names = WORKLOADS.map((workload) => workload.name).join(', ');
    return found ?? fail(`There is no workload "${name}"; there are ${names}.`);
  });
}

/** Copies the bundle: a build during the run must not change the code under measurement. */
async function ownBundle(): Promise<string> {
  if (options.dist === undefined) await buildBundle();
  const copy = path.join(dataRoot, 'dist');
  cpSync(options.dist ?? DIST, copy, { recursive: true });
  return copy;
}

function versionOf(packageName: string): string {
  const { version } = createRequire(import.meta.url)(`${packageName}/package.json`) as {
    version: string;
  };
  return version;
}
