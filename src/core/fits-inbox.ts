import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

/** Larger requests are left out of lists and reports; whoever wants one asks its session. */
export function fitsInbox(request: JsonObject): boolean {
  return JSON.stringify(request).length <= LIMITS.inboxRequestChars;
}
