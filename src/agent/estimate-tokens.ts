/**
 * How many tokens a message has, about, before the API counts them with its answer.
 *
 * A guess that is too low lets a conversation grow past the window; one that is too high summarizes it a turn early.
 */
import { countBytes } from '../protocol/bytes.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { AssistantContent, ModelMessage, UserContent } from './message.ts';

/** English has four bytes for a token, code and other scripts fewer. */
const BYTES_PER_TOKEN = 3.5;
/** The API makes larger pictures smaller. */
const TOKENS_OF_A_PICTURE = 1_600;
/** What stands around each block. */
const TOKENS_OF_A_BLOCK = 8;

export function estimateTokens({ content }: ModelMessage): number {
  let tokens = 0;
  for (const block of content) tokens += TOKENS_OF_A_BLOCK + estimateBlock(block);
  return Math.ceil(tokens);
}

function estimateTextTokens(text: string): number {
  return Math.ceil(countBytes(text) / BYTES_PER_TOKEN);
}

/** As many characters as these tokens surely hold. */
export function charsOfTokens(tokens: number): number {
  return Math.floor(tokens * (BYTES_PER_TOKEN - 1));
}

function estimateBlock(block: AssistantContent | UserContent): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text);
    case 'thinking':
      return estimateTextTokens(block.text);
    case 'redacted_thinking':
      return estimateTextTokens(block.data);
    case 'tool_use':
      return estimateTextTokens(block.name + JSON.stringify(block.input));
    case 'tool_result':
      return estimateTextTokens(block.content);
    case 'image':
      return TOKENS_OF_A_PICTURE;
    case 'file':
      return estimateFile(block.file);
  }
}

function estimateFile({ width, bytes }: AttachedFile): number {
  if (width !== undefined) return TOKENS_OF_A_PICTURE;
  return bytes > LIMITS.modelFileBytes ? 0 : bytes / BYTES_PER_TOKEN;
}
