/** A scripted reply as a message of the API, and as the events that stream it. */
import type { ScriptedReply } from './scenario.ts';

export interface StreamedReply {
  readonly reply: ScriptedReply;
  readonly model: string;
  readonly inputChars: number;
  readonly freshId: () => string;
}

interface ReplyEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Short enough to be seen arriving, long enough not to cost a frame for each letter. */
const FEW_WORDS = /\s*\S+(?:\s+\S+){0,2}\s*/g;
const JSON_CHARS = 24;
/** An estimate: the demo model has no tokenizer. */
const CHARS_PER_TOKEN = 4;

export function buildMessage({ reply, model, inputChars, freshId }: StreamedReply) {
  const calls = reply.calls ?? [];
  const content = [
    { type: 'text' as const, text: reply.text },
    ...calls.map((call) => ({ type: 'tool_use' as const, id: `toolu_${freshId()}`, ...call })),
  ];
  return {
    id: `msg_${freshId()}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
      output_tokens: Math.ceil(JSON.stringify(content).length / CHARS_PER_TOKEN),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

export function* replyEvents(message: ReturnType<typeof buildMessage>): Generator<ReplyEvent> {
  const { content, stop_reason, stop_sequence, usage } = message;
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  yield { type: 'message_start', message: begun };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    const start = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  const { output_tokens } = usage;
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } };
  yield { type: 'message_stop' };
}

type ContentBlock = ReturnType<typeof buildMessage>['content'][number];

function deltasOf(block: ContentBlock): readonly object[] {
  if (block.type === 'text') {
    const pieces = block.text.match(FEW_WORDS) ?? [block.text];
    return pieces.map((text) => ({ type: 'text_delta', text }));
  }
  const json = JSON.stringify(block.input);
  const pieces = Array.from({ length: Math.ceil(json.length / JSON_CHARS) }, (_, index) =>
    json.slice(index * JSON_CHARS, (index + 1) * JSON_CHARS),
  );
  return ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

export function sseText(event: ReplyEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
