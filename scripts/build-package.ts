import { fail } from './lib/fail.ts';
import { buildPackage } from './lib/package/build.ts';
import { PACKAGE } from './lib/paths.ts';
import { shellWord } from './lib/shell-word.ts';

await buildPackage().catch(fail);
console.log(`The package holdpoint is in ${PACKAGE}. In the folder of your agent, install it with

  npm install ${shellWord(PACKAGE)}`);
