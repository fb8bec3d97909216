/** The session in which the tools of `/mcp` ask if nothing names one. */
import { hashText } from '../core/digest.ts';
import { type Caller, rootOf } from '../protocol/caller.ts';

/** Nothing keeps it: the same credential always finds the same session. */
export function toolSessionOf(caller: Pick<Caller, 'credential' | 'root' | 'subject'>): string {
  return `mcp:${hashText(`${rootOf(caller)}\n${caller.subject}`)}`;
}
