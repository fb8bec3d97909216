/**
 * A Responses API on loopback that replies from a script, streamed or not, in the real wire format.
 *
 * It keeps no state between requests: a killed agent that begins again gets the same reply with fresh ids, as from a real
 * model.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelReply, type Script, markOf } from '../e2e-claude/messages-api.ts';

export interface ResponsesModel {
  /** With `/v1`. */
  readonly url: string;
  play(name: string, script: Script): void;
  /** The last request of a scene, as text: all that its model was sent. */
  lastRequest(name: string): string;
  stop(): void;
}

/** What Codex writes for a call that a kill cut off; a real model would call again. */
const OF_CUT_CALL = 'aborted';

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly output?: unknown;
}

export async function startResponsesModel(): Promise<ResponsesModel> {
  const scripts = new Map<string, Script>();
  const requests = new Map<string, string>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((cause: unknown) => {
      console.error('responses api:', cause);
      response.writeHead(500).end();
    });
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url?.endsWith('/responses') !== true) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text) as { stream?: boolean; model?: string; input?: unknown };
    const items = (Array.isArray(body.input) ? body.input : []) as readonly Item[];
    const [name, script] = [...scripts].find(([one]) => text.includes(markOf(one))) ?? [];
    if (name !== undefined) requests.set(name, text);
    const outputs = items.filter(
      ({ type, output }) => type === 'function_call_output' && output !== OF_CUT_CALL,
    );
    const results = outputs.map(({ output }) => ({ text: asText(output), isError: false }));
    const reply = script?.({ step: outputs.length, results, all: text }) ?? { text: 'Fine.' };
    const whole = responseOf(reply, body.model ?? 'scripted');
    if (body.stream === true) stream(response, whole);
    else {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ ...whole, status: 'completed' }));
    }
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (name, script) => void scripts.set(name, script),
    lastRequest: (name) => requests.get(name) ?? '',
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function asText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function responseOf({ text, tools = [] }: ModelReply, model: string) {
  const message = {
    type: 'message',
    id: `msg_${crypto.randomUUID()}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
  const calls = tools.map(({ name, input }) => ({
    type: 'function_call',
    id: `fc_${crypto.randomUUID()}`,
    call_id: `call_${crypto.randomUUID()}`,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }));
  return {
    id: `resp_${crypto.randomUUID()}`,
    object: 'response',
    created_at: 1_790_000_000,
    model,
    status: 'in_progress',
    output: calls.length > 0 ? calls : [message],
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    metadata: {},
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
}

function stream(response: ServerResponse, whole: ReturnType<typeof responseOf>): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, event: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
  send('response.created', { response: { ...whole, output: [] } });
  for (const [index, item] of whole.output.entries()) {
    send('response.output_item.added', { output_index: index, item });
    send('response.output_item.done', { output_index: index, item });
  }
  send('response.completed', { response: { ...whole, status: 'completed' } });
  response.end();
}
