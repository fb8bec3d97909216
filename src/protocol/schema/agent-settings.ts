/**
 * The settings of a session's built-in agent: model, system prompt, tools, limits.
 *
 * This file has their shape. `core/tools/agent-settings.ts` decides whether they can be used: whether a name is reserved, or
 * an address forbidden.
 */
import { isObject, type JsonObject } from '../types.ts';
import * as z from './zod.ts';
import { fitsInBytes } from '../bytes.ts';
import { LIMITS } from '../limits.ts';

/** A JSON Schema of an object: a tool takes its input by name. */
type ToolInputSchema = JsonObject & { type: 'object' };

const InputSchema = z
  .custom<ToolInputSchema>(isObjectSchema, 'Use a JSON Schema with "type": "object"')
  .refine(
    (schema) => fitsInBytes(JSON.stringify(schema), LIMITS.toolSchemaBytes),
    'The schema is too large',
  )
  .meta({ type: 'object', description: 'A JSON Schema of type "object", at most 16 KiB.' });

const AgentToolClass = z.enum(['read', 'edit', 'execute']);

const TOOL_FIELDS = {
  /** The characters that the model's API accepts. */
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use 1 to 64 of A-Z a-z 0-9 _ -'),
  description: z.string().min(1).max(LIMITS.toolDescriptionChars),
  inputSchema: InputSchema,
};

const RUN_FIELDS = {
  ...TOOL_FIELDS,
  /** The class for the permission mode; it is configured and not guessed from the name. */
  class: AgentToolClass.default('execute'),
  /** A second run has no further effect, so the call may be repeated without asking. */
  idempotent: z.boolean().default(false),
};

const HttpTool = z.strictObject({
  type: z.literal('http'),
  ...RUN_FIELDS,
  url: z.string().min(1).max(LIMITS.toolUrlChars),
  timeoutSeconds: z.number().int().min(1).max(LIMITS.httpToolSeconds).default(60),
});
type HttpTool = z.infer<typeof HttpTool>;

/** A client of the session runs it and posts the result. */
const ClientTool = z.strictObject({
  type: z.literal('client'),
  ...RUN_FIELDS,
  timeoutSeconds: z.number().int().min(1).max(LIMITS.clientToolSeconds).default(600),
});
type ClientTool = z.infer<typeof ClientTool>;

/** Nothing runs: the input of a call is a request of this kind, and the answer of a person is the result. */
const PersonTool = z.strictObject({
  type: z.literal('person'),
  ...TOOL_FIELDS,
  /** One of the kinds of this deployment. */
  kind: z.string().min(1).max(LIMITS.nameChars),
  request: z
    .custom<JsonObject>(isObject, 'Use a JSON object')
    .meta({ type: 'object', description: 'Fields of the request that the model cannot change.' })
    .optional(),
});

export const AgentTool = z.discriminatedUnion('type', [HttpTool, ClientTool, PersonTool]);
export type AgentTool = z.infer<typeof AgentTool>;

const Tools = z
  .array(AgentTool)
  .max(LIMITS.agentTools)
  .refine(
    (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
    'Tool names must differ',
  );

const SHAPE = {
  model: z.string().min(1).max(LIMITS.modelNameChars).optional(),
  system: z
    .string()
    .max(LIMITS.textChars)
    .refine((text) => text.trim() !== '', 'Must not be blank')
    .optional(),
  tools: Tools.optional(),
  /** Calls of the model in one turn. */
  maxSteps: z.number().int().min(1).max(LIMITS.turnStepsMax).optional(),
  /** Tokens of one answer of the model. */
  maxTokens: z.number().int().min(LIMITS.answerTokensMin).max(LIMITS.answerTokensMax).optional(),
  /** Of the model: what it reads and writes in one request. */
  contextTokens: z
    .number()
    .int()
    .min(LIMITS.contextTokensMin)
    .max(LIMITS.contextTokensMax)
    .optional()
    .describe('The window of the model. Default: 200000.'),
  compactAtPercent: z
    .number()
    .int()
    .min(0)
    .max(LIMITS.compactAtPercentMax)
    .optional()
    .describe(
      'The share of the window from which on the conversation is summarized; 0 for never. Default: 80.',
    ),
  promptCaching: z
    .boolean()
    .optional()
    .describe('False for a gateway that refuses the marks of the cache. Default: true.'),
};

export const AgentSettings = z
  .strictObject(SHAPE)
  .refine(
    (settings) => fitsInBytes(JSON.stringify(settings), LIMITS.agentSettingsBytes),
    'The settings are too large',
  )
  .meta({ id: 'AgentSettings' });
export type AgentSettings = z.infer<typeof AgentSettings>;

/** The settings for an administrator, with the defaults of the tools filled in. */
export const KeptAgentSettings = z.strictObject(SHAPE).meta({ id: 'KeptAgentSettings' });

function isObjectSchema(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, 'type') && value.type === 'object';
}

/** The path or the query of an address may hold a key, so readers see only its origin. */
const HttpToolView = z.strictObject({
  type: z.literal('http'),
  name: TOOL_FIELDS.name,
  class: AgentToolClass,
  origin: z.string().describe('Scheme, host and port of its address.'),
});

/**
 * The agent for readers of a session and for its log. Addresses and the system prompt are for administrators and appear in
 * no event.
 */
export const AgentView = z
  .strictObject({
    model: SHAPE.model,
    tools: z.array(z.discriminatedUnion('type', [HttpToolView, ClientTool, PersonTool])).optional(),
    maxSteps: SHAPE.maxSteps,
    maxTokens: SHAPE.maxTokens,
    contextTokens: SHAPE.contextTokens,
    compactAtPercent: SHAPE.compactAtPercent,
    promptCaching: SHAPE.promptCaching,
  })
  .meta({ id: 'Agent' });
export type AgentView = z.infer<typeof AgentView>;
