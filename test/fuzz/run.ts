/**
 * `npm run fuzz -- --cases 20000 --seed abc [--from 1200] [--at-once 1] [--bundle folder]`
 *
 * Needs a built bundle. Ends with 1 when an answer was not what it must be; each such case is printed
 * with its number and with what sends it again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { builtBundle } from '../../scripts/lib/worker-bundle.ts';
import { runFuzz } from './fuzz-run.ts';
import { reportText } from './report.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: Date.now().toString(36) },
    from: { type: 'string', default: '0' },
    'at-once': { type: 'string', default: '8' },
    patience: { type: 'string', default: '2000' },
    bundle: { type: 'string' },
  },
});
const { seed, bundle } = values;
const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-fuzz-'));
console.log(`fuzz: seed ${seed}, ${values.cases} cases`);
const report = await runFuzz({
  cases: Number(values.cases),
  seed,
  dataDir,
  from: Number(values.from),
  atOnce: Number(values['at-once']),
  patienceMs: Number(values.patience),
  ...(bundle !== undefined && { bundle: builtBundle(bundle) }),
  say: (line) => console.log(line),
});
console.log(reportText(report));
rmSync(dataDir, { recursive: true, force: true });
process.exit(report.failures.length > 0 ? 1 : 0);
