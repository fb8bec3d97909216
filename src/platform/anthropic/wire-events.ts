/**
 * Schemas of the streamed events that are used.
 *
 * The SDK passes on any JSON under the types of its own version. Unlisted kinds of events, blocks and deltas may arrive
 * at any time and are no fault; a known kind without its fields is a fault.
 */
import * as z from 'zod';

const TokenCount = z.number().int().min(0);
const WireUsageFields = z.object({
  input_tokens: TokenCount.nullish(),
  output_tokens: TokenCount.nullish(),
  cache_read_input_tokens: TokenCount.nullish(),
  cache_creation_input_tokens: TokenCount.nullish(),
});
export type WireUsage = z.infer<typeof WireUsageFields>;

const BlockIndex = z.number().int().min(0);

const WIRE_EVENTS = {
  message_start: z.object({
    type: z.literal('message_start'),
    message: z.object({ role: z.literal('assistant'), usage: WireUsageFields }),
  }),
  content_block_start: z.object({
    type: z.literal('content_block_start'),
    index: BlockIndex,
    content_block: z.looseObject({ type: z.string() }),
  }),
  content_block_delta: z.object({
    type: z.literal('content_block_delta'),
    index: BlockIndex,
    delta: z.looseObject({ type: z.string() }),
  }),
  content_block_stop: z.object({ type: z.literal('content_block_stop'), index: BlockIndex }),
  message_delta: z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullable() }),
    usage: WireUsageFields.nullish(),
  }),
  message_stop: z.object({ type: z.literal('message_stop') }),
} as const;

const BLOCKS = {
  text: z.object({ type: z.literal('text'), text: z.string() }),
  thinking: z.object({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().default(''),
  }),
  redacted_thinking: z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  tool_use: z.object({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.unknown(),
  }),
} as const;

const DELTAS = {
  text_delta: z.object({ type: z.literal('text_delta'), text: z.string() }),
  thinking_delta: z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
  signature_delta: z.object({ type: z.literal('signature_delta'), signature: z.string() }),
  input_json_delta: z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
} as const;

type WireSchemas = Readonly<Record<string, z.ZodType>>;
type WireOutput<T extends WireSchemas> = z.output<T[keyof T]>;

export type WireEvent = WireOutput<typeof WIRE_EVENTS>;
export type WireBlock = WireOutput<typeof BLOCKS>;
export type WireDelta = WireOutput<typeof DELTAS>;

/** The answer violates its format. The error ends the call; a retry may succeed. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

export const readWireEvent = (value: unknown) => read(WIRE_EVENTS, value, 'an event');
export const readWireBlock = (value: unknown) => read(BLOCKS, value, 'a block');
export const readWireDelta = (value: unknown) => read(DELTAS, value, 'a delta');

/** Undefined when the kind is unknown. */
function read<T extends WireSchemas>(
  kinds: T,
  value: unknown,
  what: string,
): WireOutput<T> | undefined {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') throw new MalformedAnswerError(`${what} has no type`);
  const schema = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data as WireOutput<T>;
  const where = result.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new MalformedAnswerError(`${what} of the type ${type} is wrong at ${where}`);
}
