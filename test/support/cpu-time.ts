/** The time that work takes of the processor: other load on the machine hardly changes it, unlike the time on the clock. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The lowest of some runs: collected garbage and cold code only add time. */
export function lowestCpuMs(times: number, work: () => unknown): number {
  return Math.min(...Array.from({ length: times }, () => cpuMs(work)));
}
