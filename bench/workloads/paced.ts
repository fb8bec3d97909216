/**
 * The trip at the pace of people: 350 ms between the moment a person sees the question and the answer, and 350 ms until
 * the agent asks again.
 *
 * Without a pause a session reports many trips to its workspace at once, and the price of a report vanishes; at this
 * pace each opening and each answer falls due by itself. Both servers are driven during the same seconds: the load is
 * a fraction of a core, so neither is in the way of the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, type Side, withServers } from '../lib/bench-server.ts';
import { runner } from '../lib/closed-loop.ts';
import { countSyncs } from '../lib/count-syncs.ts';
import { findingFrom } from '../lib/finding.ts';
import type { Metrics } from '../lib/interleave.ts';
import { comparisonOf } from '../lib/paired.ts';
import { processUsage } from '../lib/process-usage.ts';
import { percentile, spreadOf } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { type TripActor, tripActor } from './trip-actor.ts';

const PARTS = {
  'the floor whose Worker reads and answers and that reports': 'reading and reporting floor',
  'the floor that keeps what the product keeps': 'keeping floor',
} as const;
const SIDES: readonly Side[] = ['floor', 'product', ...Object.values(PARTS)];
const SESSIONS = 32;
const PAUSE_MS = 350;
/** Trips without a pause before the first: at this pace the functions of the server would be compiled for minutes. */
const WARM_UP_TRIPS = 1_000;
/** More than the pauses of a trip: every session has made one at this pace, and reported. */
const SETTLE_MS = 2_000;

/** Trips that go on until they are stopped. */
class PacedTrips {
  readonly #actors: readonly TripActor[];
  readonly #ended: Promise<unknown>;
  #isOver = false;
  #times: number[] = [];
  #failure: unknown;

  constructor(actors: readonly TripActor[]) {
    this.#actors = actors;
    this.#ended = Promise.all(actors.map((actor, place) => this.#repeat(actor, place))).catch(
      (error: unknown) => {
        this.#failure = error;
      },
    );
  }

  /** The times without the pause of the person, since the last call. */
  takeTimes(): number[] {
    if (this.#failure !== undefined) throw this.#failure;
    const times = this.#times;
    this.#times = [];
    return times;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    for (const actor of this.#actors) actor.leave();
    this.takeTimes();
  }

  async #repeat(actor: TripActor, place: number): Promise<void> {
    // Spread over the length of a trip, or all sessions would ask at the same moment.
    await sleep((place / SESSIONS) * 2 * PAUSE_MS);
    for (let trip = WARM_UP_TRIPS + 1; !this.#isOver; trip += 1) {
      const took = await actor.pacedTrip(trip, PAUSE_MS);
      // Read after the wait: a trip that is under way when the times are taken counts for the next taker.
      this.#times.push(took - PAUSE_MS);
      await sleep(PAUSE_MS);
    }
  }
}

interface Paced {
  readonly server: BenchServer;
  readonly trips: PacedTrips;
}

async function startTrips(server: BenchServer): Promise<Paced> {
  const ids = Array.from({ length: SESSIONS }, (_, n) => `paced-${n}`);
  const actors = await Promise.all(ids.map((id) => tripActor(server, id, 'requests')));
  await runner(actors.map(({ trip }) => trip))(WARM_UP_TRIPS);
  return { server, trips: new PacedTrips(actors) };
}

async function timeRound(paced: readonly Paced[], seconds: number): Promise<Metrics[]> {
  const before = paced.map(({ server, trips }) => {
    trips.takeTimes();
    return processUsage(server.pid)?.cpuMs;
  });
  await sleep(seconds * 1_000);
  return paced.map(({ server, trips }, index): Metrics => {
    const times = trips.takeTimes();
    const [from, to] = [before[index], processUsage(server.pid)?.cpuMs];
    const hasCpu = from !== undefined && to !== undefined;
    return {
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      ...(hasCpu && { cpuMs: (to - from) / times.length }),
    };
  });
}

/** Fsyncs of every file of the server, for each trip; strace slows the trips down, so nothing is timed meanwhile. */
async function syncsPerTrip({ server, trips }: Paced, seconds: number) {
  let count = 0;
  const files = await countSyncs(server.pid, async () => {
    trips.takeTimes();
    await sleep(seconds * 1_000);
    count = trips.takeTimes().length;
  });
  if (files === undefined) return undefined;
  return Object.values(files).reduce((sum, times) => sum + times, 0) / count;
}

export const pacing: Workload = {
  name: 'paced',
  async run(bench: Bench) {
    const what = `Trip at the pace of people, ${SESSIONS} sessions`;
    bench.log(`  ${what}`);
    const seconds = bench.quick ? 3 : 5;
    const { measured, syncs } = await withServers(SIDES, bench, async (servers) => {
      const paced: Paced[] = [];
      for (const server of servers) paced.push(await startTrips(server));
      await sleep(SETTLE_MS);
      const rounds: Record<string, Metrics[]> = {};
      for (let round = 0; round < (bench.rounds ?? (bench.quick ? 1 : 6)); round += 1) {
        const figures = await timeRound(paced, seconds);
        for (const [index, side] of SIDES.entries()) {
          (rounds[side] ??= []).push(figures[index] ?? {});
        }
      }
      const counted = await Promise.all(paced.map((one) => syncsPerTrip(one, seconds)));
      await Promise.all(paced.map(({ trips }) => trips.stop()));
      const [floor, product] = counted;
      return { measured: rounds, syncs: { floor, product } };
    });
    const compared = comparisonOf(measured);
    const of = (count: number | undefined) => spreadOf(count === undefined ? [] : [count]);
    return {
      comparisons: { [what]: compared },
      raw: { syncs },
      findings: [
        {
          key: 'paced-syncs',
          what: `${what}, commits (fsync) a trip`,
          unit: '',
          product: of(syncs.product),
          floor: of(syncs.floor),
          goals: [{ of: 'product', atMost: 3 }],
          note: syncs.product === undefined ? 'not counted: strace is missing' : undefined,
        },
        findingFrom(compared, {
          key: 'paced-cpu',
          what: `${what}, server CPU a trip`,
          unit: 'ms',
          metric: 'cpuMs',
          goals: [{ of: 'ratio', atMost: 1.6 }],
        }),
        ...Object.entries(PARTS).map(([which, side]) =>
          findingFrom(compared, {
            what: `${what}, server CPU a trip of ${which}`,
            unit: 'ms',
            metric: 'cpuMs',
            of: side,
            isDetail: true,
          }),
        ),
        findingFrom(compared, {
          what: `${what}, p50 without the pause`,
          unit: 'ms',
          metric: 'p50',
        }),
        findingFrom(compared, {
          what: `${what}, p99 without the pause`,
          unit: 'ms',
          metric: 'p99',
          isDetail: true,
        }),
      ],
    };
  },
};
