/**
 * What a person had read of an answer before they stopped it stays in the log.
 *
 * Previews are stored nowhere, so an interrupt would otherwise take away what is on the screen. The model does not
 * read it in the next turn: a part of an answer cannot be sent back in place of the whole.
 */
import { addEvents, insertBefore, type SessionDraft } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isActive, responseIdOf, type Run } from './run.ts';
import type { RunFacts } from './run-draft.ts';

/** Cut in the middle of a character, it would end in one that cannot be drawn. */
const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;

/** Puts the text so far before the event that ends the turn. */
export function keepPartialAnswer(
  draft: SessionDraft,
  run: Run | null,
  { partialAnswer, now }: Pick<RunFacts, 'partialAnswer' | 'now'>,
): SessionDraft {
  if (!isActive(run) || run.status !== 'model' || partialAnswer === undefined) return draft;
  const end = draft.events.findIndex(
    ({ type, turnId }) => type === 'turn_ended' && turnId === run.turnId,
  );
  const text = partialAnswer.slice(0, LIMITS.eventTextChars).replace(HALF_A_CHARACTER, '');
  if (end === -1 || text.trim() === '') return draft;
  const kept: DraftEvent = {
    type: 'assistant_text',
    turnId: run.turnId,
    responseId: responseIdOf(run),
    payload: { text, partial: true },
  };
  return insertBefore(draft, end, (one) => addEvents(one, [kept], now));
}
