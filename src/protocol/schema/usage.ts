/** Tokens of calls of a model. */
import * as z from 'zod';

export const Usage = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});
export type Usage = Readonly<z.infer<typeof Usage>>;
