/** Tokens and their cost as a person reads them: few digits beside a turn, all of them in the details. */
import type { Usage } from '../../protocol/types.ts';
import { formatNumber, t } from './language.ts';

/** Everything that was read, also from the cache, and what was written. */
export function usageText(usage: Usage): string {
  const tokens = t('{input} tokens in, {output} out', {
    input: shortNumber(tokensRead(usage)),
    output: shortNumber(usage.outputTokens),
  });
  return withCost(tokens, usage);
}

function withCost(tokens: string, { costUsd }: Usage): string {
  return costUsd === undefined ? tokens : `${tokens} · ${costText(costUsd)}`;
}

/** Cents, and for less than a cent the first digits that say something. */
function costText(costUsd: number): string {
  const digits =
    costUsd === 0 || costUsd >= 0.01
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 2 };
  return formatNumber(costUsd, { style: 'currency', currency: 'USD', ...digits });
}

export function usageDetails(usage: Usage): string {
  const { outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const tokens = t('{input} tokens in ({read} from the cache, {written} into it), {output} out', {
    input: tokensRead(usage),
    read: cacheReadTokens,
    written: cacheWriteTokens,
    output: outputTokens,
  });
  return withCost(tokens, usage);
}

export function hasTokens(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && tokensRead(usage) + usage.outputTokens > 0;
}

function tokensRead({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function shortNumber(count: number): string {
  return formatNumber(count, { notation: 'compact', maximumFractionDigits: 1 });
}
