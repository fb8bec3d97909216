/**
 * Runs a suite in a copy of the sources and returns whether the suite found anything.
 *
 * A fault that keeps the code from running at all would make every suite fail and prove nothing, so only a finding
 * counts: a failed test or a broken rule. Any other failure is thrown.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { binary } from '../../scripts/lib/paths.ts';
import type { FaultReport } from '../faults/report.ts';
import { type Suite, suiteName } from './mutant.ts';

export interface Verdict {
  readonly found: boolean;
  readonly seconds: number;
  /** The first finding. */
  readonly what: string;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const HARNESSES = 'test/faults/cli.ts';
const SEED = 'mutants';
/** Several times the duration of the longest suite; a fault can cause an endless loop. */
const PATIENCE_MS = 600_000;

export async function runSuite(suite: Suite, folder: string): Promise<Verdict> {
  const from = performance.now();
  const what = await findingOf(suite, folder);
  const seconds = (performance.now() - from) / 1_000;
  return { found: what !== undefined, seconds, what: what ?? '' };
}

function findingOf(suite: Suite, folder: string): Promise<string | undefined> {
  switch (suite.type) {
    case 'node':
    case 'worker':
      return failedTest(suite, folder);
    case 'simulation':
      return findingOfHarness(folder, ['simulate', '--brief', `--seeds=${suite.seeds}`]);
    case 'crash':
      return findingInBundle(folder, ['crash', `--kills=${suite.kills}`, `--seed=${SEED}`]);
    case 'quorum':
      return findingInBundle(folder, ['quorum', `--races=${suite.races}`, `--seed=${SEED}`]);
    case 'agent-crash': {
      const { kills, only } = suite;
      const options = [`--kills=${kills}`, `--only=${only}`, `--seed=${SEED}`];
      return findingInBundle(folder, ['agent', ...options]);
    }
  }
}

interface TestReport {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

async function failedTest(
  suite: Extract<Suite, { file: string }>,
  folder: string,
): Promise<string | undefined> {
  const file = path.join(folder, 'report.json');
  const { output } = await run(folder, [
    binary('vitest', 'vitest.mjs'),
    'run',
    '--project',
    suite.type,
    '--reporter=json',
    `--outputFile=${file}`,
    suite.file,
  ]);
  const report = readReport<TestReport>(file);
  if (report === undefined || report.numFailedTests + report.numPassedTests === 0) {
    throw new Error(`${suiteName(suite)} did not run: ${output.slice(-1_500)}`);
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.find(({ status }) => status === 'failed')?.title;
}

async function findingInBundle(
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  const built = await run(folder, ['scripts/build.ts']);
  if (built.code !== 0) throw new Error(`The build failed: ${built.output.slice(-1_500)}`);
  return findingOfHarness(folder, args);
}

async function findingOfHarness(
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  const file = path.join(folder, 'report.json');
  const { output } = await run(folder, [HARNESSES, ...args, '--quiet', `--report=${file}`]);
  const report = readReport<FaultReport>(file);
  if (report === undefined) throw new Error(`${args[0]} did not run: ${output.slice(-1_500)}`);
  const [first] = report.findings;
  return first && `${first.rule}, ${first.when}`;
}

function readReport<Report>(file: string): Report | undefined {
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(file);
  return report;
}

/** Runs the Node of this process in a process group of its own, because a hanging test has child processes too. */
function run(folder: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
      detached: true,
    });
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    process.once('exit', end);
    const patience = setTimeout(() => {
      end();
      reject(new Error(`It did not end within ${PATIENCE_MS / 1_000} seconds`));
    }, PATIENCE_MS);
    let output = '';
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(patience);
      process.off('exit', end);
      resolve({ code, output });
    });
  });
}
