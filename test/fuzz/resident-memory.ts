/** The memory of a process, on systems that report it in a file, and whether the memory grows without bound. */
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

/** With fewer samples, growth proves nothing: memory grows until as many sessions fall asleep as wake. */
const ENOUGH = 20;
const MAX_GROWTH = 1.5;

/** Whether the last quarter of a long run used far more memory than the second quarter. */
export function growsWithoutEnd(samples: readonly number[]): boolean {
  if (samples.length < ENOUGH) return false;
  const quarter = Math.floor(samples.length / 4);
  const early = Math.max(...samples.slice(quarter, 2 * quarter));
  const late = Math.max(...samples.slice(-quarter));
  return late > MAX_GROWTH * early;
}

/** Restarts the measurement of `peakBytes`; false on systems that cannot. */
export function resetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** The peak since the last `resetPeak`. */
export function peakBytes(pid: number): number | undefined {
  return statusBytes(pid, 'VmHWM');
}
