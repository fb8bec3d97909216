/** Tokens as a person reads them: few digits beside a turn, all of them in the details. */
import type { Usage } from '../../protocol/types.ts';
import { formatNumber, t } from './language.ts';

/** Everything that was read, also from the cache, and what was written. */
export function usageText(usage: Usage): string {
  return t('{input} tokens in, {output} out', {
    input: shortNumber(tokensRead(usage)),
    output: shortNumber(usage.outputTokens),
  });
}

export function usageDetails(usage: Usage): string {
  const { outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return t('{input} tokens in ({read} from the cache, {written} into it), {output} out', {
    input: tokensRead(usage),
    read: cacheReadTokens,
    written: cacheWriteTokens,
    output: outputTokens,
  });
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
