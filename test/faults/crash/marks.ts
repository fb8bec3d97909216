/**
 * Every request of the harness carries a mark that nobody else uses. Finding it in the log says that
 * the request had its effect, and counting it says how often.
 */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { Answers } from '../../../src/protocol/schema/interaction.ts';

/** What the request was: an opening, an answer, a cancel, an append, a message. */
export type MarkOf = 'ask' | 'give' | 'stop' | 'tell' | 'say';

const MARK = /\b(?:ask|give|stop|tell|say)-[0-9a-z]+\b/g;
const ASK_MARK = /\bask-[0-9a-z]+\b/;

/** The marks whose request this event is the effect of; `known` are answers that were given before. */
export function marksIn(event: SessionEvent, known: Answers): ReadonlySet<string> {
  switch (event.type) {
    case 'interaction_request':
      // Only the request itself: what was typed before comes along with a reprompt.
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

/** Text that waits; it has its effect later, when it becomes a message. */
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

/** Answers are told again with every step; what was told before is not a new effect. */
function fresh(answers: Answers | undefined, known: Answers): unknown[] {
  return Object.entries(answers ?? {}).filter(
    ([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value),
  );
}
