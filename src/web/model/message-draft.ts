/** What somebody wrote and did not send, for each session by itself; it survives a reload (UI-8). */
import type { KeyValueStore } from './key-value-store.ts';

/** As much as the server takes. */
const MAX_MESSAGE_CHARS = 32_768;

export function loadMessageDraft(store: KeyValueStore, sessionId: string): string {
  return store.get(messageDraftName(sessionId)) ?? '';
}

export function saveMessageDraft(store: KeyValueStore, sessionId: string, text: string): void {
  if (text.trim() === '') store.remove(messageDraftName(sessionId));
  else store.set(messageDraftName(sessionId), text.slice(0, MAX_MESSAGE_CHARS));
}

function messageDraftName(sessionId: string): string {
  return `holdpoint.draft.${sessionId}`;
}
