/**
 * Each command carries a mark in its text, so that its effect can be found in the log: once if it was accepted, never
 * if it was refused, at most once if its result is unknown.
 *
 * A mark counts only where the command itself puts it; an approved input or the text of a queued message appears again
 * in later events.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';

const MARK = /mark-\d+-(?:\d+-)?/g;

export function markOf(id: number): string {
  return `mark-${id}-`;
}

/** Each opening of a batch has a mark of its own. */
export function openingMark(mark: string, index: number): string {
  return `${mark}${index}-`;
}

/** A queued message appears twice in the log, with distinct marks. */
export function queuedMark(mark: string): string {
  return `queued ${mark}`;
}

/** The answer to one of several questions appears again with each other answer. */
export function stepMark(mark: string): string {
  return `step ${mark}`;
}

export function marksIn(event: SessionEvent): string[] {
  if (event.type === 'session_updated' && event.payload.queued !== undefined) {
    return find(event.payload.queued.at(-1)?.text).map(queuedMark);
  }
  if (event.type === 'interaction_update') return find(event.payload.partialAnswers).map(stepMark);
  return find(wordsOf(event));
}

/** Two requests with the same mark are the same request. */
export function firstMark(words: unknown): string | undefined {
  return find(words)[0];
}

function find(words: unknown): string[] {
  return words === undefined ? [] : (JSON.stringify(words).match(MARK) ?? []);
}

function wordsOf(event: SessionEvent): unknown {
  switch (event.type) {
    case 'interaction_request':
      return event.payload.request;
    case 'interaction_response': {
      const { reason, answers, values, defaulted } = event.payload;
      return defaulted === true ? undefined : { reason, answers, values };
    }
    case 'tool_call':
      return event.payload.decided && event.payload.input;
    case 'session_updated':
      return event.payload.title;
    case 'session_started':
      return event.payload.title;
    case 'user_message':
    case 'assistant_text':
      return event.payload.text;
    default:
      return undefined;
  }
}
