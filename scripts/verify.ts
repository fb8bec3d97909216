/**
 * `npm run verify`: runs every check, continues after a failure, and ends with the names of the failed steps
 * and tests.
 *
 * CI runs `npm ci && npm test`, as the README says, and then `npm run verify -- --ci --tested CODE`, which has two more steps
 * and in place of `test` reads what `npm test` has reported before it ended with that code. The last line of both is
 * `N passed, N failed`: each test counts as one, and so does each other step.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from './lib/run.ts';
import { type Tally, listFailures, testTally } from './lib/test-tally.ts';

/** npm scripts with their arguments, the quick ones first; the tests need `build`. */
const STEPS = [
  'check format',
  'lint',
  'types',
  'check imports',
  'check rules',
  'check words',
  'check unused',
  'check bench',
  'build',
  'check package',
  'check web',
  'test',
  'test:long',
] as const;
const CI_STEPS = ['check lockfile', 'smoke'] as const;

const { values } = parseArgs({
  options: { ci: { type: 'boolean', default: false }, tested: { type: 'string' } },
});
const reported = process.env['HOLDPOINT_TEST_REPORT'];
// Later runs of tests must not write over it.
delete process.env['HOLDPOINT_TEST_REPORT'];
const failed: string[] = [];
let total: Tally = { passed: 0, failed: 0, failures: [] };
for (const step of [...STEPS, ...(values.ci ? CI_STEPS : [])]) {
  console.log(`\n── ${step}`);
  const tally = await tallyOf(step);
  if (tally.failed > 0) failed.push(step);
  total = {
    passed: total.passed + tally.passed,
    failed: total.failed + tally.failed,
    failures: [...total.failures, ...tally.failures],
  };
}
console.log(failed.length === 0 ? '\nEvery step passed.' : `\nFailed: ${failed.join(', ')}`);
for (const line of listFailures(total.failures)) console.log(line);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function tallyOf(step: string): Promise<Tally> | Tally {
  if (step === 'test' && values.tested !== undefined)
    return testTally(step, Number(values.tested), readReport(reported ?? ''));
  return step.startsWith('test') ? runTests(step) : runStep(step);
}

async function runStep(step: string): Promise<Tally> {
  const [script = '', ...args] = step.split(' ');
  return (await runScript(script, args)) === 0
    ? { passed: 1, failed: 0, failures: [] }
    : { passed: 0, failed: 1, failures: [step] };
}

async function runTests(script: string): Promise<Tally> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-tests-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await runScript(script, [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    return testTally(script, code, readReport(report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
