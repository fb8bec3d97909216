/** One command as a process: its streams, and its exit code. */
import { type CliCommand, type Terminal, processTerminal } from './cli-command.ts';
import { runCommand } from './run-command.ts';

/** `stdin`: what was read already, of a command that began elsewhere. */
export async function runProcess(
  argv: readonly string[],
  commands: readonly CliCommand[],
  stdin?: Terminal['stdin'],
): Promise<void> {
  // A reader that went away, as `holdpoint log … | head`, ends the program without a stack trace.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  }
  const terminal = processTerminal();
  const own = stdin === undefined ? terminal : { ...terminal, stdin };
  const code = await runCommand(argv, own, commands);
  // An open stdin would keep the process alive; `exitCode` lets buffered output out first.
  process.exitCode = code;
  process.stdin.unref?.();
}
