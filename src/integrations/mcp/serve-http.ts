/**
 * One HTTP request of an MCP client. Nothing outlives the request: questions are in their sessions, and what joins the
 * rounds of one call is carried by the client, signed.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { ToolHost } from './tool-host.ts';
import { createToolServer, type ServerInfo } from './tool-server.ts';

export interface McpHttpRequest {
  readonly request: Request;
  /** The parsed body. */
  readonly body: unknown;
  readonly host: ToolHost;
  readonly info: ServerInfo;
}

export async function serveMcpRequest({
  request,
  body,
  host,
  info,
}: McpHttpRequest): Promise<Response> {
  let failure: Error | undefined;
  const handler = createMcpHandler((context) => createToolServer(context, host, info), {
    // A body would be silent during the wait.
    responseMode: 'sse',
    // Its route keeps the stream alive, and notices that no one reads it.
    keepAliveMs: 0,
    // Called for every refused request too.
    onerror: (error) => (failure = error),
  });
  const response = await handler.fetch(request, { parsedBody: body });
  if (response.status === 500) host.warn('An MCP request failed', failure);
  return response;
}
