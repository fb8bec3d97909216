import { fail } from './lib/fail.ts';
import { buildWeb, writeWeb } from './lib/web/build-web.ts';

await buildWeb().then(writeWeb).catch(fail);
