/**
 * Reads the streamed events that are used, and no more of each than is used.
 *
 * The SDK passes on any JSON under the types of its own version. Unlisted kinds of events, blocks and deltas may arrive
 * at any time and are no fault; a known kind without its fields is a fault. Plain functions read them, because schemas of
 * zod took as long for the field or two of an event as JSON.parse for the event.
 */
import { isObject } from '../../protocol/types.ts';

/** An event, a block or a delta; its other fields are unread. */
type WirePart = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The answer violates its format. The error ends the call; a retry may succeed. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

const EVENTS = {
  message_start(event: WirePart) {
    const { message } = event;
    if (!isObject(message) || message.role !== 'assistant') return reject(event, 'message');
    const usage = readUsage(message.usage) ?? reject(event, 'message.usage');
    return { type: 'message_start' as const, usage };
  },
  content_block_start(event: WirePart) {
    const { content_block: block } = event;
    if (!isWirePart(block)) return reject(event, 'content_block');
    return { type: 'content_block_start' as const, index: readIndex(event), block };
  },
  content_block_delta(event: WirePart) {
    const { delta } = event;
    if (!isWirePart(delta)) return reject(event, 'delta');
    return { type: 'content_block_delta' as const, index: readIndex(event), delta };
  },
  content_block_stop(event: WirePart) {
    return { type: 'content_block_stop' as const, index: readIndex(event) };
  },
  message_delta(event: WirePart) {
    const { delta } = event;
    const stopReason = isObject(delta) ? delta.stop_reason : undefined;
    if (stopReason !== null && typeof stopReason !== 'string') {
      return reject(event, 'delta.stop_reason');
    }
    const usage = readUsage(event.usage ?? {}) ?? reject(event, 'usage');
    return { type: 'message_delta' as const, stopReason, usage };
  },
  message_stop: () => ({ type: 'message_stop' as const }),
};

const BLOCKS = {
  text: (block: WirePart) => ({ type: 'text' as const, text: readText(block, 'text') }),
  thinking(block: WirePart) {
    const thinking = readText(block, 'thinking');
    const signature = block.signature === undefined ? '' : readText(block, 'signature');
    return { type: 'thinking' as const, thinking, signature };
  },
  redacted_thinking(block: WirePart) {
    return { type: 'redacted_thinking' as const, data: readText(block, 'data') };
  },
  tool_use(block: WirePart) {
    const id = readText(block, 'id') || reject(block, 'id');
    const name = readText(block, 'name') || reject(block, 'name');
    return { type: 'tool_use' as const, id, name, input: block.input };
  },
};

/** The one field of each kind of delta, which is a text. */
const DELTA_FIELDS = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const;
type DeltaType = keyof typeof DELTA_FIELDS;

type Readers = Readonly<Record<string, (part: WirePart) => unknown>>;
type ReadBy<T extends Readers> = ReturnType<T[keyof T]>;

export type WireEvent = ReadBy<typeof EVENTS>;
export type WireBlock = ReadBy<typeof BLOCKS>;
export type WireDelta = {
  [T in DeltaType]: { readonly type: T } & Readonly<Record<(typeof DELTA_FIELDS)[T], string>>;
}[DeltaType];

/** Each count is the total of the message so far; an absent count has not changed. */
export interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Undefined when the kind is unknown, as of the two below. */
export function readWireEvent(value: unknown): WireEvent | undefined {
  return readKind(EVENTS, value, 'an event');
}

export function readWireBlock(value: unknown): WireBlock | undefined {
  return readKind(BLOCKS, value, 'a block');
}

export function readWireDelta(delta: WirePart): WireDelta | undefined {
  const { type } = delta;
  if (!Object.hasOwn(DELTA_FIELDS, type)) return undefined;
  readText(delta, DELTA_FIELDS[type as DeltaType]);
  return delta as WireDelta;
}

function readKind<T extends Readers>(kinds: T, value: unknown, what: string) {
  if (!isWirePart(value)) throw new MalformedAnswerError(`${what} has no type`);
  if (!Object.hasOwn(kinds, value.type)) return undefined;
  return kinds[value.type]?.(value) as ReadBy<T>;
}

function isWirePart(value: unknown): value is WirePart {
  return isObject(value) && typeof value.type === 'string';
}

function readText(part: WirePart, name: string): string {
  const text = part[name];
  return typeof text === 'string' ? text : reject(part, name);
}

function readIndex(event: WirePart): number {
  return isCount(event.index) ? event.index : reject(event, 'index');
}

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

/** Undefined if it is none. */
function readUsage(usage: unknown): WireUsage | undefined {
  if (!isObject(usage)) return undefined;
  return COUNTS.every((name) => usage[name] == null || isCount(usage[name])) ? usage : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function reject({ type }: WirePart, where: string): never {
  throw new MalformedAnswerError(`something of the type ${type} is wrong at ${where}`);
}
