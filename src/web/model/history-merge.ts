/**
 * The log of a session laid over its imported history (ALN-1 to ALN-4, ALN-6).
 *
 * 1. The merged list is that of `alignHistory` over the whole log, whatever arrived first.
 * 2. An event that only continues the list is added at its end. After an event that may change an earlier part, the list
 *    is aligned again before it is drawn.
 */
import { alignHistory } from '../../client/timeline/align.ts';
import { isReported } from '../../client/timeline/reported-events.ts';
import type { HistoryEntry, SessionEvent } from '../../protocol/types.ts';

/** Merges a log into a history; made once for each history that was read. */
export class HistoryMerge {
  readonly #entries: readonly HistoryEntry[];
  readonly #calls = new Set<string>();
  readonly #turns = new Set<string>();
  readonly #texts = new Set<unknown>();
  /** The turns of requests that nothing else in the list belongs to. */
  #missingTurns = new Set<string | undefined>();
  /** The last event of the list is the start of a turn; a turn without content is left out. */
  #isTurnEmpty = false;
  #lastAt = 0;

  constructor(entries: readonly HistoryEntry[]) {
    this.#entries = entries;
    for (const { type, at, turnId, payload, ...names } of entries) {
      this.#lastAt = Math.max(this.#lastAt, at);
      if (turnId !== undefined) this.#turns.add(turnId);
      if ('toolCallId' in names && names.toolCallId !== undefined)
        this.#calls.add(names.toolCallId);
      // A report of the last turn arrives after its entry; its text tells which one it is.
      if (type === 'turn_started') this.#texts.clear();
      this.#texts.add('text' in payload ? payload.text : undefined);
      this.#texts.add('message' in payload ? payload.message : undefined);
    }
    this.#texts.delete(undefined);
  }

  /** The whole conversation, numbered from 1. */
  align(log: readonly SessionEvent[]): SessionEvent[] {
    const aligned = alignHistory(this.#entries, log);
    this.#missingTurns = turnsOf(log.filter(isOfInteraction));
    for (const turnId of turnsOf(aligned.filter((event) => !isOfInteraction(event))))
      this.#missingTurns.delete(turnId);
    this.#isTurnEmpty = endsInTurnStart(aligned, false);
    return aligned;
  }

  /** Events that are new in the log, numbered to follow the event `head` of the merged list. */
  continue(head: number, events: readonly SessionEvent[]): SessionEvent[] {
    this.#isTurnEmpty = endsInTurnStart(events, this.#isTurnEmpty);
    return events.map((event, at) => ({ ...event, seq: head + 1 + at }));
  }

  /** Whether these events may change more of the merged list than its end. Ask before `continue`. */
  concerns(events: readonly SessionEvent[]): boolean {
    return events.some((event, at) => this.#concerns(event, events.slice(0, at)));
  }

  #concerns(event: SessionEvent, before: readonly SessionEvent[]): boolean {
    const { type, at, turnId, toolCallId, payload } = event;
    if (isOfInteraction(event) || at <= this.#lastAt || this.#missingTurns.has(turnId)) return true;
    if (toolCallId !== undefined && this.#calls.has(toolCallId)) return true;
    if (type === 'turn_started' || type === 'turn_ended') {
      const isKnown = turnId !== undefined && this.#turns.has(turnId);
      return isKnown || endsInTurnStart(before, this.#isTurnEmpty);
    }
    const { text, message } = payload as { readonly text?: unknown; readonly message?: unknown };
    return this.#texts.has(text) || this.#texts.has(message);
  }
}

function isOfInteraction({ type }: SessionEvent): boolean {
  return type.startsWith('interaction_');
}

/** Whether the last reported event starts a turn; `before` if none is reported. */
function endsInTurnStart(events: readonly SessionEvent[], before: boolean): boolean {
  const last = events.findLast((event) => isReported(event));
  return last === undefined ? before : last.type === 'turn_started';
}

function turnsOf(events: readonly SessionEvent[]): Set<string | undefined> {
  const turns = new Set(events.map(({ turnId }) => turnId));
  turns.delete(undefined);
  return turns;
}
