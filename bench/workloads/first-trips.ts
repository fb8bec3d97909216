/**
 * The first 200 trips of a process that has just started: what the other workloads leave out as their warm-up.
 *
 * V8 compiles a function when it first runs, and again once it runs often, so a server with more code pays more here.
 */
import { withServer, type Side } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { tripActor } from './trip-actor.ts';

const TRIPS = 200;

function block(bench: Bench, side: Side, sessions: number): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const ids = Array.from({ length: sessions }, (_, n) => `first-${n}`);
    const actors = await Promise.all(ids.map((id) => tripActor(server, id, 'requests')));
    const trips = actors.map(({ trip }) => trip);
    const loop = { pid: server.pid, actors: trips, warmUp: 0, operations: TRIPS };
    const metrics = await closedLoop(loop);
    for (const actor of actors) actor.leave();
    return metrics;
  });
}

export const starting: Workload = {
  name: 'first-trips',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const sessions of [1, 16]) {
      const who = sessions === 1 ? '1 session' : `${sessions} sessions`;
      const what = `The first ${TRIPS} trips after a start, ${who}`;
      bench.log(`  ${what}`);
      const rounds = bench.rounds ?? (bench.quick ? 1 : 5);
      const compared = await interleave({
        floor: { name: 'floor', run: () => block(bench, 'floor', sessions) },
        others: (['product', 'keeping floor'] as const).map((side) => ({
          name: side,
          run: () => block(bench, side, sessions),
        })),
        rounds,
        steadyBy: 'cpuMs',
        redo: bench.quick ? 0 : rounds,
        log: bench.log,
      });
      comparisons[who] = compared;
      findings.push(
        findingFrom(compared, {
          what: `${what}, server CPU a trip`,
          unit: 'ms',
          metric: 'cpuMs',
          goals: [{ of: 'ratio', atMost: 1.6 }],
        }),
        findingFrom(compared, { what: `${what}, p50`, unit: 'ms', metric: 'p50' }),
        findingFrom(compared, {
          what: `${what}, server CPU a trip of the floor that keeps what the product keeps`,
          unit: 'ms',
          metric: 'cpuMs',
          of: 'keeping floor',
          isDetail: true,
        }),
      );
    }
    return { findings, comparisons };
  },
};
