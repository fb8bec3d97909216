/** What tokens of a model cost, as an administrator enters it. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';

const DollarsPerMillion = z.number().min(0).max(LIMITS.dollarsPerMillionTokens);

export const ModelPrice = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(LIMITS.modelNameChars)
      .describe('The name of a model, or its beginning; of several the longest counts.'),
    input: DollarsPerMillion,
    output: DollarsPerMillion,
    cacheRead: DollarsPerMillion.exactOptional().describe('Left out, a tenth of `input`.'),
    cacheWrite: DollarsPerMillion.exactOptional().describe('Left out, 1.25 of `input`.'),
  })
  .meta({ id: 'ModelPrice', description: 'US dollars for a million tokens.' });
export type ModelPrice = Readonly<z.infer<typeof ModelPrice>>;
