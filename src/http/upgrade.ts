/** Upgrades to sockets. A rejection is sent over the socket: a browser cannot read its status. */
import { ERRORS, type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame } from '../protocol/frames.ts';
import { readOfferedProtocols } from './authenticate.ts';
import { isOriginAllowed } from './response-headers.ts';
import type { Config, HttpPorts } from './ports.ts';

/** Only a GET can become a socket; the platform fails on any other upgrade. */
export function wantsSocket(request: Request): boolean {
  const upgrade = request.headers.get('Upgrade')?.toLowerCase();
  return request.method === 'GET' && upgrade === 'websocket';
}

/** The subprotocol to echo, or why this request cannot become a socket. */
export function readUpgrade(
  request: Request,
  config: Config,
): { readonly ok: true; readonly echo: string | undefined } | Rejection {
  if (!wantsSocket(request)) {
    return reject('upgrade_required', 'Connect with a WebSocket client');
  }
  if (!isOriginAllowed(request, config)) {
    return reject('forbidden', 'This origin is not one that is configured');
  }
  return { ok: true, echo: readOfferedProtocols(request).echo };
}

export function rejectedUpgradeResponse(
  rejection: Rejection,
  request: Request,
  ports: HttpPorts,
): Response {
  return ports.rejectUpgrade({
    frame: errorFrame(rejection),
    code: ERRORS[rejection.code].close,
    reason: rejection.code,
    subprotocol: readOfferedProtocols(request).echo,
  });
}
