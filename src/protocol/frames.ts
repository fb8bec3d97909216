/** The names both ends of a socket agree on, and a refusal as a frame, in a session or before there is one. */
import type { Rejection } from './errors.ts';

export const PROTOCOL = 'holdpoint.v1';
/** In front of a token among the subprotocols: a browser can send it nowhere else. */
export const TOKEN_SUBPROTOCOL = 'holdpoint.token.';

export function errorFrame(rejection: Rejection): string {
  return JSON.stringify({ type: 'error', error: errorPart(rejection) });
}

export function errorPart({ code, message, details }: Rejection) {
  return { code, message, ...(details !== undefined && { details }) };
}
