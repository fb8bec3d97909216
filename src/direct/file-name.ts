/**
 * The name of a session's file: readable, and safe on every file system.
 *
 * Some do not tell `A` from `a` or take no colon, so the beginning is only for people, and the digest
 * is what tells two sessions apart.
 */
import { textHash } from '../core/digest.ts';

const READABLE_CHARS = 60;

export function fileNameOf(sessionId: string): string {
  const readable = sessionId.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_');
  return `${readable.slice(0, READABLE_CHARS)}.${textHash(sessionId)}.sqlite`;
}
