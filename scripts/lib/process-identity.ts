/**
 * Tells a live process from a later one that got the same number.
 *
 * A pid alone is not enough: in a container the same small numbers return with every start, and a lock left by a killed
 * process would then look held permanently.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Undefined when no such process lives. */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  const stat = statOfProc(pid);
  // A zombie cannot write any more, and it stays if init does not reap it.
  if (stat !== undefined) return stat.state === 'Z' ? undefined : stat.startedAt;
  return startedAccordingToPs(pid) ?? 'alive';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function statOfProc(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; after it, state is field 3 and the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startedAt] = [fields[0], fields[19]];
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
  } catch {
    return undefined;
  }
}

function startedAccordingToPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
