/** Converts a model request to the form of the Messages API. */
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantContent, ModelMessage, UserContent } from '../../agent/message.ts';
import type { ModelRequest, ModelTool } from '../../agent/model.ts';

type Params = Anthropic.MessageStreamParams;
type BlockParam = Anthropic.ContentBlockParam;

export function toWire(
  request: ModelRequest,
  thinking: Anthropic.ThinkingConfigParam | undefined,
): Params {
  const { model, system, messages, tools, maxTokens } = request;
  return {
    model,
    max_tokens: maxTokens,
    // Each step of a turn sends the whole conversation again; the API then reads the earlier part from its cache.
    cache_control: { type: 'ephemeral' },
    messages: messages.map(wireMessage),
    ...(system !== undefined && { system }),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(thinking !== undefined && { thinking }),
  };
}

function wireTool({ name, description, inputSchema }: ModelTool): Anthropic.Tool {
  return { name, description, input_schema: inputSchema };
}

function wireMessage({ role, content }: ModelMessage): Anthropic.MessageParam {
  return { role, content: content.map(wireBlock) };
}

function wireBlock(block: AssistantContent | UserContent): BlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: block.content,
        ...(block.isError && { is_error: true }),
      };
  }
}
