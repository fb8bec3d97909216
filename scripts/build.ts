/**
 * `npm run build`: the Worker into dist/, which is a dry run of a deploy; it fails on a warning too. `npm run build -- web`: the chat and the reference, which the Worker carries.
 * `npm run build -- package`: the package that agents and pages install. `npm run build -- hook`: `holdpoint hook` as one file, for this clone.
 */
import { buildBundle } from './lib/build-bundle.ts';
import { bundleHook } from './lib/bundle-hook.ts';
import { fail } from './lib/fail.ts';
import { buildPackage } from './lib/package/build.ts';
import { PACKAGE } from './lib/paths.ts';
import { shellWord } from './lib/shell-command.ts';
import { buildBundles } from './lib/web/build-bundles.ts';

const BUILDS = new Map([
  ['worker', buildWorker],
  ['web', buildBundles],
  ['package', buildInstallable],
  ['hook', () => bundleHook()],
]);

const [name = 'worker'] = process.argv.slice(2);
const build = BUILDS.get(name);
if (build === undefined) fail(`There is no build called ${name}: ${[...BUILDS.keys()].join(', ')}`);
await build().catch(fail);

async function buildWorker(): Promise<void> {
  const warnings = await buildBundle();
  // A setting that wrangler does not know is only a warning, and would be found by the first deploy.
  if (warnings.length > 0) fail(`wrangler warns:\n${warnings.join('\n')}`);
}

async function buildInstallable(): Promise<void> {
  await buildPackage();
  console.log(`The package holdpoint is in ${PACKAGE}. In the folder of your agent, install it with

  npm install ${shellWord(PACKAGE)}`);
}
