/**
 * All that CI runs after `npm ci`, each step whatever the others say. Its last line is `N passed, N failed`: every test
 * counts as one, and so does every other step; `npm ci` counts as passed, or this would not run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runScript } from './lib/run.ts';
import { type Tally, testTally } from './lib/test-tally.ts';
import { VERIFY_STEPS } from './lib/verify-steps.ts';

const OTHER_STEPS = ['check:lockfile', 'smoke'] as const;

const failed: string[] = [];
let total: Tally = { passed: 1, failed: 0 };
for (const step of [...VERIFY_STEPS, ...OTHER_STEPS]) {
  console.log(`\n── ${step}`);
  const tally = step.startsWith('test') ? await runTests(step) : await runStep(step);
  if (tally.failed > 0) failed.push(step);
  total = { passed: total.passed + tally.passed, failed: total.failed + tally.failed };
}
console.log(failed.length === 0 ? '' : `\nFailed: ${failed.join(', ')}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runStep(name: string): Promise<Tally> {
  return (await runScript(name)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runTests(step: string): Promise<Tally> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-tests-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await runScript(step, [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    return testTally(code, readReport(report));
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
