/** What somebody wrote and did not send, for each session by itself; it survives a reload (UI-8). */
import type { Keep } from './key-value-store.ts';

/** As much as the server takes. */
const MAX_CHARS = 32_768;

export function draftOf(keep: Keep, sessionId: string): string {
  return keep.get(nameOf(sessionId)) ?? '';
}

export function keepDraft(keep: Keep, sessionId: string, text: string): void {
  if (text.trim() === '') keep.remove(nameOf(sessionId));
  else keep.set(nameOf(sessionId), text.slice(0, MAX_CHARS));
}

function nameOf(sessionId: string): string {
  return `holdpoint.draft.${sessionId}`;
}
