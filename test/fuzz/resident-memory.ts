/** How much memory a process has, where the system says so in a file, and whether that has an end. */
import { readFileSync, writeFileSync } from 'node:fs';

export function residentBytes(pid: number): number | undefined {
  return statusBytes(pid, 'VmRSS');
}

function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = new RegExp(String.raw`^${field}:\s+(\d+) kB$`, 'm').exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) * 1_024;
  } catch {
    return undefined;
  }
}

/** Fewer say nothing: memory grows with the sessions that are awake until as many fall asleep again. */
const ENOUGH = 20;
const MAX_GROWTH = 1.5;

/** Whether the last quarter of a long run had far more than the second one had. */
export function growsWithoutEnd(samples: readonly number[]): boolean {
  if (samples.length < ENOUGH) return false;
  const quarter = Math.floor(samples.length / 4);
  const early = Math.max(...samples.slice(quarter, 2 * quarter));
  const late = Math.max(...samples.slice(-quarter));
  return late > MAX_GROWTH * early;
}

/** From now on `peakBytes` is about what comes; false where the system cannot do that. */
export function resetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** The most it has had since the last `resetPeak`. */
export function peakBytes(pid: number): number | undefined {
  return statusBytes(pid, 'VmHWM');
}
