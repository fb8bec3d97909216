/** A history and a log as one timeline, for the tests of what is laid where. */
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { DraftEvent, SessionEvent } from '../../src/protocol/schema/event.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';
import { AT, calls } from './client-events.ts';

export type Timed<T> = readonly [second: number, draft: T];

/** Entries of a turn `t` with responses `r`, as a transcript has them. */
export const historyOf = (...entries: readonly Timed<DraftEvent>[]): HistoryEntry[] =>
  entries.map(([second, draft], n) => {
    const { payload, ...rest } = draft;
    const { subject: _subject, ...kept } = payload as Record<string, unknown>;
    return { ...rest, id: `line-${n}`, at: AT + second * 1_000, payload: kept } as HistoryEntry;
  });

export const logOf = (
  ...events: readonly Timed<DraftEvent | readonly DraftEvent[]>[]
): SessionEvent[] =>
  events
    .flatMap(([second, drafts]) =>
      [drafts].flat().map((draft) => ({ ...draft, at: AT + second * 1_000 }) as SessionEvent),
    )
    .map((one, n) => ({ ...one, seq: n + 1 }));

export const T = { turnId: 't', responseId: 'r' };

export const run = (id: string, command = 'ls') => calls(id, T, { command });

/** `type id`, where the id is that of the interaction or the call, or the text. */
export function shown(events: readonly SessionEvent[]): string[] {
  return events.map(({ type, toolCallId, payload }) => {
    const isDone = type === 'interaction_pending' && !payload.pending;
    const text = 'text' in payload ? payload.text : '';
    const about = 'interactionId' in payload ? payload.interactionId : (toolCallId ?? text);
    return `${isDone ? 'done' : type.replace('interaction_', '')} ${about}`.trim();
  });
}

export function stepsOf(events: readonly SessionEvent[]) {
  const { turns } = foldEvents(emptyTimeline(), events);
  const blocks = turns.flatMap(({ containers }) => containers.flatMap((one) => one.blocks));
  return blocks.flatMap((block) => {
    const steps =
      block.type === 'tool' ? block.steps : block.type === 'questionnaire' ? [block.step] : [];
    return steps.map(({ interactionId, status, outcome }) => ({
      interactionId,
      status,
      outcome,
      call: 'call' in block ? block.call : undefined,
    }));
  });
}
