/** The figures of the report. A bug here publishes a goal as reached that was missed. */
import { describe, expect, it } from 'vitest';
import { type Finding, isReached } from '../../bench/lib/finding.ts';
import { type Contestant, interleave } from '../../bench/lib/interleave.ts';
import { costsBetween, type ObjectCosts } from '../../bench/lib/object-costs.ts';
import { NO_COSTS } from '../../bench/product/no-costs.mjs';
import { median, percentile, spreadOf } from '../../bench/lib/statistics.ts';
import { workspaceFindings } from '../../bench/workloads/workspace-pages.ts';

describe('statistics', () => {
  it('takes the middle value, or the mean of the middle two', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
  });

  it('takes a percentile from the sorted values', () => {
    const values = Array.from({ length: 100 }, (_, n) => 100 - n);
    expect(percentile(values, 0.5)).toBe(51);
    expect(percentile(values, 0.99)).toBe(100);
    expect(percentile(values, 1)).toBe(100);
  });

  it('refuses to summarize nothing', () => {
    expect(() => median([])).toThrow('Nothing was measured');
    expect(() => percentile([], 0.5)).toThrow('Nothing was measured');
    expect(spreadOf([])).toBeUndefined();
  });

  it('keeps the range beside the median', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, count: 3 });
  });
});

function finding(ratio: number | undefined, product: number, atMost: number): Finding {
  const goals = [{ of: 'ratio', atMost } as const, { of: 'product', atMost: 100 } as const];
  return {
    what: 'A trip',
    unit: 'ms',
    product: spreadOf([product]),
    ratio: spreadOf(ratio === undefined ? [] : [ratio]),
    goals,
  };
}

describe('isReached', () => {
  it('holds only if every goal is reached, the limit included', () => {
    expect(isReached(finding(1.2, 90, 1.2))).toBe(true);
    expect(isReached(finding(1.21, 90, 1.2))).toBe(false);
    expect(isReached(finding(1, 101, 1.2))).toBe(false);
  });

  it('says neither if a figure is missing or there is no goal', () => {
    expect(isReached(finding(undefined, 90, 1.2))).toBeUndefined();
    expect(isReached({ what: 'A trip', unit: 'ms', goals: [] })).toBeUndefined();
  });
});

describe('interleave', () => {
  function contestant(name: string, values: number[]): Contestant {
    return { name, run: () => Promise.resolve({ p50: values.shift() ?? Number.NaN }) };
  }
  const plan = { rounds: 1, steadyBy: 'p50', log: () => undefined };

  it('divides a block by the mean of the two floor blocks beside it', async () => {
    const floor = contestant('floor', [1, 1.2]);
    const { others } = await interleave({
      ...plan,
      redo: 0,
      floor,
      others: [contestant('product', [2.2])],
    });
    expect(others['product']?.ratios[0]?.['p50']).toBeCloseTo(2);
  });

  it('repeats a block between floor blocks that differ, and counts it', async () => {
    const floor = contestant('floor', [1, 2, 2]);
    const { others, discarded } = await interleave({
      ...plan,
      redo: 1,
      floor,
      others: [contestant('product', [3, 4])],
    });
    expect(discarded).toBe(1);
    expect(others['product']?.ratios).toEqual([{}, { p50: 2 }]);
  });
});

describe('costsBetween', () => {
  const at = (session: Partial<ObjectCosts>, workspace: Partial<ObjectCosts>) => ({
    session: { ...NO_COSTS, ...session },
    workspace: { ...NO_COSTS, ...workspace },
  });

  it('adds both objects, and a moved alarm as one written row', () => {
    const before = at({ rowsWritten: 3, requests: 1 }, { rowsWritten: 2 });
    const after = at(
      { rowsWritten: 8, requests: 4, alarmMoves: 1 },
      { rowsWritten: 3, requests: 2 },
    );
    const costs = costsBetween(before, after);
    expect(costs).toMatchObject({ rowsWritten: 7, requests: 5, alarmMoves: 1, wakes: 0 });
  });
});

describe('workspaceFindings', () => {
  it('compares the pages of the same block, and ignores the blocks of the floor', () => {
    const blocks = [
      { inboxLarge: 3, inboxSmall: 2, sessionsLarge: 1, sessionsSmall: 1, seconds: 9 },
    ];
    const others = { product: { blocks, ratios: [{}] } };
    const findings = workspaceFindings({ floor: [{ seconds: 8 }], others, discarded: 0 }, '10,000');
    expect(findings.map(({ what, ratio }) => [what, ratio?.median])).toEqual([
      ['First page of the inbox: 10,000 sessions, against 100', 1.5],
      ['First page of the sessions: 10,000 sessions, against 100', 1],
    ]);
  });
});
