/** What the attachment of a connection says about it. */
import { type ConnectionPlace, takesPart } from '../core/connection-limits.ts';
import { rootOf } from '../protocol/caller.ts';
import type { Attachment } from './ports.ts';

export function isHeld(attachment: Attachment): boolean {
  return attachment.role === 'waiter' || attachment.held;
}

/** The place that it takes among the connections of its session. */
export function sessionPlaceOf(attachment: Attachment): ConnectionPlace {
  if (attachment.role === 'waiter') {
    const { agent, root } = attachment;
    return { kind: agent ? 'wait' : 'stream', root, takesPart: agent };
  }
  const { caller, held } = attachment;
  return { kind: held ? 'stream' : 'socket', root: rootOf(caller), takesPart: takesPart(caller) };
}

/** Its credential is still valid, or its wait not over. */
export function isInTime({ attachment }: { attachment: Attachment }, now: number): boolean {
  if (attachment.role === 'waiter') return attachment.until > now;
  return attachment.expiresAt === null || attachment.expiresAt > now;
}
