/**
 * The tool calls that agents elsewhere reported lately, as they follow from the log.
 *
 * A finished call is remembered by its id: an agent that reports the same call again must not revive it. A call is
 * finished by its result, by a denial, or with its turn. The log does not say who reported a call, so the end of a turn
 * without an id finishes every call without one: a request that then finds no call opens all the same.
 */
import { describeCall, type ReportedCall } from '../core/rendezvous.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { EventOf, SessionEvent } from '../protocol/schema/event.ts';

interface Entry {
  readonly at: number;
  readonly turnId?: string | undefined;
  /** Absent if the call is finished. */
  readonly call?: ReportedCall;
}

/** As many as one batch of events can finish. */
const MAX_REPORTED = LIMITS.eventsPerBatch;

export class ReportedCalls {
  /** By tool call id, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The running turn of each credential, if it has an id. */
  readonly #turns = new Map<string, string>();

  /** Oldest first. */
  listUnfinished(now: number): ReportedCall[] {
    const since = now - LIMITS.rendezvousCallMs;
    return [...this.#entries.values()].flatMap(({ call }) =>
      call !== undefined && call.at >= since ? [call] : [],
    );
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'tool_call':
        return this.#add(event);
      case 'tool_result':
        return this.#finish(event.toolCallId ?? '', event);
      case 'turn_started':
        return this.#startTurn(event);
      case 'turn_ended':
        return this.#endTurn(event);
      case 'error':
        // Without a reporter it is the built-in agent, whose turn goes on.
        return event.payload.by === undefined ? undefined : this.#endTurn(event);
      case 'context_cleared':
        return this.#finishEach(() => true);
    }
  }

  #add(event: EventOf<'tool_call'>): void {
    const { at, turnId, toolCallId = '', payload } = event;
    const isDenied = payload.decided?.behavior === 'deny';
    const isKnown = this.#entries.has(toolCallId);
    // The gate wrote it for a request that had no call.
    if (isDenied || payload.correlate !== undefined) return this.#finish(toolCallId, event);
    if (!isKnown) this.#entries.set(toolCallId, { at, turnId, call: describeCall(event) });
    this.#drop(at);
  }

  #finish(toolCallId: string, { at, turnId }: SessionEvent): void {
    const known = this.#entries.get(toolCallId);
    this.#entries.set(toolCallId, known ? { at: known.at, turnId: known.turnId } : { at, turnId });
    this.#drop(at);
  }

  #startTurn({ turnId, payload: { by } }: EventOf<'turn_started'>): void {
    if (by === undefined) return;
    const before = this.#turns.get(by.credential);
    if (before !== undefined && before !== turnId) {
      this.#finishEach((entry) => entry.turnId === before);
    }
    this.#turns.delete(by.credential);
    if (turnId !== undefined) this.#turns.set(by.credential, turnId);
    const [oldest] = this.#turns.keys();
    if (oldest !== undefined && this.#turns.size > LIMITS.runningTurns) this.#turns.delete(oldest);
  }

  #endTurn({ turnId, payload: { by } }: EventOf<'turn_ended' | 'error'>): void {
    const own = by && this.#turns.get(by.credential);
    const isOwn = own !== undefined && (turnId === undefined || turnId === own);
    this.#finishEach((entry) => entry.turnId === turnId || (isOwn && entry.turnId === own));
    if (by !== undefined && isOwn) this.#turns.delete(by.credential);
  }

  #finishEach(isOver: (entry: Entry) => boolean): void {
    for (const [toolCallId, entry] of this.#entries) {
      const { at, turnId } = entry;
      if (isOver(entry)) this.#entries.set(toolCallId, { at, turnId });
    }
  }

  #drop(now: number): void {
    const since = now - LIMITS.rendezvousCallMs;
    const unfinished = [...this.#entries.values()].filter(({ call }) => call !== undefined);
    const surplus = new Set(unfinished.slice(0, -LIMITS.rendezvousCalls));
    for (const [toolCallId, entry] of this.#entries) {
      const isOver = entry.at < since || surplus.has(entry) || this.#entries.size > MAX_REPORTED;
      if (isOver) this.#entries.delete(toolCallId);
    }
  }
}
