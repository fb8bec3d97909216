/**
 * `npm run crash -- --kills 100 --seed abc [--report file.json] [--bundle folder]`
 *
 * Ends with 1 when anything was found; the data folder is then kept, and named.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCrashTest } from './crash-run.ts';
import { reportText } from './report.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: Date.now().toString(36) },
    report: { type: 'string' },
    bundle: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const { seed, bundle } = values;
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills is a number of at least 1');

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-crash-'));
console.log(`crash: seed ${seed}, ${kills} kills`);
const report = await runCrashTest({
  kills,
  seed,
  dataDir,
  ...(bundle !== undefined && { bundle }),
  ...(!values.quiet && { say: (line: string) => console.log(line) }),
});
console.log(reportText(report));
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(report, null, 2));
if (report.violations > 0) console.log(`The data folder is kept: ${dataDir}`);
else rmSync(dataDir, { recursive: true, force: true });
process.exit(report.violations > 0 ? 1 : 0);
