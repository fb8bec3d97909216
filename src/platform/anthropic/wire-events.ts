/**
 * Schemas of the streamed events that are used.
 *
 * The SDK passes on any JSON under the types of its own version. Unlisted kinds of events, blocks and deltas may arrive
 * at any time and are no fault; a known kind without its fields is a fault. Deltas have no schema: an answer has hundreds,
 * of one field each.
 */
import * as z from '../../protocol/schema/zod.ts';
import { isObject } from '../../protocol/types.ts';

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

/** The one field of each kind of delta, which is a text. */
const DELTA_FIELDS = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const;
type DeltaType = keyof typeof DELTA_FIELDS;

type WireSchemas = Readonly<Record<string, z.ZodType>>;
type WireOutput<T extends WireSchemas> = z.output<T[keyof T]>;

interface BlockDelta {
  readonly type: 'content_block_delta';
  readonly index: number;
  readonly delta: { readonly type: string };
}
export type WireEvent = WireOutput<typeof WIRE_EVENTS> | BlockDelta;
export type WireBlock = WireOutput<typeof BLOCKS>;
export type WireDelta = {
  [T in DeltaType]: { readonly type: T } & Readonly<Record<(typeof DELTA_FIELDS)[T], string>>;
}[DeltaType];

/** The answer violates its format. The error ends the call; a retry may succeed. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

export const readWireBlock = (value: unknown) => read(BLOCKS, value, 'a block');

export function readWireEvent(value: unknown): WireEvent | undefined {
  return isObject(value) && value.type === 'content_block_delta'
    ? readBlockDelta(value)
    : read(WIRE_EVENTS, value, 'an event');
}

function readBlockDelta({ index, delta }: Readonly<Record<string, unknown>>): BlockDelta {
  const isRead = Number.isInteger(index) && isObject(delta) && typeof delta.type === 'string';
  if (!isRead) throw new MalformedAnswerError('an event of the type content_block_delta is wrong');
  return { type: 'content_block_delta', index, delta } as BlockDelta;
}

/** Undefined when the kind is unknown. */
export function readWireDelta(delta: BlockDelta['delta']): WireDelta | undefined {
  const { type } = delta;
  if (!Object.hasOwn(DELTA_FIELDS, type)) return undefined;
  const field = DELTA_FIELDS[type as DeltaType];
  const text: unknown = Reflect.get(delta, field);
  if (typeof text === 'string') return delta as WireDelta;
  throw new MalformedAnswerError(`a delta of the type ${type} is wrong at ${field}`);
}

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
