/**
 * How a connection is asked for: only a request can carry one between objects, and what it asks goes
 * along in a header, because a request that becomes a connection has no body.
 */
import type { Rejection } from '../../protocol/errors.ts';
import type { ResultMeta, ResultText } from '../../session/view.ts';

export interface AttachCall<Wanted> {
  readonly request: Wanted;
  /** What a browser offered and must hear back. */
  readonly subprotocol?: string | undefined;
}

/** The answer where no connection came of it. */
export type NotAttached = Rejection | ResultText;
/** The answer beside the connection of an agent that asked. */
export type Asked = ResultMeta & { readonly interactionId: string };

const CALL = 'Holdpoint-Attach';
const ASKED = 'Holdpoint-Asked';
const PROTOCOL = 'Sec-WebSocket-Protocol';

/** The platform takes 128 KB of headers in all, and an input can be twice that. */
const MAX_CALL_CHARS = 16 * 1024;

/** Headers are ASCII; a name or an input need not be. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Undefined when it is more than a header holds. */
export function writeCall(
  call: AttachCall<unknown>,
): { headers: Record<string, string> } | undefined {
  const text = ascii(call);
  if (text.length > MAX_CALL_CHARS) return undefined;
  return { headers: { Upgrade: 'websocket', [CALL]: text } };
}

export function readCall<Wanted>(request: Request): AttachCall<Wanted> {
  return JSON.parse(request.headers.get(CALL) ?? '') as AttachCall<Wanted>;
}

/** The response that becomes the connection. */
export function connected(
  webSocket: WebSocket,
  { subprotocol, asked }: { subprotocol?: string | undefined; asked?: Asked | undefined },
): Response {
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set(PROTOCOL, subprotocol);
  if (asked !== undefined) headers.set(ASKED, ascii(asked));
  return new Response(null, { status: 101, webSocket, headers });
}

export function readAsked(response: Response): Asked {
  return JSON.parse(response.headers.get(ASKED) ?? '') as Asked;
}
