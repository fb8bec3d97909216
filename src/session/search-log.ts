/**
 * Searches the log of a session for a text.
 *
 * The log is read from its end in pages, and each request reads at most `searchBytes`: a search of a session of any
 * length keeps others waiting for milliseconds, and its `next` goes on from there. An index of the texts would cost
 * rows and bytes with every event of every session; few sessions are ever searched.
 */
import { canonicalize } from '../protocol/canonical-json.ts';
import { type ReadResult } from '../protocol/errors.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Json } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { FoundEvent, SearchPage } from '../protocol/schema/search.ts';
import { requireState } from './queries.ts';
import type { Session } from './session.ts';

const SEARCH_STEP_FIT = { maxEvents: LIMITS.eventsPerFrame, maxBytes: LIMITS.eventFrameBytes };
/** Around the first place of the text. */
const CONTEXT_CHARS = 60;

export interface SearchQuery {
  readonly q: string;
  readonly before?: number;
  readonly limit: number;
}

/** Newest first; `before` is the `next` of the page before. */
export function searchLog(
  session: Session,
  { q, before, limit }: SearchQuery,
  caller: Caller,
): ReadResult<SearchPage> {
  const state = requireState(session);
  if ('ok' in state) return state;
  // An answer may be among the found events.
  session.undelivered.markShown(caller);
  const sought = foldForSearch(q);
  const found: FoundEvent[] = [];
  let at = Math.min(before ?? Number.MAX_SAFE_INTEGER, state.head + 1);
  for (let read = 0; at > 1 && found.length < limit && read < LIMITS.searchBytes; ) {
    const chunk = session.ports.store.readLogBefore(at, SEARCH_STEP_FIT);
    if (chunk === undefined) break;
    read += chunk.json.length;
    const events = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
    for (const event of events.toReversed()) {
      at = event.seq;
      const hit = findInEvent(event, sought);
      if (hit !== undefined) found.push(hit);
      if (found.length === limit) break;
    }
  }
  return { ok: true, value: { events: found, ...(at > 1 && { next: at }) } };
}

function findInEvent(event: SessionEvent, sought: string): FoundEvent | undefined {
  for (const text of searchedTexts(event)) {
    const place = foldForSearch(text).indexOf(sought);
    if (place < 0) continue;
    const { seq, at, type } = event;
    return { seq, at, type, excerpt: excerptOf(text, place, sought.length) };
  }
  return undefined;
}

/** What a reader sees of an event. The texts of the system, such as ids, are no content. */
function searchedTexts(event: SessionEvent): string[] {
  switch (event.type) {
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
      return [event.payload.text];
    case 'error':
      return [event.payload.message];
    case 'tool_call':
      return [event.payload.toolName, textsOf(event.payload.input)];
    case 'tool_result':
      return [textsOf(event.payload.output as Json | undefined)];
    case 'interaction_request':
      return [event.payload.toolName, textsOf(event.payload.request)];
    case 'interaction_response':
      return [event.payload.reason ?? '', textsOf(event.payload.answers)];
    default:
      return [];
  }
}

function textsOf(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textsOf).join('\n');
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(textsOf).join('\n');
  return canonicalize(value);
}

/** The same length as the text, so that places agree: characters whose small form is longer stay. */
function foldForSearch(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length
    ? folded
    : [...text]
        .map((one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one))
        .join('');
}

function excerptOf(text: string, place: number, length: number): string {
  const from = Math.max(0, place - CONTEXT_CHARS);
  const to = Math.min(text.length, place + length + CONTEXT_CHARS);
  const part = text.slice(from, to).replaceAll(/\s+/g, ' ').toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
}
