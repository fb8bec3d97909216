/**
 * The program that started this one, if need be through a shell, as Claude Code and Codex start the commands of hooks.
 *
 * The shell of `holdpoint hook … || exit 2` outlives a program that was killed. Watching the shell alone, this process would
 * wait on and take an answer that no agent receives.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

interface ProcessFacts {
  readonly name: string;
  readonly parent: number;
}

const SHELL_NAME = /^-?(?:.*\/)?(?:sh|ash|bash|dash|ksh|zsh|busybox)$/;

/** `stopped`: the program lives and has ended the shell of its command, which takes its question back. */
export type ParentState = 'there' | 'stopped' | 'gone';

/** Resolves with a look at the program, which is `there` where this cannot be told. */
export async function watchParentProgram(): Promise<() => Promise<ParentState>> {
  const parent = process.ppid;
  const shell = await factsOf(parent);
  const isShell = shell !== undefined && SHELL_NAME.test(shell.name);
  return async () => {
    if (process.ppid !== parent)
      return isShell && isProcessThere(shell.parent) ? 'stopped' : 'gone';
    if (!isShell) return 'there';
    const now = await factsOf(parent);
    return now !== undefined && now.parent !== shell.parent ? 'gone' : 'there';
  };
}

function isProcessThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function factsOf(pid: number): Promise<ProcessFacts | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return line === undefined ? askPs(pid) : readStat(line);
}

/** `12 (name) S 7 …`: the name may have any character, also `)`. */
function readStat(line: string): ProcessFacts | undefined {
  const end = line.lastIndexOf(')');
  const [, parent] = line
    .slice(end + 1)
    .trim()
    .split(' ');
  const name = line.slice(line.indexOf('(') + 1, end);
  return parent === undefined ? undefined : { name, parent: Number(parent) };
}

function askPs(pid: number): Promise<ProcessFacts | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], (error, output) => {
      const [, parent, name] = /^\s*(\d+)\s+(.*\S)\s*$/.exec(output) ?? [];
      const isKnown = error === null && parent !== undefined && name !== undefined;
      resolve(isKnown ? { name, parent: Number(parent) } : undefined);
    });
  });
}
