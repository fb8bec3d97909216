/** What a person fills in about a target, and the body of the request that it becomes. */
import type { JsonObject } from '../../protocol/types.ts';
import { EVENT_WORDS, KIND_WORDS, type ListedTarget } from './targets.ts';

export interface TargetDraft {
  readonly url: string;
  readonly isEveryEvent: boolean;
  readonly events: readonly string[];
  readonly kinds: readonly string[];
  /** Names, separated by commas. */
  readonly tools: string;
  readonly sessions: string;
  readonly audience: string;
}

export const EVENT_TYPES = Object.keys(EVENT_WORDS);
export const KINDS = Object.keys(KIND_WORDS);

export function draftOf(target?: ListedTarget): TargetDraft {
  const { kinds = [], tools = [], sessions = '' } = target?.filter ?? {};
  const events = target?.events ?? ['*'];
  const isEveryEvent = events.includes('*');
  return {
    url: target?.address ?? '',
    isEveryEvent,
    events: isEveryEvent ? ['interaction.requested', 'interaction.resolved'] : events,
    kinds,
    tools: tools.join(', '),
    sessions,
    audience: target?.audience ?? '',
  };
}

/** By the name of its field. */
export type DraftProblems = Readonly<Partial<Record<'url' | 'events', string>>>;

/** The rules of addresses are the server's; found here is only what needs no request. */
export function draftProblems({ url, isEveryEvent, events }: TargetDraft): DraftProblems {
  return {
    ...(url.trim() === '' && { url: 'Required' }),
    ...(!isEveryEvent && events.length === 0 && { events: 'Choose at least one' }),
  };
}

function filterOf({ kinds, tools, sessions }: TargetDraft): JsonObject | null {
  const names = tools.split(',').flatMap((name) => name.trim() || []);
  const filter = {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(names.length > 0 && { tools: names }),
    ...(sessions.trim() !== '' && { sessions: sessions.trim() }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function commonFields(draft: TargetDraft): JsonObject {
  const { url, isEveryEvent, events } = draft;
  return { url: url.trim(), events: isEveryEvent ? ['*'] : [...events] };
}

export function creationOf(draft: TargetDraft): JsonObject {
  const filter = filterOf(draft);
  const audience = draft.audience.trim();
  return {
    type: 'webhook',
    ...commonFields(draft),
    ...(filter !== null && { filter }),
    ...(audience !== '' && { audience }),
  };
}

/** Null removes what the person emptied. */
export function changesOf(draft: TargetDraft): JsonObject {
  return {
    ...commonFields(draft),
    filter: filterOf(draft),
    audience: draft.audience.trim() || null,
  };
}

export function toggle(list: readonly string[], one: string): readonly string[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
