/**
 * What a person had read of an answer before they stopped it stays in the log.
 *
 * Previews are stored nowhere, so an interrupt would otherwise take away what is on the screen. The model does not
 * read it in the next turn: a part of an answer cannot be sent back in place of the whole.
 */
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isActive, responseIdOf, type Run } from './run.ts';

/** Cut in the middle of a character, it would end in one that cannot be drawn. */
const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;

/** The events that end a turn, with the text so far before the end. */
export function keepPartialAnswer(
  run: Run | null,
  events: readonly DraftEvent[],
  partialAnswer: string | undefined,
): readonly DraftEvent[] {
  if (!isActive(run) || run.status !== 'model' || partialAnswer === undefined) return events;
  const end = events.findIndex(
    ({ type, turnId }) => type === 'turn_ended' && turnId === run.turnId,
  );
  const text = partialAnswer.slice(0, LIMITS.eventTextChars).replace(HALF_A_CHARACTER, '');
  if (end === -1 || text.trim() === '') return events;
  const kept: DraftEvent = {
    type: 'assistant_text',
    turnId: run.turnId,
    responseId: responseIdOf(run),
    payload: { text, partial: true },
  };
  return events.toSpliced(end, 0, kept);
}
