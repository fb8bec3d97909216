/** Every command of `holdpoint` as a process, but the hook with its own beginning. */
import { COMMANDS } from './commands.ts';
import { runProcess } from './run-process.ts';

await runProcess(process.argv.slice(2), COMMANDS);
