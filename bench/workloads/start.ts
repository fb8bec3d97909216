/**
 * A start after kill -9: from the process to its first answer, and to the outcome that a returning agent waits for, with 200
 * questions held. Also the size of what is compiled then: workerd compiles every module at every start.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Side, withServer } from '../lib/bench-server.ts';
import { findingFrom } from '../lib/finding.ts';
import { interleave, type Metrics } from '../lib/interleave.ts';
import { startCpuMs } from '../lib/process-usage.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { answerAgain, openAll } from './held.ts';

const HELD = 200;
/** The last reports have gone out. */
const QUIET_MS = 2_000;

function block(bench: Bench, side: Side): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    await openAll(server, HELD);
    await sleep(QUIET_MS);
    const starts: number[] = [];
    const answers: number[] = [];
    const startCpu: number[] = [];
    const answerCpu: number[] = [];
    for (let crash = 1; crash <= (bench.quick ? 3 : 9); crash += 1) {
      const spawned = await server.crash();
      starts.push(performance.now() - spawned);
      startCpu.push(startCpuMs(server.pid) ?? 0);
      await answerAgain(server, crash);
      answers.push(performance.now() - spawned);
      answerCpu.push(startCpuMs(server.pid) ?? 0);
    }
    return {
      startMs: median(starts),
      answerMs: median(answers),
      startCpuMs: median(startCpu),
      answerCpuMs: median(answerCpu),
    };
  });
}

export const restarting: Workload = {
  name: 'start',
  async run(bench) {
    bench.log(`  kill -9 with ${HELD} held`);
    const rounds = bench.rounds ?? (bench.quick ? 1 : 3);
    const compared = await interleave({
      floor: { name: 'floor', run: () => block(bench, 'floor') },
      others: [{ name: 'product', run: () => block(bench, 'product') }],
      rounds,
      steadyBy: 'startCpuMs',
      redo: bench.quick ? 0 : rounds,
      log: bench.log,
    });
    const code = bench.product.modules
      .filter(({ kind }) => kind === 'esModule')
      .map(({ file }) => readFileSync(file));
    const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0) / 1_000;
    const size = (what: string, kilobytes: number) => ({
      what,
      unit: 'KB',
      product: { median: kilobytes, min: kilobytes, max: kilobytes, count: 1 },
      goals: [],
    });
    const about = { unit: 'ms', goals: [] } as const;
    return {
      comparisons: { start: compared },
      findings: [
        findingFrom(compared, { ...about, what: 'Start to the first answer', metric: 'startMs' }),
        findingFrom(compared, {
          ...about,
          what: 'Start to the first answer, processor time',
          metric: 'startCpuMs',
        }),
        findingFrom(compared, {
          ...about,
          what: `Start after kill -9 with ${HELD} held: until the first right answer`,
          metric: 'answerMs',
          goals: [{ of: 'ratio', atMost: 2.5 }],
        }),
        findingFrom(compared, {
          ...about,
          what: `Start after kill -9 with ${HELD} held: processor time until the first right answer`,
          metric: 'answerCpuMs',
        }),
        size('Code of the Worker', sum(code.map((text) => text.length))),
        size('Code of the Worker, gzip', sum(code.map((text) => gzipSync(text).length))),
      ],
    };
  },
};
