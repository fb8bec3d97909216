import type { Usage } from './schema/usage.ts';

/** The tokens of both together. A turn without usage adds none. */
export function addTurnUsage(total: Usage | undefined, turn: Usage | undefined): Usage | undefined {
  if (total === undefined || turn === undefined) return total ?? turn;
  return {
    inputTokens: total.inputTokens + turn.inputTokens,
    outputTokens: total.outputTokens + turn.outputTokens,
    cacheReadTokens: total.cacheReadTokens + turn.cacheReadTokens,
    cacheWriteTokens: total.cacheWriteTokens + turn.cacheWriteTokens,
  };
}
