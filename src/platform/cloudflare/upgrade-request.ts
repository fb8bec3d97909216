/**
 * How a connection is asked for: only a request can carry one between objects, and what it asks goes
 * along in a header, because a request that becomes a connection has no body.
 */
import type { Rejection } from '../../protocol/errors.ts';
import type { ResultMeta, ResultText } from '../../session/view.ts';

export interface UpgradeRequest<Wanted> {
  readonly request: Wanted;
  /** What a browser offered and must hear back. */
  readonly subprotocol?: string | undefined;
}

/** The answer where no connection came of it. */
export type NotUpgraded = Rejection | ResultText;
/** The answer beside the connection of an agent that asked. */
export type OpenedInteraction = ResultMeta & { readonly interactionId: string };

const REQUEST_HEADER = 'Holdpoint-Attach';
const OPENED_HEADER = 'Holdpoint-Asked';
const SUBPROTOCOL_HEADER = 'Sec-WebSocket-Protocol';

/** The platform takes 128 KB of headers in all, and an input can be twice that. */
const MAX_REQUEST_CHARS = 16 * 1024;

/** Headers are ASCII; a name or an input need not be. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Undefined when it is more than a header holds. */
export function writeUpgradeRequest(
  call: UpgradeRequest<unknown>,
): { headers: Record<string, string> } | undefined {
  const text = toAsciiJson(call);
  if (text.length > MAX_REQUEST_CHARS) return undefined;
  return { headers: { Upgrade: 'websocket', [REQUEST_HEADER]: text } };
}

export function readUpgradeRequest<Wanted>(request: Request): UpgradeRequest<Wanted> {
  return JSON.parse(request.headers.get(REQUEST_HEADER) ?? '') as UpgradeRequest<Wanted>;
}

/** The response that becomes the connection. */
export function upgradeResponse(
  webSocket: WebSocket,
  {
    subprotocol,
    asked: opened,
  }: { subprotocol?: string | undefined; asked?: OpenedInteraction | undefined },
): Response {
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set(SUBPROTOCOL_HEADER, subprotocol);
  if (opened !== undefined) headers.set(OPENED_HEADER, toAsciiJson(opened));
  return new Response(null, { status: 101, webSocket, headers });
}

export function readOpenedInteraction(response: Response): OpenedInteraction {
  return JSON.parse(response.headers.get(OPENED_HEADER) ?? '') as OpenedInteraction;
}
