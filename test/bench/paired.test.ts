/** A comparison in slices. A bug here publishes a ratio of figures that were not measured beside each other. */
import { describe, expect, it } from 'vitest';
import { runner } from '../../bench/lib/closed-loop.ts';
import { comparisonOf, type Driven, driveInTurns } from '../../bench/lib/paired.ts';

function driven(name: string, ms: number, turns: string[]): Driven {
  return {
    name,
    pid: process.pid,
    run: (operations) => {
      turns.push(`${name} ${operations}`);
      return Promise.resolve(Array.from({ length: operations }, () => ms));
    },
  };
}

const PLAN = { warmUp: 7, slice: 5, slices: 3, rounds: 2, log: () => undefined };

describe('driveInTurns', () => {
  it('warms every contestant up before it counts, and gives each the same slices', async () => {
    const turns: string[] = [];
    const contestants = [driven('floor', 2, turns), driven('product', 3, turns)];
    const rounds = await driveInTurns({ ...PLAN, contestants });
    expect(turns.slice(0, 2)).toEqual(['floor 7', 'product 7']);
    expect(turns.slice(2).filter((turn) => turn === 'floor 5')).toHaveLength(6);
    expect(turns.slice(2).filter((turn) => turn === 'product 5')).toHaveLength(6);
    expect(rounds['product']?.map(({ p50 }) => p50)).toEqual([3, 3]);
  });

  it('draws the order of each slice anew', async () => {
    const turns: string[] = [];
    const contestants = [driven('floor', 2, turns), driven('product', 3, turns)];
    // The first slice draws 0.9 and 0.1, so that the floor comes second; the other slices draw it first.
    const draws = [0.9, 0.1, 0.2, 0.3, 0.2, 0.3];
    await driveInTurns({
      ...PLAN,
      contestants,
      rounds: 1,
      random: () => draws.shift() ?? Number.NaN,
    });
    expect(turns.slice(2)).toEqual([
      'product 5',
      'floor 5',
      'floor 5',
      'product 5',
      'floor 5',
      'product 5',
    ]);
  });

  it('passes a failure of a contestant on', async () => {
    const broken: Driven = {
      name: 'product',
      pid: process.pid,
      run: () => Promise.reject(new Error('A wrong answer')),
    };
    const contestants = [driven('floor', 2, []), broken];
    await expect(driveInTurns({ ...PLAN, contestants })).rejects.toThrow('A wrong answer');
  });
});

describe('comparisonOf', () => {
  const rounds = {
    floor: [{ p50: 2, cpuMs: 0 }, { p50: 4 }],
    product: [{ p50: 3, cpuMs: 1 }, { p50: 4 }],
    stream: [{ p50: 6 }, { p50: 2 }],
  };

  it('divides each round by the floor of the same round', () => {
    const { others } = comparisonOf(rounds);
    expect(others['product']?.ratios.map(({ p50 }) => p50)).toEqual([1.5, 1]);
    expect(others['stream']?.ratios.map(({ p50 }) => p50)).toEqual([3, 0.5]);
  });

  it('compares with another contestant on demand', () => {
    const { floor, others } = comparisonOf(rounds, 'product');
    expect(floor).toBe(rounds.product);
    expect(others['stream']?.ratios.map(({ p50 }) => p50)).toEqual([2, 0.5]);
  });

  it('gives no ratio to nothing', () => {
    const [first] = comparisonOf(rounds).others['product']?.ratios ?? [];
    expect(first).toEqual({ p50: 1.5 });
  });
});

describe('runner', () => {
  it('numbers the operations of all actors and all calls differently', async () => {
    const seen: number[] = [];
    const actor = (operation: number) => {
      seen.push(operation);
      return Promise.resolve(1);
    };
    const run = runner([actor, actor]);
    expect(await run(3)).toEqual([1, 1, 1]);
    expect(await run(2)).toEqual([1, 1]);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
