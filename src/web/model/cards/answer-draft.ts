/**
 * What somebody began to answer, kept through a reload, for one interaction of one session (UI-8).
 *
 * The session is part of the name: two sessions may use the same tool call id, and a draft that turns
 * up in another session would be sent there.
 */
import type { JsonObject } from '../../../protocol/types.ts';
import type { Keep } from '../key-value-store.ts';

export interface Where {
  readonly sessionId: string;
  readonly interactionId: string;
}

/**
 * The answer, why it is no, and what outlived its question; apart, because a form may have a field of any
 * name.
 */
type Part = 'answer' | 'reason' | 'unsent';

const nameOf = ({ sessionId, interactionId }: Where, part: Part = 'answer') =>
  `holdpoint.${part}.${encodeURIComponent(sessionId)}.${interactionId}`;

/** Undefined when there is none, or what is there was written by something else. */
export function keptDraft(keep: Keep, where: Where): JsonObject | undefined {
  const text = keep.get(nameOf(where));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(keep: Keep, where: Where, draft: object): void {
  keep.set(nameOf(where), JSON.stringify(draft));
}

export function dropDraft(keep: Keep, where: Where): void {
  for (const part of ['answer', 'reason', 'unsent'] as const) keep.remove(nameOf(where, part));
}

export function keptText(keep: Keep, where: Where, part: 'reason' | 'unsent'): string {
  return keep.get(nameOf(where, part)) ?? '';
}

export function keepText(keep: Keep, where: Where, part: 'reason' | 'unsent', text: string): void {
  if (text.trim() === '') keep.remove(nameOf(where, part));
  else keep.set(nameOf(where, part), text);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
