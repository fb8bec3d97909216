import { fail } from './lib/fail.ts';
import { buildBundles } from './lib/web/build-bundles.ts';

await buildBundles().catch(fail);
