/**
 * The drafts on this device: the message of each session, and the answer to each interaction. They survive a reload
 * (UI-8).
 *
 * The session is part of each name: two sessions may use the same tool call id, and a draft that appears in another
 * session would be sent there.
 */
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { TEXT_CHARS } from '../../protocol/limits.ts';
import type { KeyValueStore } from './key-value-store.ts';

export interface DraftAddress {
  readonly sessionId: string;
  readonly interactionId: string;
}

/** The answer, the reason, the unsent text, and the files (`file-draft.ts`). They are stored apart because a form may have a field of any name. */
type DraftPart = 'answer' | 'reason' | 'unsent' | 'files';

const answerDraftName = ({ sessionId, interactionId }: DraftAddress, part: DraftPart = 'answer') =>
  `holdpoint.${part}.${encodeURIComponent(sessionId)}.${interactionId}`;

/** Undefined if no draft is stored, or if other code wrote the entry. */
export function loadAnswerDraft(store: KeyValueStore, where: DraftAddress): JsonObject | undefined {
  const text = store.get(answerDraftName(where));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function saveAnswerDraft(store: KeyValueStore, where: DraftAddress, draft: object): void {
  store.set(answerDraftName(where), JSON.stringify(draft));
}

export function dropAnswerDraft(store: KeyValueStore, where: DraftAddress): void {
  for (const part of ['answer', 'reason', 'unsent', 'files'] as const)
    store.remove(answerDraftName(where, part));
}

export function loadCardText(
  store: KeyValueStore,
  where: DraftAddress,
  part: 'reason' | 'unsent',
): string {
  return store.get(answerDraftName(where, part)) ?? '';
}

export function saveCardText(
  store: KeyValueStore,
  where: DraftAddress,
  part: 'reason' | 'unsent',
  text: string,
): void {
  if (text.trim() === '') store.remove(answerDraftName(where, part));
  else store.set(answerDraftName(where, part), text);
}

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
