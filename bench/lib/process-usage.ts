/** The resource usage of a process and its children, from /proc. Undefined on systems without /proc. */
import { readFileSync, readdirSync } from 'node:fs';

export interface Usage {
  /** User and kernel time on all cores since the processes started. */
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** /proc reports time in ticks of this length, whatever ticks the kernel uses inside. */
const TICK_MS = 10;

export function processUsage(pid: number): Usage | undefined {
  try {
    const own = { cpuMs: cpuMsOf(pid), rssMb: rssMbOf(pid) };
    const children = childrenOf(pid).map((child) => processUsage(child) ?? { cpuMs: 0, rssMb: 0 });
    return children.reduce(
      (sum, one) => ({ cpuMs: sum.cpuMs + one.cpuMs, rssMb: sum.rssMb + one.rssMb }),
      own,
    );
  } catch {
    return undefined;
  }
}

function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; after it, utime is field 14 and stime field 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function rssMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter((one) => one !== '')).map(Number);
}

/**
 * The processor time of a young process in nanosecond steps: a start is six ticks. Threads that have ended are not in it, and a
 * process that starts ends none.
 */
export function startCpuMs(pid: number): number | undefined {
  try {
    const times = readdirSync(`/proc/${pid}/task`).map((task) => {
      const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
      return Number(running) / 1e6;
    });
    return times.reduce((sum, time) => sum + time, 0);
  } catch {
    return undefined;
  }
}
