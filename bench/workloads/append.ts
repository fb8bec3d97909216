/** How fast one session accepts events from agents, one event a request. */
import { createSession, type Side, withServer } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { append } from './appended-events.ts';

const SESSION = 'append-0';

function block(bench: Bench, side: Side, agents: number): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const connections = await Promise.all(
      Array.from({ length: agents }, () => server.connect('agent')),
    );
    const [first] = connections;
    if (first !== undefined) await createSession(server, first, SESSION);
    const actors = connections.map((agent) => async (operation: number) => {
      const start = performance.now();
      await append(agent, SESSION, 1, operation);
      return performance.now() - start;
    });
    const operations = (agents === 1 ? 1_500 : 4_000) / (bench.quick ? 3 : 1);
    return await closedLoop({ pid: server.pid, actors, warmUp: operations / 2, operations });
  });
}

export const appending: Workload = {
  name: 'append',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const agents of [1, 32]) {
      const who = agents === 1 ? '1 agent' : `${agents} agents`;
      bench.log(`  Appending to one session, ${who}`);
      const compared = await interleave({
        floor: { name: 'floor', run: () => block(bench, 'floor', agents) },
        others: [{ name: 'product', run: () => block(bench, 'product', agents) }],
        rounds: bench.rounds ?? (bench.quick ? 1 : 3),
        steadyBy: 'perSecond',
        redo: bench.quick ? 0 : 2,
        log: bench.log,
      });
      comparisons[who] = compared;
      const what = `Appending to one session, ${who}`;
      findings.push(
        findingFrom(compared, {
          what: `${what}, events`,
          unit: '/s',
          metric: 'perSecond',
          isDetail: true,
        }),
        findingFrom(compared, { what: `${what}, server CPU`, unit: 'ms', metric: 'cpuMs' }),
      );
    }
    return { findings, comparisons };
  },
};
