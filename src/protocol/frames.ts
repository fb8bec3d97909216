/** The protocol names of a socket, and a refusal as a frame. */
import type { Rejection } from './errors.ts';

export const PROTOCOL = 'holdpoint.v1';
/** The prefix of a token in the list of subprotocols, the only place where a browser can send one. */
export const TOKEN_SUBPROTOCOL = 'holdpoint.token.';

export function errorFrame(rejection: Rejection): string {
  return JSON.stringify({ type: 'error', error: errorPart(rejection) });
}

export function errorPart({ code, message, details }: Rejection) {
  return { code, message, ...(details !== undefined && { details }) };
}
