/**
 * Kills a child process when the calling process ends, however it ends.
 *
 * An exit handler is not enough: a test runner or a person may kill -9 this process, and a server left behind keeps its
 * port and keeps writing to the data folder. So a shell reads from a pipe that only this process holds open: when this
 * process ends, the pipe closes and the shell kills the child. Without a POSIX shell (Windows) the child may survive.
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
  // The system may soon reuse its process number.
  child.once('exit', () => watch.kill('SIGKILL'));
}
