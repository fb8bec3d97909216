/**
 * Whom the tools of an MCP request serve, from the request and its credential.
 *
 * The tools use the API of this server with the same credential: what they may do is decided by the same checks as for any
 * other client, and the limits count every request that they make.
 */
import type { Context as HonoContext } from 'hono';
import { HttpTransport } from '../client/http-transport.ts';
import { hashText } from '../core/digest.ts';
import { rootOf } from '../protocol/caller.ts';
import { TITLE_CHARS } from '../protocol/limits.ts';
import { readToken } from './authenticate.ts';
import type { HttpPorts, Identity, McpHost, McpPorts } from './ports.ts';

/** Names the session for all calls of a client. */
export const SESSION_HEADER = 'Holdpoint-Session';

/** The host of requests that leave no process. */
const OWN_API = 'http://api.internal';
/** A client that waits learns soon that something is wrong; it can call again. */
const TOOLS_GIVE_UP_AFTER_MS = 10_000;

export function mcpHost(
  http: HonoContext,
  { caller, workspace, session }: Identity,
  mcp: McpPorts,
  warn: HttpPorts['warn'],
): McpHost {
  const request = http.req.raw;
  const { credential, subject } = caller;
  const named = request.headers.get(SESSION_HEADER)?.trim();
  return {
    transport: new HttpTransport({
      url: OWN_API,
      token: readToken(request) ?? '',
      fetch: async (input, init) => mcp.api(new Request(input, init)),
      WebSocket: false,
    }),
    session: session ?? (named === '' ? undefined : named),
    // Nothing keeps it: the same credential always finds the same session.
    defaultSession: `mcp:${hashText(`${rootOf(caller)}\n${subject}`)}`,
    title: `MCP (${subject})`.slice(0, TITLE_CHARS),
    holder: `${workspace}\n${credential}`,
    stateKey: mcp.stateKey(workspace),
    giveUpAfterMs: TOOLS_GIVE_UP_AFTER_MS,
    keepRunning: (call) => keepRunning(http, call),
    warn,
  };
}

/** A Worker stops everything of a request whose client has gone away, also the cancel of its question. */
function keepRunning(http: HonoContext, call: Promise<unknown>): void {
  let execution: HonoContext['executionCtx'];
  try {
    execution = http.executionCtx;
  } catch {
    // Hono throws where there is none; a process stops nothing.
    return;
  }
  execution.waitUntil(call);
}
