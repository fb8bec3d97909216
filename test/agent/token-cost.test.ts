/** A bug here looks like a turn that costs what another model costs, or nothing where nobody knows its price. */
import { describe, expect, it } from 'vitest';
import { findCostUsd } from '../../src/agent/token-cost.ts';

const USAGE = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cacheReadTokens: 2_000_000,
  cacheWriteTokens: 400_000,
};

describe('[DAILY-6] what an answer costs', () => {
  it('is the price of each token', () => {
    const price = { model: 'large', input: 3, output: 15, cacheRead: 0.5, cacheWrite: 5 };
    expect(findCostUsd([price], 'large', USAGE)).toBe(3 + 1.5 + 1 + 2);
  });

  it('takes a tenth and five quarters of the input for the cache where nothing else is said', () => {
    expect(findCostUsd([{ model: 'large', input: 4, output: 20 }], 'large', USAGE)).toBe(
      4 + 2 + 0.8 + 2,
    );
  });

  it('takes the longest name that the model begins with', () => {
    const prices = ['claude', 'claude-small', 'claude-small-9', 'other'].map((model, at) => ({
      model,
      input: at + 1,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    }));
    expect(findCostUsd(prices, 'claude-small-5', USAGE)).toBe(2);
    expect(findCostUsd(prices.toReversed(), 'claude-small-5', USAGE)).toBe(2);
  });

  it('is unknown without a price, and nothing with a price of nothing', () => {
    expect(findCostUsd([], 'large', USAGE)).toBeUndefined();
    expect(findCostUsd([{ model: 'larger', input: 1, output: 1 }], 'large', USAGE)).toBeUndefined();
    expect(findCostUsd([{ model: 'l', input: 0, output: 0 }], 'large', USAGE)).toBe(0);
  });
});
