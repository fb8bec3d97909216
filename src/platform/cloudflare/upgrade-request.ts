/**
 * The request from the Worker to an object that becomes a connection. Only a request can carry a connection between
 * objects, and a request that is upgraded has no body, so its contents travel in a header.
 */
import type { Rejection } from '../../protocol/errors.ts';
import type { ResultMeta, ResultText } from '../../session/view.ts';

export interface UpgradeRequest<Content> {
  readonly request: Content;
  /** Offered by the browser; the response must echo it. */
  readonly subprotocol?: string | undefined;
}

/** The body of a response that is no connection. */
export type NotUpgraded = Rejection | ResultText;
/** Travels beside the connection of an agent that opened an interaction. */
export type OpenedInteraction = ResultMeta & { readonly interactionId: string };

const REQUEST_HEADER = 'Holdpoint-Upgrade-Request';
const OPENED_HEADER = 'Holdpoint-Opened-Interaction';
const SUBPROTOCOL_HEADER = 'Sec-WebSocket-Protocol';

/** The platform takes 128 KB of headers in all, and the input of a tool can be twice that. */
const MAX_REQUEST_CHARS = 16 * 1024;

/** Headers must be ASCII; names and inputs may hold any character. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Undefined when the request is too long for a header. */
export function writeUpgradeRequest(
  call: UpgradeRequest<unknown>,
): { headers: Record<string, string> } | undefined {
  const text = toAsciiJson(call);
  if (text.length > MAX_REQUEST_CHARS) return undefined;
  return { headers: { Upgrade: 'websocket', [REQUEST_HEADER]: text } };
}

export function readUpgradeRequest<Content>(request: Request): UpgradeRequest<Content> {
  return JSON.parse(request.headers.get(REQUEST_HEADER) ?? '') as UpgradeRequest<Content>;
}

/** The response that becomes the connection. */
export function upgradeResponse(
  webSocket: WebSocket,
  {
    subprotocol,
    opened,
  }: { subprotocol?: string | undefined; opened?: OpenedInteraction | undefined },
): Response {
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set(SUBPROTOCOL_HEADER, subprotocol);
  if (opened !== undefined) headers.set(OPENED_HEADER, toAsciiJson(opened));
  return new Response(null, { status: 101, webSocket, headers });
}

export function readOpenedInteraction(response: Response): OpenedInteraction {
  return JSON.parse(response.headers.get(OPENED_HEADER) ?? '') as OpenedInteraction;
}
