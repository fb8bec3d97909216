/** The unsent message of each session; it survives a reload (UI-8). */
import { TEXT_CHARS } from '../../protocol/limits.ts';
import type { KeyValueStore } from './key-value-store.ts';

export function loadMessageDraft(store: KeyValueStore, sessionId: string): string {
  return store.get(messageDraftName(sessionId)) ?? '';
}

export function saveMessageDraft(store: KeyValueStore, sessionId: string, text: string): void {
  if (text.trim() === '') store.remove(messageDraftName(sessionId));
  else store.set(messageDraftName(sessionId), text.slice(0, TEXT_CHARS));
}

function messageDraftName(sessionId: string): string {
  return `holdpoint.draft.${sessionId}`;
}
