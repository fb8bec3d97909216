/** Speaks MCP by hand, in an old and in the new revision of the protocol: every byte that a client sends is in the test. */
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import type { Reachable } from './http/call.ts';

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: ToolReply;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

export interface ToolReply {
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: JsonObject;
  readonly resultType?: string;
  readonly requestState?: string;
  readonly [other: string]: unknown;
}

export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** All that came, in order; the last one is the response. */
  readonly messages: readonly Message[];
}

export interface WireCall {
  readonly era: Era;
  readonly token?: string;
  /** Default: a fresh one; undefined for a notification. */
  readonly id?: number | undefined;
  readonly method: string;
  readonly params?: JsonObject;
  readonly meta?: JsonObject;
  readonly client?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

let ids = 0;

export async function exchange(server: Reachable, call: WireCall): Promise<Exchange> {
  const { era, token, method, params = {}, meta, client = 'test', headers, signal } = call;
  const { fetch = globalThis.fetch } = server;
  ids += 1;
  const id = 'id' in call ? call.id : ids;
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': VERSIONS.modern,
    'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const fullMeta = { ...meta, ...(era === 'modern' && envelope) };
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSIONS[era],
      ...(era === 'modern' && { 'Mcp-Method': method }),
      ...(era === 'modern' && typeof params.name === 'string' && { 'Mcp-Name': params.name }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      method,
      params: { ...params, _meta: fullMeta },
    }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, messages: messagesIn(text) };
}

export interface ToolCall extends Omit<WireCall, 'method' | 'params'> {
  readonly tool: string;
  readonly args: JsonObject;
  readonly requestState?: string;
}

/** One round of a tool call. */
export async function callTool(server: Reachable, call: ToolCall): Promise<ToolReply> {
  const { tool, args, requestState, ...rest } = call;
  const params = {
    name: tool,
    arguments: args,
    ...(requestState !== undefined && { requestState }),
  };
  const seen = await exchange(server, { ...rest, method: 'tools/call', params });
  const { result, error } = seen.messages.at(-1) ?? {};
  if (result === undefined) throw new Error(`${error?.code}: ${error?.message ?? seen.text}`);
  return result;
}

/** Rounds until the outcome: a client of the new revision joins them by itself, a model of an older one calls again. */
export async function callToTheEnd(server: Reachable, call: ToolCall): Promise<ToolReply> {
  let reply = await callTool(server, call);
  for (;;) {
    const { resultType, requestState, structuredContent } = reply;
    if (resultType === 'input_required') {
      reply = await callTool(server, { ...call, requestState: String(requestState) });
    } else if (structuredContent?.status === 'waiting') {
      const args = { question_id: structuredContent.question_id as string };
      reply = await callTool(server, { ...call, args });
    } else {
      return reply;
    }
  }
}

/** What the tool says, as a model reads it. */
export function textOf({ content = [] }: ToolReply): string {
  return content.map(({ text }) => text).join('\n');
}

/** The state of a question, in the JSON that a tool returns. */
export function stateOf(reply: ToolReply): JsonObject & { readonly question_id: string } {
  return JSON.parse(textOf(reply)) as JsonObject & { question_id: string };
}

function messagesIn(text: string): readonly Message[] {
  if (text.trimStart().startsWith('{')) return [JSON.parse(text) as Message];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Message);
}
