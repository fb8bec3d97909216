#!/usr/bin/env node
/** The program `holdpoint`. */
import { runCommand } from './run-command.ts';
import { processTerminal } from './cli-command.ts';

/** A reader that went away, as `holdpoint log … | head`, ends the program without a stack trace. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
}

const code = await runCommand(process.argv.slice(2), processTerminal());
// An open stdin would keep the process alive; `exitCode` lets buffered output out first.
process.exitCode = code;
process.stdin.unref?.();
