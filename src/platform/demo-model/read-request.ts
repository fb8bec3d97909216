/**
 * Reads a request to the Messages API into the types of the agent.
 *
 * The schema is strict: the demo model must not accept a request that the real API would refuse.
 */
import * as z from '../../protocol/schema/zod.ts';
import type { AssistantContent, ModelMessage, UserContent } from '../../agent/message.ts';
import { JsonObjectSchema } from '../../protocol/schema/interaction.ts';

const CacheMark = {
  cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional(),
};
const WireText = z.strictObject({ type: z.literal('text'), text: z.string(), ...CacheMark });
const WireToolUseBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: JsonObjectSchema,
});
const Thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string(),
});
const Redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });
const WireToolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(WireText)]).default(''),
  is_error: z.boolean().default(false),
  ...CacheMark,
});
const WireImage = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64(),
  }),
  ...CacheMark,
});
const WireUserMessage = z.strictObject({
  role: z.literal('user'),
  content: z.union([
    z.string(),
    z.array(z.discriminatedUnion('type', [WireText, WireImage, WireToolResult])),
  ]),
});
const WireAssistantMessage = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([
    z.string(),
    z.array(z.discriminatedUnion('type', [WireText, Thinking, Redacted, WireToolUseBlock])),
  ]),
});
const WireTool = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
});

const MessagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  stream: z.boolean().default(false),
  messages: z.array(z.discriminatedUnion('role', [WireUserMessage, WireAssistantMessage])).min(1),
  tools: z.array(WireTool).default([]),
});

/** Of one request; the API refuses more. */
const MAX_CACHE_MARKS = 4;

export interface ReadRequest {
  readonly model: string;
  readonly isStream: boolean;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly string[];
}

export type ReadRequestResult =
  | { readonly ok: true; readonly request: ReadRequest }
  | { readonly ok: false; readonly problem: string };

export function readRequest(body: unknown): ReadRequestResult {
  const result = MessagesRequest.safeParse(body);
  if (!result.success) return { ok: false, problem: z.prettifyError(result.error) };
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  if (marks > MAX_CACHE_MARKS) return { ok: false, problem: `${marks} blocks have cache_control` };
  const { model, stream, messages, tools } = result.data;
  const names = tools.map(({ name }) => name);
  const request = { model, isStream: stream, messages: messages.map(toModelMessage), tools: names };
  return { ok: true, request };
}

type WireMessage = z.output<typeof WireUserMessage> | z.output<typeof WireAssistantMessage>;

function toModelMessage(message: WireMessage): ModelMessage {
  const { role, content } = message;
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  return message.role === 'user'
    ? { role: 'user', content: contentBlocks(message.content).map(userBlock) }
    : { role: 'assistant', content: contentBlocks(message.content).map(assistantBlock) };
}

function contentBlocks<Block>(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [] : content;
}

function userBlock(
  block: z.output<typeof WireText> | z.output<typeof WireImage> | z.output<typeof WireToolResult>,
): UserContent {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') {
    const { media_type: mediaType, data } = block.source;
    return { type: 'image', mediaType, data };
  }
  const { tool_use_id: toolUseId, is_error: isError, content } = block;
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n');
  return { type: 'tool_result', toolUseId, content: text, isError };
}

type WireAssistantBlock =
  | z.output<typeof WireText>
  | z.output<typeof Thinking>
  | z.output<typeof Redacted>
  | z.output<typeof WireToolUseBlock>;

function assistantBlock(block: WireAssistantBlock): AssistantContent {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type !== 'thinking') return block;
  return { type: 'thinking', text: block.thinking, signature: block.signature };
}
