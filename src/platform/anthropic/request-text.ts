/**
 * Writes a request as the text of the Messages API.
 *
 * Each request sends the whole conversation again, and its beginning is written once. The marks of the
 * cache are four, as many as the API takes: behind the tools and the system prompt, which outlive a conversation, and behind
 * the last message of this request and of the one before it. The API looks for the earlier mark only some twenty blocks
 * back, and one answer with many calls is longer.
 */
import type {
  Base64ImageSource,
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { AssistantContent, ModelMessage, UserContent } from '../../agent/message.ts';
import type { ModelRequest, ModelTool } from '../../agent/model.ts';
import { describeAttachedFile } from '../../protocol/describe-attached-files.ts';

type Marked = { readonly cache_control?: CacheControlEphemeral };

const CACHE_MARK: Marked = { cache_control: { type: 'ephemeral' } };
/** An answer and a message stand between the ends of two requests. */
const MESSAGES_BACK = 2;

export function writeRequest(request: ModelRequest, thinking?: ThinkingConfigParam): string {
  const { model, system, messages, tools, maxTokens, isCached } = request;
  const mark = isCached ? CACHE_MARK : {};
  const head = {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(system !== undefined && { system: [{ type: 'text', text: system, ...mark }] }),
    ...(thinking !== undefined && { thinking }),
  } satisfies Omit<MessageCreateParamsStreaming, 'messages' | 'system'> & {
    readonly system?: readonly TextBlockParam[];
  };
  const toolsText = tools.length === 0 ? '' : `"tools":[${writeTools(tools, isCached)}],`;
  return `${JSON.stringify(head).slice(0, -1)},${toolsText}"messages":[${writeMessages(messages, mark)}]}`;
}

interface WrittenBeginning {
  /** Each message with a comma after it. */
  readonly text: string;
  readonly count: number;
  readonly last: ModelMessage | undefined;
}

const NOTHING_WRITTEN: WrittenBeginning = { text: '', count: 0, last: undefined };
/** By the first message of a conversation; the others follow it as long as the last one is in its place. */
const BEGINNINGS = new WeakMap<ModelMessage, WrittenBeginning>();

function writeMessages(messages: readonly ModelMessage[], mark: Marked): string {
  const [first] = messages;
  if (first === undefined) return '';
  const end = Math.max(0, messages.length - 1 - MESSAGES_BACK);
  const kept = BEGINNINGS.get(first) ?? NOTHING_WRITTEN;
  const isSame = kept.count <= end && messages[kept.count - 1] === kept.last;
  let { text, count } = isSame ? kept : NOTHING_WRITTEN;
  for (; count < end; count += 1) text += `${writeMessageText(messages[count] as ModelMessage)},`;
  BEGINNINGS.set(first, { text, count, last: messages[count - 1] });
  const rest = messages
    .slice(end)
    .map((message, index, { length }) =>
      index === length - 1 || index === length - 1 - MESSAGES_BACK
        ? writeMessageText(message, mark)
        : writeMessageText(message),
    );
  return text + rest.join(',');
}

/** Each without a mark. Sessions share the built-in tools, whose schemas are the longest part of a short request. */
const TOOL_TEXTS = new WeakMap<ModelTool, string>();

function writeTools(tools: readonly ModelTool[], isCached: boolean): string {
  const text = tools.map(writeTool).join(',');
  return isCached ? `${text.slice(0, -1)},${JSON.stringify(CACHE_MARK).slice(1)}` : text;
}

function writeTool(tool: ModelTool): string {
  const kept = TOOL_TEXTS.get(tool);
  if (kept !== undefined) return kept;
  const { name, description, inputSchema } = tool;
  const text = JSON.stringify({ name, description, input_schema: inputSchema } satisfies Tool);
  TOOL_TEXTS.set(tool, text);
  return text;
}

/** The mark stands in the last block of a message. */
function writeMessageText({ role, content }: ModelMessage, mark: Marked = {}): string {
  const blocks = content.map(wireBlock);
  const last = blocks.pop();
  if (last !== undefined) blocks.push({ ...last, ...mark });
  return JSON.stringify({ role, content: blocks });
}

function wireBlock(block: AssistantContent | UserContent): ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'image': {
      const media_type = block.mediaType as Base64ImageSource['media_type'];
      return { type: 'image', source: { type: 'base64', media_type, data: block.data } };
    }
    case 'file':
      return { type: 'text', text: `Attached: ${describeAttachedFile(block.file)}` };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: block.content,
        ...(block.isError && { is_error: true }),
      };
  }
}
