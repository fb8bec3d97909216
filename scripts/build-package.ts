import { fail } from './lib/fail.ts';
import { buildPackage } from './lib/package/build.ts';

await buildPackage().catch(fail);
