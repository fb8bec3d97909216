/**
 * Runs blocks in the order F P F P F …, and compares each P with the mean of the two F beside it.
 *
 * The speed of the machine varies from one minute to the next by more than the effect of most code changes. If two
 * floor blocks agree, the block between them ran at the same speed. If they do not, the block between them is discarded
 * and repeated, a bounded number of times, and the report gives the count. Each metric is judged by itself: a disk that
 * other processes keep busy spoils latencies, but not processor time or memory.
 */
import { type Spread, spreadOf } from './statistics.ts';

export type Metrics = Readonly<Record<string, number>>;

export interface Contestant {
  readonly name: string;
  /** One block: a server of its own, warmed up, a fixed number of operations, every answer checked. */
  run(): Promise<Metrics>;
}

export interface Plan {
  readonly floor: Contestant;
  /** Run in this order in even rounds and in the reverse in odd ones. */
  readonly others: readonly Contestant[];
  readonly rounds: number;
  /** The metrics on which two floor blocks must agree, or the block between them is repeated. */
  readonly steadyBy: string;
  /** How many blocks of the whole plan may be repeated. */
  readonly redo: number;
  readonly log: (line: string) => void;
}

interface Compared {
  readonly blocks: readonly Metrics[];
  /** For each block, the ratios of the metrics on which its neighbors agree. */
  readonly ratios: readonly Metrics[];
}

export interface Comparison {
  readonly floor: readonly Metrics[];
  readonly others: Readonly<Record<string, Compared>>;
  readonly discarded: number;
}

const MAX_APART = 0.3;

export async function interleave(plan: Plan): Promise<Comparison> {
  const floor: Metrics[] = [];
  const others: Record<string, { blocks: Metrics[]; ratios: Metrics[] }> = {};
  for (const { name } of plan.others) others[name] = { blocks: [], ratios: [] };
  let discarded = 0;
  let redo = plan.redo;

  const run = async ({ name, run }: Contestant) => {
    const metrics = await run();
    plan.log(`    ${name.padEnd(16)} ${shown(metrics)}`);
    return metrics;
  };
  const runFloor = async () => {
    const metrics = await run(plan.floor);
    floor.push(metrics);
    return metrics;
  };

  let left = await runFloor();
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = round % 2 === 0 ? plan.others : plan.others.toReversed();
    for (const contestant of order) {
      for (;;) {
        const metrics = await run(contestant);
        const right = await runFloor();
        const neighbors = [left, right] as const;
        left = right;
        others[contestant.name]?.blocks.push(metrics);
        others[contestant.name]?.ratios.push(ratios(metrics, neighbors));
        if (apart(neighbors, plan.steadyBy) <= MAX_APART) break;
        discarded += 1;
        const again = redo > 0;
        plan.log(`    discarded: the floor moved by more than 30 %${again ? ', again' : ''}`);
        if (!again) break;
        redo -= 1;
      }
    }
  }
  return { floor, others, discarded };
}

/** Over the blocks: the metric itself, or its ratio to the floor. */
export function spreadOver(blocks: readonly Metrics[], metric: string): Spread | undefined {
  return spreadOf(blocks.map((block) => block[metric]).filter((value) => value !== undefined));
}

function apart([left, right]: readonly [Metrics, Metrics], metric: string): number {
  const [a = 0, b = 0] = [left[metric], right[metric]];
  return Math.abs(a - b) / ((a + b) / 2);
}

function ratios(metrics: Metrics, neighbors: readonly [Metrics, Metrics]): Metrics {
  const [left, right] = neighbors;
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(metrics)) {
    const [a, b] = [left[name], right[name]];
    if (a === undefined || b === undefined || a + b === 0) continue;
    if (apart(neighbors, name) <= MAX_APART) found[name] = value / ((a + b) / 2);
  }
  return found;
}

export function shown(metrics: Metrics): string {
  return Object.entries(metrics)
    .map(([name, value]) => `${name} ${value.toPrecision(3)}`)
    .join('  ');
}
