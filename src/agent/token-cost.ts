/** What an answer of a model costs, by the prices of the workspace. */
import type { ModelPrice } from '../protocol/schema/prices.ts';
import type { ModelUsage } from './model.ts';

const CACHE_READ_SHARE = 0.1;
const CACHE_WRITE_SHARE = 1.25;
const TOKENS_OF_A_PRICE = 1_000_000;
/** Sums of binary fractions would otherwise show digits that are no part of a bill. */
const STEPS_OF_A_DOLLAR = 1_000_000_000;

/** Undefined without a price for this model: no cost is not a cost of nothing. */
export function findCostUsd(
  prices: readonly ModelPrice[],
  model: string,
  usage: ModelUsage,
): number | undefined {
  const price = prices
    .filter((one) => model.startsWith(one.model))
    .reduce<ModelPrice | undefined>(
      (longest, one) => (one.model.length > (longest?.model.length ?? 0) ? one : longest),
      undefined,
    );
  if (price === undefined) return undefined;
  const { input, output } = price;
  const { cacheRead = input * CACHE_READ_SHARE, cacheWrite = input * CACHE_WRITE_SHARE } = price;
  const dollars =
    (usage.inputTokens * input +
      usage.outputTokens * output +
      usage.cacheReadTokens * cacheRead +
      usage.cacheWriteTokens * cacheWrite) /
    TOKENS_OF_A_PRICE;
  return Math.round(dollars * STEPS_OF_A_DOLLAR) / STEPS_OF_A_DOLLAR;
}
