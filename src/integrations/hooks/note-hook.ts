/** What a hook that asks nothing adds to the session: the last text of a turn and its end, and what a program announces. */
import { isText } from '../../protocol/guards.ts';
import { TEXT_CHARS } from '../../protocol/limits.ts';
import type { AppendedEvent } from '../../protocol/types.ts';
import { shownText } from '../claude/claude-sdk.ts';
import type { Hook } from './read-hook.ts';

/** These only mean that a question is open, and the question itself is in the session. */
const ABOUT_QUESTIONS = new Set(['permission_prompt', 'elicitation_dialog']);

export function notesOf({ event, body, promptId }: Hook): AppendedEvent[] {
  const turn = promptId === undefined ? {} : { turnId: promptId };
  const textEvents = (text: unknown): AppendedEvent[] =>
    isText(text) && text.trim() !== ''
      ? [{ type: 'assistant_text', ...turn, payload: { text: shownText(text, TEXT_CHARS) } }]
      : [];
  if (event === 'Notification') {
    const { notification_type: type, message } = body;
    return isText(type) && ABOUT_QUESTIONS.has(type) ? [] : textEvents(message);
  }
  if (event !== 'Stop') return [];
  const { background_tasks: tasks, last_assistant_message: text } = body;
  // A task in the background may still ask in this turn; the end of the turn would cancel its question.
  const isOver = promptId !== undefined && !(Array.isArray(tasks) && tasks.length > 0);
  return [
    ...textEvents(text),
    ...(isOver
      ? [{ type: 'turn_ended', ...turn, payload: { reason: 'completed' } } as AppendedEvent]
      : []),
  ];
}
