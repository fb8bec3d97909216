/** What the attachment of a connection says about it. */
import type { Attachment } from './ports.ts';

export function isHeld(attachment: Attachment): boolean {
  return attachment.role === 'waiter' || attachment.held;
}

/** Its credential is still valid, or its wait not over. */
export function isInTime({ attachment }: { attachment: Attachment }, now: number): boolean {
  if (attachment.role === 'waiter') return attachment.until > now;
  return attachment.expiresAt === null || attachment.expiresAt > now;
}
