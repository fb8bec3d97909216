/**
 * `npm run netcut -- --cuts 1000 --seed abc [--report file.json] [--bundle folder]`
 * `npm run netcut -- --client --kills 100 --seed abc [--report file.json]`
 *
 * Ends with 1 when anything was found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runKills } from './client/kill-run.ts';
import { runNetcut } from './netcut-run.ts';
import { reportText } from './report.ts';

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '1000' },
    client: { type: 'boolean', default: false },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: Date.now().toString(36) },
    report: { type: 'string' },
    bundle: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const { seed, bundle } = values;
const many = values.client ? 'kills' : 'cuts';
const count = Number(values[many]);
if (!Number.isInteger(count) || count < 1) throw new Error(`--${many} is a number of at least 1`);

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-netcut-'));
console.log(`netcut: seed ${seed}, ${count} ${many}`);
try {
  const how = { seed, dataDir, ...(!values.quiet && { say: (line: string) => console.log(line) }) };
  const report = values.client
    ? await runKills({ kills: count, ...how })
    : await runNetcut({ cuts: count, ...how, ...(bundle !== undefined && { bundle }) });
  console.log(reportText(report));
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(report, null, 2));
  process.exitCode = report.violations > 0 ? 1 : 0;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
