/**
 * Ends a program when the process that started it ends, however it ends.
 *
 * An exit handler is not enough: a test runner or a person may kill -9 the starting process, and a server left behind keeps
 * its port and keeps writing to the data folder. So a shell reads from a pipe that only the starting process holds open:
 * when that process ends, the pipe closes and the shell kills the program.
 *
 * The program itself starts as that shell, which begins to read before it becomes the program. A watcher started after the
 * program would leave a moment in which a kill leaves the program behind.
 */
import type { ChildProcess } from 'node:child_process';

/**
 * A line for the shell that then executes the program: `fd` is the reading end of the pipe, and the other descriptors above
 * 2 are the program's alone. `$$` is the process number of the program, because `exec` keeps it.
 */
export function dieWithParent(fd: number, others: readonly number[]): string {
  const closed = others.map((other) => `${other}<&-`).join(' ');
  return `{ read -r _ <&${fd} || kill -9 $$; } >/dev/null 2>&1 ${closed} & exec ${fd}<&-`;
}

/** Ends the watch with the program, whose process number the system may soon reuse. */
export function endWatchWith(child: ChildProcess, fd: number): void {
  const pipe = child.stdio[fd];
  // The shell has ended when the whole group of the program was killed.
  pipe?.once('error', () => {});
  child.once('exit', () => {
    if (pipe !== null && pipe !== undefined && 'end' in pipe) pipe.end('\n');
  });
}
