/** The round trip of a question: opened → seen by a subscriber → answered → received by the waiting agent. */
import { type BenchServer, type Side, withServers } from '../lib/bench-server.ts';
import { runner } from '../lib/closed-loop.ts';
import { type Goal, findingFrom } from '../lib/finding.ts';
import type { Comparison } from '../lib/interleave.ts';
import { comparisonOf, type Driven, driveInTurns, type Rounds } from '../lib/paired.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { type Travel, type TripActor, tripActor } from './trip-actor.ts';

interface Load {
  readonly sessions: 1 | 16 | 64;
  readonly warmUp: number;
  /** A slice is a fraction of a second, and ends with each session's last trip: with few trips a session it drains more. */
  readonly slice: number;
  readonly slices: number;
  readonly rounds: number;
}

export const LOADS: readonly Load[] = [
  { sessions: 1, warmUp: 500, slice: 50, slices: 10, rounds: 7 },
  { sessions: 16, warmUp: 800, slice: 160, slices: 5, rounds: 7 },
  { sessions: 64, warmUp: 1_280, slice: 320, slices: 4, rounds: 5 },
];

export function quick(load: Load): Load {
  return { ...load, warmUp: load.warmUp / 2, slices: 2, rounds: 1 };
}

export interface Contestant {
  readonly name: string;
  readonly side: Side;
  readonly travel: Travel;
}

interface Part {
  readonly name: string;
  readonly what: string;
  /** The way of the product and the way of the floor that are timed against each other. */
  readonly product: Travel;
  readonly floor: Travel;
  /** Another floor in the same run, and its row in the report. */
  readonly also?: Contestant & { readonly what: string; readonly isDetail?: boolean };
  readonly goals: Readonly<Partial<Record<Load['sessions'], { p50: number; cpu?: number }>>>;
}

const PARTS: readonly Part[] = [
  {
    name: 'trip-http',
    what: 'Trip of three requests',
    product: 'requests',
    floor: 'requests',
    also: {
      name: 'hibernating',
      side: 'hibernating floor',
      travel: 'requests',
      what: 'The floor that waits on a hibernating socket, against the floor that waits in memory',
    },
    goals: { 1: { p50: 1.2, cpu: 1.3 }, 16: { p50: 1.2, cpu: 1.3 }, 64: { p50: 1.3, cpu: 1.4 } },
  },
  {
    name: 'trip-wait',
    what: 'Trip with open and wait in one request',
    product: 'wait',
    floor: 'wait',
    also: {
      name: 'hibernating',
      side: 'hibernating floor',
      travel: 'wait',
      what: 'The floor that opens and waits on a hibernating socket, against the floor that waits in memory',
      isDetail: true,
    },
    goals: { 1: { p50: 1.2 }, 16: { p50: 1.2 } },
  },
  {
    name: 'trip-socket',
    what: 'Trip on sockets, against the floor of three requests',
    product: 'sockets',
    floor: 'requests',
    also: {
      name: 'floor on sockets',
      side: 'floor',
      travel: 'sockets',
      what: 'The floor on sockets, against itself by three requests',
    },
    goals: { 1: { p50: 0.68 }, 16: { p50: 0.75 } },
  },
];

export function drive(
  bench: Bench,
  contestants: readonly Contestant[],
  load: Load,
): Promise<Rounds> {
  const sides = contestants.map(({ side }) => side);
  return withServers(sides, bench, async (servers) => {
    const actors: TripActor[] = [];
    const driven: Driven[] = [];
    for (const [index, { name, travel }] of contestants.entries()) {
      const server = servers[index] as BenchServer;
      const ids = Array.from({ length: load.sessions }, (_, n) => `trip-${n}`);
      const own = await Promise.all(ids.map((id) => tripActor(server, id, travel)));
      actors.push(...own);
      driven.push({ name, pid: server.pid, run: runner(own.map(({ trip }) => trip)) });
    }
    const rounds = bench.rounds ?? load.rounds;
    const measured = await driveInTurns({ ...load, contestants: driven, rounds, log: bench.log });
    for (const actor of actors) actor.leave();
    return measured;
  });
}

function workload(part: Part): Workload {
  const contestants: Contestant[] = [
    { name: 'floor', side: 'floor', travel: part.floor },
    { name: 'product', side: 'product', travel: part.product },
    ...(part.also === undefined ? [] : [part.also]),
  ];
  return {
    name: part.name,
    async run(bench) {
      const findings = [];
      const comparisons: Record<string, Comparison> = {};
      for (const load of LOADS) {
        const who = load.sessions === 1 ? '1 session' : `${load.sessions} sessions`;
        const what = `${part.what}, ${who}`;
        bench.log(`  ${what}`);
        const measured = await drive(bench, contestants, bench.quick ? quick(load) : load);
        const compared = comparisonOf(measured);
        comparisons[who] = compared;
        const goal = part.goals[load.sessions];
        const row = (metric: string, of: string, unit: string, atMost?: number) => {
          const goals: Goal[] = atMost === undefined ? [] : [{ of: 'ratio', atMost }];
          return findingFrom(compared, { what: `${what}, ${of}`, unit, metric, goals });
        };
        findings.push(
          row('p50', 'p50', 'ms', goal?.p50),
          {
            ...row('cpuMs', 'server CPU a trip', 'ms', goal?.cpu),
            ...(part.name === 'trip-http' && load.sessions === 1 && { key: 'trip-cpu' as const }),
          },
          { ...row('p99', 'p99', 'ms'), isDetail: true },
          { ...row('perSecond', 'trips', '/s'), isDetail: true },
        );
        if (part.also === undefined) continue;
        const { what: also, name: of, isDetail = false } = part.also;
        const floorRow = (metric: string, what: string) =>
          findingFrom(compared, { what: `${also}, ${what}`, unit: 'ms', metric, of, isDetail });
        findings.push(
          floorRow('p50', `${who}, p50`),
          floorRow('cpuMs', `${who}, server CPU a trip`),
        );
      }
      return { findings, comparisons };
    },
  };
}

export const trips: readonly Workload[] = PARTS.map(workload);
