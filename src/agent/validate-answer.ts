/** Finds the fault for which the API would refuse a message of the assistant, without its context. */
import type { AssistantContent, AssistantMessage } from './message.ts';

/** Ids that the API accepts, no longer than an id of the log (`ToolCallId`). */
const TOOL_USE_ID = /^[A-Za-z0-9_-]{1,128}$/;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,128}$/;

export function isThinking(block: AssistantContent | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

export function findAnswerProblem({ content }: AssistantMessage): string | undefined {
  if (content.length === 0) return 'is empty';
  for (const block of content) {
    const problem = findBlockProblem(block);
    if (problem !== undefined) return problem;
  }
  if (isThinking(content.at(-1))) return 'ends with thinking';
  const firstThinking = content.findIndex(isThinking);
  const firstCall = content.findIndex(({ type }) => type === 'tool_use');
  if (firstCall !== -1 && firstThinking > firstCall) return 'thinks only after its first tool call';
  return undefined;
}

function findBlockProblem(block: AssistantContent): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? 'has a text block without text' : undefined;
    case 'thinking':
      return block.signature === '' ? 'has thinking without a signature' : undefined;
    case 'redacted_thinking':
      return block.data === '' ? 'has redacted thinking without its data' : undefined;
    case 'tool_use':
      if (!TOOL_USE_ID.test(block.id)) return `has a tool call with the id "${block.id}"`;
      if (!TOOL_NAME.test(block.name)) return `calls a tool by the name "${block.name}"`;
      return undefined;
    default:
      return describeUnknownBlock(block);
  }
}

/** Another version may have stored the conversation. */
export function describeUnknownBlock(block: never): string {
  return `has a block of the unknown type ${String((block as { type?: unknown }).type)}`;
}
