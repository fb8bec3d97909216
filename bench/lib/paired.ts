/**
 * Compares servers that run side by side and are driven in short slices, one server at a time, in an order that is
 * drawn anew for each slice.
 *
 * A slice lasts a fraction of a second, so a disk or a neighbor that slows the machine down for seconds slows every
 * contestant down alike, which blocks of seconds do not guarantee. Each contestant has a server of its own: the
 * processor time of a server is all its own then, work after the reply included, whichever slice that work falls into.
 */
import { type Comparison, type Metrics, shown } from './interleave.ts';
import { processUsage } from './process-usage.ts';
import { percentile } from './statistics.ts';

export interface Driven {
  readonly name: string;
  readonly pid: number;
  /** Runs so many operations, every answer checked, and resolves to the time of each. */
  run(operations: number): Promise<readonly number[]>;
}

export interface Turns {
  readonly contestants: readonly Driven[];
  /** Operations of each contestant that are not counted. */
  readonly warmUp: number;
  /** Operations in one slice. */
  readonly slice: number;
  /** Slices of each contestant in a round; a round gives one figure for each metric. */
  readonly slices: number;
  readonly rounds: number;
  /** From 0 to 1; tests give their own. */
  readonly random?: () => number;
  readonly log: (line: string) => void;
}

/** For each contestant, its metrics in each round. */
export type Rounds = Readonly<Record<string, readonly Metrics[]>>;

export async function driveInTurns(turns: Turns): Promise<Rounds> {
  const { contestants, warmUp, rounds, log } = turns;
  for (const contestant of contestants) await contestant.run(warmUp);
  const all: Record<string, Metrics[]> = {};
  for (const { name } of contestants) all[name] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = await driveRound(turns);
    for (const [name, metrics] of Object.entries(measured)) {
      all[name]?.push(metrics);
      log(`    ${name.padEnd(22)} ${shown(metrics)}`);
    }
  }
  return all;
}

async function driveRound({ contestants, slice, slices, random = Math.random }: Turns) {
  const taken = contestants.map((driven) => ({
    driven,
    times: [] as number[],
    ms: 0,
    before: processUsage(driven.pid)?.cpuMs,
  }));
  for (let turn = 0; turn < slices; turn += 1) {
    for (const one of shuffled(taken, random)) {
      const start = performance.now();
      one.times.push(...(await one.driven.run(slice)));
      one.ms += performance.now() - start;
    }
  }
  const metrics = taken.map(({ driven, times, ms, before }): [string, Metrics] => {
    const after = processUsage(driven.pid)?.cpuMs;
    const hasCpu = before !== undefined && after !== undefined;
    return [
      driven.name,
      {
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        perSecond: times.length / (ms / 1_000),
        ...(hasCpu && { cpuMs: (after - before) / times.length }),
      },
    ];
  });
  return Object.fromEntries(metrics);
}

/** The ratio of each round is to the floor in the same round. */
export function comparisonOf(rounds: Rounds, floor = 'floor'): Comparison {
  const bases = rounds[floor] ?? [];
  const others = Object.entries(rounds).filter(([name]) => name !== floor);
  return {
    floor: bases,
    others: Object.fromEntries(
      others.map(([name, blocks]) => {
        const ratios = blocks.map((block, round) => ratioOf(block, bases[round] ?? {}));
        return [name, { blocks, ratios }];
      }),
    ),
    discarded: 0,
  };
}

function ratioOf(block: Metrics, base: Metrics): Metrics {
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(block)) {
    const of = base[name];
    if (of !== undefined && of > 0) found[name] = value / of;
  }
  return found;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
