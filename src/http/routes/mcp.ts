/** The endpoint of MCP clients. What a tool does is in `integrations/mcp/`; here is who may call, and from where. */
import * as z from '../../protocol/schema/zod.ts';
import { reject } from '../../protocol/errors.ts';
import { JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import { HELD_INPUT_LIMITS } from '../body.ts';
import { isOriginAllowed } from '../response-headers.ts';
import { INTERACTIONS_TAG, route, type RouteCall } from '../route.ts';
import { createSseResponse } from '../streaming/sse-response.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import { HttpTransport } from '../../client/http-transport.ts';
import { rootOf } from '../../protocol/caller.ts';
import { toolSessionOf } from '../mcp-session.ts';
import { TITLE_CHARS } from '../../protocol/limits.ts';
import { readToken } from '../authenticate.ts';
import type { McpHost, McpPorts } from '../ports.ts';

/** Names the session for all calls of a client. */
const SESSION_HEADER = 'Holdpoint-Session';
/** Made for each `initialize`; nothing is kept under it but the calls that wait. */
const CLIENT_HEADER = 'Mcp-Session-Id';

/** One message. The tools send no requests to a client, so no client has a response to post. */
const McpMessage = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: JsonObjectSchema.optional(),
});

const OTHER_ORIGIN = reject('forbidden', 'This origin may not call; see HOLDPOINT_ORIGINS');

export const mcpRoutes = [
  route({
    method: 'POST',
    path: '/mcp',
    // Its messages are those of the Model Context Protocol, which has a description of its own.
    unlisted: true,
    tag: INTERACTIONS_TAG,
    summary: 'Call the tools of Holdpoint as an MCP client',
    description:
      'The Model Context Protocol over HTTP, in the revisions up to 2025-11-25 and in 2026-07-28, with the tools `ask_human`, `approve` and `check_answer`. ' +
      `The header \`${SESSION_HEADER}\` names the session to ask in.`,
    access: { in: 'either', anyOf: ['agent'] },
    body: McpMessage,
    bodyLimits: HELD_INPUT_LIMITS,
    oddInput: ['params', 'arguments', 'input'],
    responses: {
      200: { description: 'A message, or a stream of messages' },
      202: { description: 'A notification was taken; it has no reply' },
    },
    errorCodes: ['forbidden'],
    async handle(call) {
      const { request, ports, body, inputText } = call;
      const { mcp, config } = ports;
      if (mcp === undefined) return reject('not_found', 'There are no tools here');
      if (!isOriginAllowed(request, config, 'loopback')) return OTHER_ORIGIN;
      const host = { ...mcpHost(call, mcp), inputText };
      if (body.method === 'notifications/cancelled') await cancelCall(call, mcp, host);
      const response = watched(await mcp.serve(readable(request), body, host));
      return body.method === 'initialize' ? withClientId(response) : response;
    },
  }),
];

/** A tool that waits for a client that has gone away must end, so that its question does not stay open for no one. */
function watched(response: Response): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get('Content-Type') !== 'text/event-stream') return response;
  const stream = createSseResponse(({ write, end }) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    void forward(reader, write).then(end, end);
    return () => void reader.cancel().catch(() => undefined);
  });
  return new Response(stream.body, { status, headers });
}

async function forward(
  reader: ReadableStreamDefaultReader<string>,
  write: (text: string) => void,
): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    write(value);
  }
}

const BOTH_FORMS = 'application/json, text/event-stream';

/** The request without its body, which has been read. A client that accepts anything accepts both forms of a response. */
function readable({ url, method, headers, signal }: Request): Request {
  const copy = new Headers(headers);
  if (['', '*/*'].includes(headers.get('Accept') ?? '')) copy.set('Accept', BOTH_FORMS);
  // Bodies of other types were read as JSON, or refused.
  copy.set('Content-Type', 'application/json');
  return new Request(url, { method, headers: copy, signal });
}

/** The host of requests that leave no process. */
const OWN_API = 'http://api.internal';

type McpCall = Pick<
  RouteCall<unknown, unknown, unknown>,
  'request' | 'identity' | 'ports' | 'keepRunning'
> & { readonly body: z.output<typeof McpMessage> };

/**
 * Whom the tools of an MCP request serve, from the request and its credential.
 *
 * The tools use the API of this server with the same credential: what they may do is decided by the same checks as for
 * any other client, and the limits count every request that they make.
 */
function mcpHost(call: McpCall, mcp: McpPorts): McpHost {
  const { request, identity, ports, keepRunning, body } = call;
  const { caller, workspace, session } = identity;
  const { credential, subject } = caller;
  const named = request.headers.get(SESSION_HEADER)?.trim();
  const key = callKey(call, body.id);
  return {
    transport: new HttpTransport({
      url: OWN_API,
      token: readToken(request) ?? '',
      fetch: async (input, init) => mcp.api(new Request(input, init)),
      WebSocket: false,
    }),
    session: session ?? (named === '' ? undefined : named),
    defaultSession: toolSessionOf(caller),
    title: `MCP (${subject})`.slice(0, TITLE_CHARS),
    holder: `${workspace}\n${credential}`,
    stateKey: mcp.stateKey(workspace),
    onRunning: key === undefined ? undefined : (running) => mcp.calls.add(key, running),
    keepRunning,
    warn: ports.warn,
  };
}

/** The call that a client made in its session; without a session two clients of one credential have the same ids. */
function callKey({ request, identity }: McpCall, id: unknown): string | undefined {
  const client = request.headers.get(CLIENT_HEADER)?.trim() ?? '';
  if (client === '' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const { caller, workspace } = identity;
  return JSON.stringify([workspace, rootOf(caller), caller.subject, client, id]);
}

/** A notification has no reply, so a failure is for the log. */
async function cancelCall(call: McpCall, mcp: McpPorts, { transport, warn }: McpHost) {
  const key = callKey(call, call.body.params?.requestId);
  if (key === undefined) return;
  await mcp.calls.cancel(key, transport).catch((cause: unknown) => {
    warn('A call of an MCP client could not be cancelled', cause);
  });
}

function withClientId(response: Response): Response {
  const headers = new Headers(response.headers);
  if (response.ok) headers.set(CLIENT_HEADER, freshKey());
  return new Response(response.body, { status: response.status, headers });
}
