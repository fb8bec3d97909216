/** A refusal as a frame, wherever it is said: in a session, or at the edge before there is one. */
import type { Rejection } from './error.ts';

export function errorFrame(rejection: Rejection): string {
  return JSON.stringify({ type: 'error', error: errorPart(rejection) });
}

export function errorPart({ code, message, details }: Rejection) {
  return { code, message, ...(details !== undefined && { details }) };
}
