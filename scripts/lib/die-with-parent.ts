/**
 * Kills a process when the one that called this ends, however it ends.
 *
 * An exit handler is not enough: a test runner or a person may kill -9 us, and a server left behind keeps its port and
 * goes on writing to the data folder. A shell waits at the end of a pipe that only we hold open; our death closes it.
 * Without a POSIX shell nothing watches.
 */
import { type ChildProcess, spawn } from 'node:child_process';

export function dieWithParent(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return;
  const watch = spawn(
    'sh',
    ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'sh', String(child.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  watch.on('error', () => {});
  watch.unref();
  // Its number may soon belong to somebody else.
  child.once('exit', () => watch.kill('SIGKILL'));
}
