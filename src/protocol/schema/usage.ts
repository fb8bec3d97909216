/** Tokens of calls of a model, and what they cost. */
import * as z from './zod.ts';

export const Usage = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z
    .number()
    .min(0)
    .exactOptional()
    .describe(
      'US dollars: of an agent elsewhere as it reports, else by the prices of the settings.',
    ),
});
export type Usage = Readonly<z.infer<typeof Usage>>;
