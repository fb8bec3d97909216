/**
 * Every command of `holdpoint`, in the order of its help. A module is loaded when its command runs (CLI-1).
 */
import type { CliCommand } from './cli-command.ts';
import { ASKING_COMMANDS } from './command-help/asking-commands.ts';
import { READING_COMMANDS } from './command-help/reading-commands.ts';
import { SETUP_COMMANDS } from './command-help/setup-commands.ts';

export const COMMANDS: readonly CliCommand[] = [
  ...ASKING_COMMANDS,
  ...READING_COMMANDS,
  ...SETUP_COMMANDS,
];
