/**
 * Rules: what is allowed, asked about or denied without asking anew, for one session or the whole workspace.
 *
 * A rule looks at the tool, and at no more than one thing of its input. It is never changed: decisions name it. The fields
 * after `inputDigest` were added later; a stored rule without `effect` allows.
 */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { InteractionId, SessionId } from './ids.ts';
import { JsonObjectSchema, ToolName } from './interaction.ts';

export const RuleEffect = z.enum(['allow', 'ask', 'deny']);
export type RuleEffect = z.infer<typeof RuleEffect>;

const SERVER_TOOLS = /^mcp__[A-Za-z0-9_-]*[A-Za-z0-9-]__\*$/;
const RuleTool = ToolName.refine(
  (name) => !name.includes('*') || SERVER_TOOLS.test(name),
  'Use the exact name of a tool, or mcp__server__* for all tools of an MCP server',
).describe('The exact name of a tool, or `mcp__server__*` for all tools of an MCP server.');

const CommandPrefix = z
  .string()
  .min(1)
  .max(LIMITS.ruleCommandChars)
  .describe('The first words of a command: `npm test` covers `npm test -- x`, not `npm testify`.');
const PathGlob = z
  .string()
  .min(1)
  .max(LIMITS.rulePatternChars)
  .describe(
    'The path of a file with `*`, `?` and `**`; a relative one begins where the agent works.',
  );
const HostPattern = z
  .string()
  .min(1)
  .max(LIMITS.ruleHostChars)
  .describe('A host, or `*.example.org` for every name below it.');
const ExpiresAt = z
  .number()
  .int()
  .positive()
  .describe('In milliseconds since 1970; afterwards the rule counts no longer.');
const Reason = z.string().min(1).max(LIMITS.ruleReasonChars);
/** On every way to a rule. */
export const EveryCommandFlag = z
  .literal(true)
  .describe('Confirms that a rule for any input of a shell allows every command.');

export const Rule = z
  .strictObject({
    id: z.string(),
    toolName: z.string(),
    inputDigest: z.string().optional(),
    createdAt: z.number(),
    createdBy: z.string(),
    interactionId: z.string().optional().describe('The request from which it was made.'),
    effect: RuleEffect.optional().describe('Left out in older rules, which allow.'),
    command: CommandPrefix.optional(),
    path: PathGlob.optional(),
    host: HostPattern.optional(),
    everyCommand: EveryCommandFlag.optional(),
    expiresAt: z.number().optional(),
    reason: z.string().optional(),
    sessionId: z
      .string()
      .optional()
      .describe('The session of that request, in a rule of the workspace.'),
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof Rule>;

/** What a person chooses with an approval: the tool is that of the request, which the rule must cover. */
export const RuleChoice = z
  .strictObject({
    command: CommandPrefix.exactOptional(),
    path: PathGlob.exactOptional(),
    host: HostPattern.exactOptional(),
    expiresAt: ExpiresAt.exactOptional(),
    reason: Reason.exactOptional(),
  })
  .meta({ id: 'RuleChoice' });
export type RuleChoice = z.infer<typeof RuleChoice>;

export const CreateRule = z
  .strictObject({
    effect: RuleEffect,
    toolName: RuleTool,
    input: JsonObjectSchema.optional().describe('Exactly this input.'),
    command: CommandPrefix.optional(),
    path: PathGlob.optional(),
    host: HostPattern.optional(),
    everyCommand: EveryCommandFlag.optional(),
    expiresAt: ExpiresAt.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: 'CreateRule' });
export type CreateRule = z.infer<typeof CreateRule>;

/** Of the workspace: `from` is a request that the rule must cover. */
export const CreateWorkspaceRule = CreateRule.extend({
  from: z.strictObject({ sessionId: SessionId, interactionId: InteractionId }).optional(),
}).meta({ id: 'CreateWorkspaceRule' });
export type CreateWorkspaceRule = z.infer<typeof CreateWorkspaceRule>;
