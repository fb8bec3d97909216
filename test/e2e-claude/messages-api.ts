/**
 * A Messages API that replies from a script, in the real wire format.
 *
 * Claude Code calls it like the real API: streams, side requests for titles, token counts. A mark in its first message
 * identifies a conversation; every request without a mark gets a short text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ToolUse {
  readonly name: string;
  readonly input: object;
}
/** The next reply of the model: text, or text and calls. */
export interface ModelReply {
  readonly text: string;
  /** Comes before the words. */
  readonly thinking?: string;
  readonly tools?: readonly ToolUse[];
  /** Not as a stream: the SDK then has all calls in one message. */
  readonly isWhole?: boolean;
}
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}
/** The content that the model has received so far. */
export interface Conversation {
  /** The number of its replies so far. */
  readonly step: number;
  /** The results of its last calls. */
  readonly results: readonly ToolResult[];
  /** Everything, as one text. */
  readonly all: string;
}
export type Script = (conversation: Conversation) => ModelReply;

export interface MessagesApi {
  readonly url: string;
  readonly requests: number;
  play(mark: string, script: Script): void;
  /** The last request of the conversation with a mark, as text: all that its model was sent. */
  lastRequest(mark: string): string;
  stop(): void;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}
interface Body {
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly unknown[];
}

export const markOf = (name: string) => `[scene ${name}]`;

export async function startMessagesApi(): Promise<MessagesApi> {
  const scripts = new Map<string, Script>();
  const last = new Map<string, string>();
  let requests = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch((cause: unknown) => {
      console.error('messages api:', cause);
      response.writeHead(500).end();
    });
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const text = await textOf(request);
    const body = JSON.parse(text || '{}') as Body;
    if (request.url?.includes('count_tokens')) return json(response, { input_tokens: 10 });
    if (request.method !== 'POST') return json(response, {});
    const conversation = conversationOf(body);
    const [mark, script] = [...scripts].find(([one]) => conversation.all.includes(one)) ?? [];
    const isMain = (body.tools?.length ?? 0) > 0 && script !== undefined;
    if (isMain && mark !== undefined) last.set(mark, text);
    const reply = isMain ? script(conversation) : { text: 'Fine.' };
    if (body.stream === true && reply.isWhole === true) response.writeHead(404).end();
    else if (body.stream === true) stream(response, reply);
    else json(response, messageOf(reply));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    play: (mark, script) => void scripts.set(mark, script),
    lastRequest: (mark) => last.get(mark) ?? '',
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

function conversationOf({ messages = [] }: Body): Conversation {
  const last = messages.findLast(({ role }) => role === 'user');
  const blocks = typeof last?.content === 'string' ? [] : (last?.content ?? []);
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error: isError = false }) => ({ text: plain(content), isError }));
  return {
    step: messages.filter(({ role }) => role === 'assistant').length,
    results,
    all: messages.map(({ content }) => plain(content)).join('\n'),
  };
}

function plain(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: Block) => block.text ?? plain(block.content)).join('\n');
}

let made = 0;

function messageOf({ text, thinking, tools = [] }: ModelReply) {
  made += 1;
  const content = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 'scripted' }]),
    { type: 'text', text },
    ...tools.map((tool, index) => ({
      type: 'tool_use',
      id: `toolu_e2e_${made}_${index}`,
      ...tool,
    })),
  ];
  return {
    id: `msg_e2e_${made}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content,
    stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
}

function stream(response: ServerResponse, reply: ModelReply): void {
  const message = messageOf(reply);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (event: { readonly type: string }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const { content, stop_reason, stop_sequence, usage } = message;
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
  send({ type: 'message_start', message: begun } as { type: string });
  for (const [index, block] of content.entries()) {
    const { empty, deltas } = streamedBlock(block);
    send({ type: 'content_block_start', index, content_block: empty } as { type: string });
    for (const delta of deltas) {
      send({ type: 'content_block_delta', index, delta } as { type: string });
    }
    send({ type: 'content_block_stop', index } as { type: string });
  }
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage } as { type: string });
  send({ type: 'message_stop' });
  response.end();
}

/** A block as it begins, and the pieces that fill it. */
function streamedBlock(block: ReturnType<typeof messageOf>['content'][number]) {
  if ('thinking' in block) {
    const { thinking, signature } = block;
    return {
      empty: { ...block, thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
    };
  }
  if ('text' in block) {
    return { empty: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
  }
  const partial = JSON.stringify(block.input);
  return {
    empty: { ...block, input: {} },
    deltas: [{ type: 'input_json_delta', partial_json: partial }],
  };
}
