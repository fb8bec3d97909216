/**
 * How a request becomes a connection, from the client through the Worker to an object.
 *
 * Only a request can carry a connection between objects. A request that is upgraded has no body, so its contents travel
 * in a header.
 */
import type { Rejection } from '../../protocol/errors.ts';
import type { RejectedUpgrade } from '../../http/ports.ts';
import type { ClientSocket, OutcomeFrame, OutcomeWaiting } from '../../http/stubs.ts';

interface UpgradeRequest<Content> {
  readonly request: Content;
  /** Offered by the browser; the response must echo it. */
  readonly subprotocol?: string | undefined;
}

const REQUEST_HEADER = 'Holdpoint-Upgrade-Request';
const SUBPROTOCOL_HEADER = 'Sec-WebSocket-Protocol';

/** The platform takes 128 KB of headers in all. */
const MAX_REQUEST_CHARS = 16 * 1024;

/** Headers must be ASCII; names and inputs may hold any character. */
function toAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Undefined when the request is too long for a header. */
export function writeUpgradeRequest(
  call: UpgradeRequest<unknown>,
): { headers: Record<string, string> } | undefined {
  const json = JSON.stringify(call);
  const text = toAscii(json);
  if (text.length > MAX_REQUEST_CHARS) return undefined;
  return { headers: { Upgrade: 'websocket', [REQUEST_HEADER]: text } };
}

export function readUpgradeRequest<Content>(request: Request): UpgradeRequest<Content> {
  return JSON.parse(request.headers.get(REQUEST_HEADER) ?? '') as UpgradeRequest<Content>;
}

/** The response that becomes the connection. */
export function upgradeResponse(
  webSocket: WebSocket,
  { subprotocol }: { subprotocol?: string | undefined },
): Response {
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set(SUBPROTOCOL_HEADER, subprotocol);
  return new Response(null, { status: 101, webSocket, headers });
}

/** The object accepts the connection, or returns in a plain response the outcome that is there, or a rejection. */
export async function readWaitResponse(response: Response): Promise<OutcomeWaiting | Rejection> {
  const { webSocket } = response;
  if (webSocket) return { ok: true, socket: clientSocket(webSocket) };
  const body = await response.json<OutcomeFrame | Rejection>();
  return 'ok' in body ? body : { ok: true, frame: body };
}

/** The socket that the Worker reads on behalf of a client. */
export function clientSocket(webSocket: WebSocket): ClientSocket {
  let isAccepted = false;
  let isOver = false;
  const accept = () => {
    if (!isAccepted) webSocket.accept();
    isAccepted = true;
  };
  return {
    listen(onText, onEnd) {
      const end = () => {
        if (isOver) return;
        isOver = true;
        onEnd();
      };
      webSocket.addEventListener('message', ({ data }) => onText(String(data)));
      webSocket.addEventListener('close', end);
      webSocket.addEventListener('error', end);
      accept();
    },
    /** The platform throws when a closed socket is closed again. */
    close(code, reason) {
      if (isOver) return;
      isOver = true;
      accept();
      webSocket.close(code, reason);
    },
  };
}

/** A socket that is accepted only to be closed: a browser cannot read the status of a rejection. */
export function rejectUpgrade({ frame, code, reason, subprotocol }: RejectedUpgrade): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.send(frame);
  server.close(code, reason);
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set('Sec-WebSocket-Protocol', subprotocol);
  return new Response(null, { status: 101, webSocket: client, headers });
}
