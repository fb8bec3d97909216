/**
 * `npm run crash:agent -- --kills 50 [--only "part of a name"] [--seed abc] [--report file.json] [--bundle folder]`
 *
 * So many kills at each boundary of a turn. Ends with 1 when anything was found; the data folder is then kept.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runAgentCrashTest } from './agent-crash-run.ts';
import { reportText } from './report.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    workers: { type: 'string', default: '4' },
    only: { type: 'string' },
    seed: { type: 'string', default: Date.now().toString(36) },
    report: { type: 'string' },
    bundle: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const { seed, bundle, only } = values;
const [kills, workers] = [Number(values.kills), Number(values.workers)];
if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills is a number of at least 1');
if (!Number.isInteger(workers) || workers < 1)
  throw new Error('--workers is a number of at least 1');

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-agent-crash-'));
console.log(`crash:agent: seed ${seed}, ${kills} kills at each boundary`);
const say = values.quiet ? undefined : (line: string) => console.log(line);
const report = await runAgentCrashTest({ kills, workers, seed, dataDir, bundle, only, say });
console.log(reportText(report));
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(report, null, 2));
if (report.problems > 0) console.log(`The data folder is kept: ${dataDir}`);
else rmSync(dataDir, { recursive: true, force: true });
process.exit(report.problems > 0 ? 1 : 0);
