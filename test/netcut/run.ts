/**
 * `npm run netcut -- --cuts 1000 --seed abc [--report file.json] [--bundle folder]`
 *
 * Ends with 1 when anything was found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runNetcut } from './netcut-run.ts';
import { reportText } from './report.ts';

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: Date.now().toString(36) },
    report: { type: 'string' },
    bundle: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const { seed, bundle } = values;
const cuts = Number(values.cuts);
if (!Number.isInteger(cuts) || cuts < 1) throw new Error('--cuts is a number of at least 1');

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-netcut-'));
console.log(`netcut: seed ${seed}, ${cuts} cuts`);
try {
  const report = await runNetcut({
    cuts,
    seed,
    dataDir,
    ...(bundle !== undefined && { bundle }),
    ...(!values.quiet && { say: (line: string) => console.log(line) }),
  });
  console.log(reportText(report));
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(report, null, 2));
  process.exitCode = report.violations > 0 ? 1 : 0;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
