/** A reply of the scripted Messages API: the steps of a stream, or a plain response. */
interface WireEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** `raw` is written unchanged. `drop` ends the socket; after `stall` the server sends nothing more. */
export type Step =
  | { readonly event: WireEvent }
  | { readonly raw: string }
  | { readonly tick: true }
  | { readonly waitMs: number }
  | { readonly drop: true }
  | { readonly stall: true };

export type Reply =
  | { readonly steps: readonly Step[] }
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface WireBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface AnswerOptions {
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, number>>;
}

/** Blocks as in a finished message; the server streams them in pieces. */
export function answer(
  blocks: readonly WireBlock[],
  { stopReason = 'end_turn', usage = { output_tokens: 7 } }: AnswerOptions = {},
): Reply {
  const events: WireEvent[] = [
    {
      type: 'message_start',
      message: {
        id: 'msg_scripted',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-5-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1, cache_read_input_tokens: 3 },
      },
    },
    { type: 'ping' },
    ...blocks.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return { steps: events.map((event) => ({ event })) };
}

function blockEvents(block: WireBlock, index: number): WireEvent[] {
  const { start, deltas } = streamed(block);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function streamed(block: WireBlock): { start: WireBlock; deltas: readonly object[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: pieces(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(String(block['thinking'])).map((thinking) => ({
            type: 'thinking_delta',
            thinking,
          })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    case 'tool_use': {
      const { json, input, ...rest } = block;
      const text = typeof json === 'string' ? json : JSON.stringify(input);
      return {
        start: { ...rest, input: {} },
        deltas: ['', ...pieces(text)].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      };
    }
    default:
      return { start: block, deltas: [] };
  }
}

function pieces(text: string): readonly string[] {
  return text.match(/[^]{1,5}/g) ?? [];
}

/** The reply up to its n-th event of this type, and then other steps. */
export function upTo(reply: Reply, type: string, then: readonly Step[], nth = 1): Reply {
  if (!('steps' in reply)) throw new Error('Only a stream can be cut');
  const positions = reply.steps.flatMap((step, index) =>
    'event' in step && step.event.type === type ? [index] : [],
  );
  const position = positions[nth - 1];
  if (position === undefined) throw new Error(`The reply has no ${nth}. ${type}`);
  return { steps: [...reply.steps.slice(0, position + 1), ...then] };
}

/** The reply with a step between all events. */
export function between(reply: Reply, step: Step): Reply {
  if (!('steps' in reply)) throw new Error('Only a stream has events');
  return { steps: reply.steps.flatMap((event) => [step, event]) };
}

export function refusal(
  status: number,
  type: string,
  message = 'scripted',
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, body: JSON.stringify({ type: 'error', error: { type, message } }) };
}
