/** A conversation as one text, for a model that has no room for the conversation itself. */
import { describeAttachedFile } from '../protocol/describe-attached-files.ts';
import type { AssistantContent, ModelMessage, UserContent } from './message.ts';
import { cutText } from './tools/fit-text.ts';

/** The end says more about what is left to do. */
const SHARE_OF_THE_END = 0.7;
/** Of one text or result, if all together are too long. */
const BLOCK_CHARS = [8_000, 2_000, 500, 120] as const;

/** At most as many characters. Long texts are cut first; if that is not enough, the middle is left out. */
export function writeTranscript(messages: readonly ModelMessage[], maxChars: number): string {
  let text = '';
  for (const chars of BLOCK_CHARS) {
    text = messages.map((message) => writeMessage(message, chars)).join('\n\n');
    if (text.length <= maxChars) return text;
  }
  const gap = '\n\n[The middle is left out here.]\n\n';
  const room = Math.max(0, maxChars - gap.length);
  const atEnd = Math.floor(room * SHARE_OF_THE_END);
  const end = text.slice(text.length - atEnd);
  return `${cutText(text, room - atEnd)}${gap}${end}`.toWellFormed();
}

function writeMessage({ role, content }: ModelMessage, chars: number): string {
  const blocks = (content as readonly (AssistantContent | UserContent)[]).flatMap((block) => {
    const text = writeBlock(block);
    return text === undefined ? [] : [shorten(text, chars)];
  });
  return `${role === 'user' ? 'Person' : 'Agent'}:\n${blocks.join('\n')}`;
}

function shorten(text: string, chars: number): string {
  const rest = text.length - chars;
  return rest <= 0 ? text : `${cutText(text, chars)} [Cut here: ${rest} more characters.]`;
}

/** Undefined for what says nothing to another reader. */
function writeBlock(block: AssistantContent | UserContent): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `[Calls ${block.name} with ${JSON.stringify(block.input)}]`;
    case 'tool_result':
      return `[${block.isError ? 'Failed' : 'Result'}: ${block.content}]`;
    case 'file':
      return `[Attached: ${describeAttachedFile(block.file)}]`;
    case 'image':
      return '[A picture]';
    case 'thinking':
    case 'redacted_thinking':
      return undefined;
  }
}
