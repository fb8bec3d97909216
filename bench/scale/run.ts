/**
 * `npm run scale`: what one session, one workspace and one isolate take, a simulated month of a large workspace, and its
 * price; writes results/scale.json and the tables of docs/scale.md. About six minutes, most of them for the simulated
 * workspace, and a gigabyte of disk.
 *
 *   --part counted      measures this part alone, with its commit, and leaves the others; also saturated, simulated;
 *                       more than once for several
 *   --sessions 1000000 --open 100000 --rate 1000 --seconds 120
 *   --dist folder       a bundle that was built before, in place of a fresh one
 *   --data folder       where the data folders are made; default: the folder for temporary files
 *   --no-save           prints the tables, and leaves the pages alone
 *   --render            measures nothing: writes the page again from bench/results/scale.json
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { fail } from '../../scripts/lib/fail.ts';
import { DIST, ROOT } from '../../scripts/lib/paths.ts';
import { builtBundle } from '../../scripts/lib/worker-bundle.ts';
import { REPORT_REST_AFTER_MS } from '../../src/session/outbox.ts';
import { WAIT_IN_CALL_MS } from '../../src/session/pending-calls.ts';
import { measuredCommit } from '../lib/measured-commit.ts';
import type { Bundles } from '../lib/bench-server.ts';
import { writeBlocks } from '../lib/published.ts';
import { countApproval } from './count-approval.ts';
import { saturateWorkspace } from './saturate.ts';
import { type Circumstances, scaleBlocks, type ScalePart, type ScaleRun } from './scale-page.ts';
import { simulate } from './simulate.ts';

const RESULT = path.join(ROOT, 'bench/results/scale.json');
const PAGE = path.join(ROOT, 'docs/scale.md');
const SATURATING_APPROVALS = 4_000;

const PARTS: readonly ScalePart[] = ['counted', 'saturated', 'simulated'];

const { values: options } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    open: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '120' },
    dist: { type: 'string' },
    data: { type: 'string', default: tmpdir() },
    part: { type: 'string', multiple: true, default: [...PARTS] },
    'no-save': { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
  },
});

const unknown = options.part.find((part) => !PARTS.some((known) => known === part));
if (unknown !== undefined) fail(`--part ${unknown}: it is one of ${PARTS.join(', ')}`);

if (options.render) {
  writePage(publishedRun());
} else {
  const run = await measure();
  console.log(`\n${Object.values(scaleBlocks(run)).join('\n\n')}`);
  if (!options['no-save']) {
    writeFileSync(RESULT, `${JSON.stringify(run, null, 2)}\n`);
    writePage(run);
  }
}

function publishedRun(): ScaleRun {
  return JSON.parse(readFileSync(RESULT, 'utf8')) as ScaleRun;
}

async function measure(): Promise<ScaleRun> {
  const dataRoot = mkdtempSync(path.join(options.data, 'holdpoint-scale-'));
  process.once('exit', () => rmSync(dataRoot, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  if (options.dist === undefined) await buildBundle();
  const bundles = { product: builtBundle(options.dist ?? DIST), dataRoot };
  const isAsked = (part: ScalePart) => options.part.includes(part);
  const counted = isAsked('counted') && (await underCircumstances(() => countWithShape(bundles)));
  const saturated =
    isAsked('saturated') &&
    (await underCircumstances(() => {
      console.log('  One workspace object, driven until it is saturated');
      return saturateWorkspace(bundles, SATURATING_APPROVALS);
    }));
  const simulated =
    isAsked('simulated') &&
    (await underCircumstances(() => {
      console.log('  A large workspace, simulated');
      return simulate({
        sessions: count('sessions'),
        open: count('open'),
        approvalsPerSecond: count('rate'),
        seconds: count('seconds'),
        folder: dataRoot,
        log: console.log,
      });
    }));
  return {
    counted: counted || publishedRun().counted,
    saturated: saturated || publishedRun().saturated,
    simulated: simulated || publishedRun().simulated,
  };
}

async function countWithShape(bundles: Bundles) {
  console.log('  One approval, counted under workerd');
  const counted = await countApproval(bundles);
  const shape = {
    callWaitsS: WAIT_IN_CALL_MS / 1_000,
    answerReportedAfterS: REPORT_REST_AFTER_MS / 1_000,
  };
  return { shape, ...counted };
}

/** The commit is read before the work: one that comes during it is not what is measured. */
async function underCircumstances<Figures extends object>(
  work: () => Promise<Figures>,
): Promise<Figures & { readonly circumstances: Circumstances }> {
  const startedAt = new Date();
  const commit = measuredCommit();
  const figures = await work();
  const circumstances = {
    startedAt: startedAt.toISOString(),
    minutes: (Date.now() - startedAt.getTime()) / 60_000,
    commit,
    cpu: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
  };
  return { circumstances, ...figures };
}

function count(option: 'sessions' | 'open' | 'rate' | 'seconds'): number {
  const value = Number(options[option]);
  return Number.isInteger(value) && value > 0 ? value : fail(`--${option} is a whole number`);
}

function writePage(run: ScaleRun): void {
  writeFileSync(PAGE, writeBlocks(readFileSync(PAGE, 'utf8'), scaleBlocks(run)));
  console.log('Written to docs/scale.md');
}
