import { buildBundle } from './lib/build-bundle.ts';
import { fail } from './lib/fail.ts';

await buildBundle().catch(fail);
