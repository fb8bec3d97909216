/** The round trip of a question: opened → seen by a subscriber → answered → received by the waiting agent. */
import { withServer, type Side } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Goal, findingFrom } from '../lib/finding.ts';
import { type Contestant, interleave, type Metrics } from '../lib/interleave.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { type Travel, tripActor } from './trip-actor.ts';

interface Load {
  readonly sessions: number;
  readonly warmUp: number;
  readonly operations: number;
}

function loads(quick: boolean): Load[] {
  return quick
    ? [
        { sessions: 1, warmUp: 200, operations: 300 },
        { sessions: 16, warmUp: 300, operations: 600 },
      ]
    : [
        { sessions: 1, warmUp: 400, operations: 1_000 },
        { sessions: 16, warmUp: 600, operations: 1_600 },
      ];
}

function block(bench: Bench, side: Side, travel: Travel, load: Load): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const sessions = Array.from({ length: load.sessions }, (_, n) => `trip-${n}`);
    const actors = await Promise.all(sessions.map((id) => tripActor(server, id, travel)));
    const { warmUp, operations } = load;
    const trips = actors.map(({ trip }) => trip);
    const metrics = await closedLoop({ pid: server.pid, actors: trips, warmUp, operations });
    for (const actor of actors) actor.leave();
    return metrics;
  });
}

interface Part {
  readonly name: string;
  readonly what: string;
  /** The way of the product and the way of the floor that are timed against each other. */
  readonly product: Travel;
  readonly floor: Travel;
  /** The floor's equivalent of the product's way, if the product is compared with another way of the floor. */
  readonly floorToo?: Travel;
  /** For 1 session and for 16. */
  readonly goals: readonly [p50: number, p50: number];
  readonly cpuGoal?: number;
}

const PARTS: readonly Part[] = [
  {
    name: 'trip-http',
    what: 'Trip of three requests',
    product: 'requests',
    floor: 'requests',
    goals: [1.25, 1.2],
    cpuGoal: 1.3,
  },
  {
    name: 'trip-wait',
    what: 'Trip with open and wait in one request',
    product: 'wait',
    floor: 'wait',
    goals: [1.1, 1.15],
  },
  {
    name: 'trip-socket',
    what: 'Trip on sockets, against the floor of three requests',
    product: 'sockets',
    floor: 'requests',
    floorToo: 'sockets',
    goals: [0.65, 0.75],
  },
];

function workload(part: Part): Workload {
  return {
    name: part.name,
    async run(bench) {
      const findings = [];
      const comparisons: Record<string, Awaited<ReturnType<typeof interleave>>> = {};
      for (const [index, load] of loads(bench.quick).entries()) {
        const rounds = bench.rounds ?? (bench.quick ? 1 : 5);
        const contestant = (name: string, side: Side, travel: Travel): Contestant => ({
          name,
          run: () => block(bench, side, travel, load),
        });
        const who = load.sessions === 1 ? '1 session' : `${load.sessions} sessions`;
        bench.log(`  ${part.what}, ${who}`);
        const others = [contestant('product', 'product', part.product)];
        if (part.floorToo !== undefined) {
          others.push(contestant('floor on sockets', 'floor', part.floorToo));
        }
        const compared = await interleave({
          floor: contestant('floor', 'floor', part.floor),
          others,
          rounds,
          steadyBy: 'p50',
          redo: bench.quick ? 0 : rounds,
          log: bench.log,
        });
        comparisons[who] = compared;
        const goal = part.goals[index];
        const goals: Goal[] = goal === undefined ? [] : [{ of: 'ratio', atMost: goal }];
        const cpuGoals: Goal[] =
          part.cpuGoal === undefined ? [] : [{ of: 'ratio', atMost: part.cpuGoal }];
        const what = `${part.what}, ${who}`;
        findings.push(
          findingFrom(compared, { what: `${what}, p50`, unit: 'ms', metric: 'p50', goals }),
          findingFrom(compared, {
            what: `${what}, server CPU a trip`,
            unit: 'ms',
            metric: 'cpuMs',
            goals: cpuGoals,
          }),
          findingFrom(compared, { what: `${what}, p99`, unit: 'ms', metric: 'p99' }),
          findingFrom(compared, { what: `${what}, trips`, unit: '/s', metric: 'perSecond' }),
        );
        if (part.floorToo === undefined) continue;
        findings.push(
          findingFrom(compared, {
            what: `The floor on sockets, against itself by three requests, ${who}, p50`,
            unit: 'ms',
            metric: 'p50',
            of: 'floor on sockets',
          }),
        );
      }
      return { findings, comparisons };
    },
  };
}

export const trips: readonly Workload[] = PARTS.map(workload);
