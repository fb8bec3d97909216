/**
 * Every request of the harness carries a unique mark. A mark in the log shows that its request had its effect, and the
 * count of the mark shows how often.
 */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { Answers } from '../../../src/protocol/schema/interaction.ts';

/** The type of the request: an opening, an answer, a cancel, an append, a message. */
export type MarkOf = 'ask' | 'give' | 'stop' | 'tell' | 'say';

const MARK = /\b(?:ask|give|stop|tell|say)-[0-9a-z]+\b/g;
const ASK_MARK = /\bask-[0-9a-z]+\b/;

/** The marks of the requests that caused this event; `known` holds earlier answers. */
export function marksIn(event: SessionEvent, known: Answers): ReadonlySet<string> {
  switch (event.type) {
    case 'interaction_request':
      // Only the request itself: a reprompt carries the text that people typed before.
      return askMark(event.payload.request);
    case 'tool_call':
      return event.payload.decided === undefined
        ? marks(event.payload.input)
        : askMark(event.payload.input);
    case 'interaction_update':
      return marks(fresh(event.payload.partialAnswers, known));
    case 'interaction_response': {
      const { reason, values, answers } = event.payload;
      return marks([reason, values, fresh(answers, known)]);
    }
    case 'turn_started':
    case 'turn_ended':
    case 'assistant_text':
    case 'thinking':
    case 'tool_result':
    case 'error':
    case 'user_message':
      return marks(event.payload);
    default:
      return new Set();
  }
}

/** Queued text has its effect later, when it becomes a message. */
export function queuedMarks(event: SessionEvent): ReadonlySet<string> | undefined {
  if (event.type !== 'session_updated' || event.payload.queued === undefined) return undefined;
  return marks(event.payload.queued.map(({ text }) => text));
}

function askMark(value: unknown): Set<string> {
  const [mark] = ASK_MARK.exec(JSON.stringify(value)) ?? [];
  return new Set(mark === undefined ? [] : [mark]);
}

function marks(value: unknown): Set<string> {
  return new Set((JSON.stringify(value) ?? '').match(MARK));
}

/** Every step repeats earlier answers; a repeated answer is not a new effect. */
function fresh(answers: Answers | undefined, known: Answers): unknown[] {
  return Object.entries(answers ?? {}).filter(
    ([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value),
  );
}
