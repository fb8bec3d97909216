/** Sockets at the edge: a refusal is said on the socket, because a browser cannot read a status. */
import { ERRORS, type Rejection } from '../protocol/error.ts';
import { errorFrame } from '../protocol/error-frame.ts';
import { offeredProtocols } from './authenticate.ts';
import type { HttpPorts } from './ports.ts';

/** Only a GET can become a socket; the platform fails on an upgrade of anything else. */
export function wantsSocket(request: Request): boolean {
  const upgrade = request.headers.get('Upgrade')?.toLowerCase();
  return request.method === 'GET' && upgrade === 'websocket';
}

export function refuseSocket(rejection: Rejection, request: Request, ports: HttpPorts): Response {
  return ports.acceptAndClose({
    frame: errorFrame(rejection),
    code: ERRORS[rejection.code].close,
    reason: rejection.code,
    subprotocol: offeredProtocols(request).echo,
  });
}
