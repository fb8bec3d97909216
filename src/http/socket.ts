/** Sockets at the edge: a refusal is said on the socket, because a browser cannot read a status. */
import { ERRORS, type Rejection } from '../protocol/error.ts';
import { offeredProtocols } from './authenticate.ts';

export function wantsSocket(request: Request): boolean {
  return request.headers.get('Upgrade')?.toLowerCase() === 'websocket';
}

export function refuseSocket(rejection: Rejection, request: Request): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  const { code, message, details } = rejection;
  server.accept();
  server.send(
    JSON.stringify({
      type: 'error',
      error: { code, message, ...(details !== undefined && { details }) },
    }),
  );
  server.close(ERRORS[code].close, code);
  const headers = new Headers();
  const { echo } = offeredProtocols(request);
  if (echo !== undefined) headers.set('Sec-WebSocket-Protocol', echo);
  return new Response(null, { status: 101, webSocket: client, headers });
}
