/** A rule as a decision names it. A file of its own, because records name rules and rules name requests. */
import * as z from './zod.ts';

export const RuleScope = z.enum(['session', 'workspace']);
export type RuleScope = z.infer<typeof RuleScope>;

/** Older decisions have the id alone. */
export const CitedRule = z
  .strictObject({
    rule: z.string(),
    scope: RuleScope.optional(),
    createdBy: z.string().optional(),
    pattern: z.string().optional().describe('What it covers, in words: `Bash: npm test …`.'),
    others: z
      .array(z.string())
      .optional()
      .describe('The rules that cover the other commands of the line.'),
  })
  .meta({ id: 'CitedRule' });
export type CitedRule = z.infer<typeof CitedRule>;
