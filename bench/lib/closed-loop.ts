/** Runs actors that each start an operation when their last one ended, up to a total for all actors. */
import type { Metrics } from './interleave.ts';
import { processUsage } from './process-usage.ts';
import { percentile } from './statistics.ts';

/** One operation; resolves to its duration if that is shorter than the time until it returns. */
export type Actor = (operation: number) => Promise<number>;

export interface Loop {
  readonly pid: number;
  readonly actors: readonly Actor[];
  /** Operations that are not counted: they warm up the just-in-time compiler, caches and TCP windows. */
  readonly warmUp: number;
  readonly operations: number;
}

/** Numbers its operations from 1 and goes on counting with the next call, so that no two have the same number. */
export function runner(actors: readonly Actor[]): (operations: number) => Promise<number[]> {
  let started = 0;
  return async (operations) => {
    const until = started + operations;
    const times: number[] = [];
    await Promise.all(
      actors.map(async (actor) => {
        while (started < until) {
          started += 1;
          times.push(await actor(started));
        }
      }),
    );
    return times;
  };
}

export async function closedLoop({ pid, actors, warmUp, operations }: Loop): Promise<Metrics> {
  const run = runner(actors);
  await run(warmUp);
  const before = processUsage(pid);
  const start = performance.now();
  const times = await run(operations);
  const seconds = (performance.now() - start) / 1_000;
  const after = processUsage(pid);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    perSecond: operations / seconds,
    ...(before !== undefined &&
      after !== undefined && { cpuMs: (after.cpuMs - before.cpuMs) / operations }),
  };
}
