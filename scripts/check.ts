/** `npm run check -- NAME …`: runs one or several checks, all of them even if one fails; without a name, every check. */
import { fail } from './lib/fail.ts';
import { ROOT, binary } from './lib/paths.ts';
import { run } from './lib/run.ts';

const RUN = `${ROOT}/scripts/run.js`;
const CHECKS = new Map<string, readonly string[]>([
  ['format', [binary('@biomejs/biome', 'bin/biome'), 'format']],
  ['imports', [RUN, 'scripts/check/imports.ts']],
  ['rules', [RUN, 'scripts/check/rules.ts']],
  ['words', [RUN, 'scripts/check/words.ts']],
  ['lockfile', [RUN, 'scripts/check/lockfile.ts']],
  ['unused', [binary('knip', 'bin/knip.js')]],
  ['web', [RUN, 'scripts/check/web.ts']],
  ['package', [RUN, 'scripts/check/package.ts']],
  ['bench', [RUN, 'scripts/check/bench.ts']],
]);

const names = process.argv.length > 2 ? process.argv.slice(2) : [...CHECKS.keys()];
const failed: string[] = [];
for (const name of names) {
  const command = CHECKS.get(name);
  if (command === undefined)
    fail(`There is no check called ${name}: ${[...CHECKS.keys()].join(', ')}`);
  if (names.length > 1) console.log(`\n── ${name}`);
  if ((await run(process.execPath, command)) !== 0) failed.push(name);
}
if (failed.length > 0 && names.length > 1) console.error(`\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
