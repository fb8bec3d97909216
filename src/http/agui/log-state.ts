/** What a log says about the runs of AG-UI: which interactions are open, and which turns run. */
import {
  addStartedTurn,
  listRunningTurns,
  removeAllTurns,
  removeEndedTurns,
  removeFailedTurns,
  type RunningTurns,
} from '../../core/turns.ts';
import { foldRecord, isRecordEvent } from '../../protocol/interaction-record.ts';
import type { Interaction, SessionEvent, Snapshot } from '../../protocol/types.ts';
import type { AguiContent, AguiInterrupt, TokenUsage } from './agui-event.ts';
import { contentOfEvent } from './content-of-event.ts';
import { interruptOf } from './interrupt.ts';
import type { EventOf } from '../../protocol/schema/event.ts';

const NO_TURNS: RunningTurns = { turn: null };

export class LogState {
  #turns = NO_TURNS;
  /** Oldest first. */
  readonly #open = new Map<string, Interaction>();
  /** Tool calls that were shown: a client adds the arguments of a second one to those of the first. */
  readonly #calls = new Set<string>();
  /** Interactions whose interrupt was given in full. */
  readonly #described = new Set<string>();

  /** The state at the head of that snapshot; without one, that before the first event. */
  constructor(snapshot?: Snapshot) {
    if (snapshot === undefined) return;
    // As a session stores it: what a turn lacks is absent.
    this.#turns = snapshot.session as RunningTurns;
    for (const record of snapshot.open) this.#open.set(record.interactionId, record);
  }

  get isTurnRunning(): boolean {
    return listRunningTurns(this.#turns).length > 0;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  openIds(): string[] {
    return [...this.#open.keys()];
  }

  openRecord(interactionId: string): Interaction | undefined {
    return this.#open.get(interactionId);
  }

  /** All open interactions: an interrupted run names everything that must be answered before the next one. */
  interrupts(): AguiInterrupt[] {
    return [...this.#open.values()].map((record) => {
      const { interactionId } = record;
      const isInFull = !this.#described.has(interactionId);
      // Every run that ends names all of them; in full each time, a log would be shown as many times its size.
      this.#described.add(interactionId);
      return interruptOf(record, isInFull);
    });
  }

  /** What is shown of an event; nothing of a call that an agent reports again under its id. */
  contentOf(event: SessionEvent): AguiContent[] {
    if (event.type === 'tool_call' && event.toolCallId !== undefined) {
      if (this.#calls.has(event.toolCallId)) return [];
      this.#calls.add(event.toolCallId);
    }
    return contentOfEvent(event);
  }

  fold(event: SessionEvent): void {
    if (isRecordEvent(event)) return this.#foldRecord(event);
    switch (event.type) {
      case 'turn_started':
        this.#turns = addStartedTurn(this.#turns, event);
        return;
      case 'turn_ended':
        this.#turns = removeEndedTurns(this.#turns, event);
        return;
      case 'error':
        this.#turns = removeFailedTurns(this.#turns, event);
        return;
      case 'context_cleared':
        this.#turns = removeAllTurns(this.#turns);
        return;
      case 'session_status':
        if (event.payload.status !== 'deleted') return;
        this.#turns = NO_TURNS;
        this.#open.clear();
    }
  }

  #foldRecord(event: Extract<SessionEvent, { payload: { interactionId: string; kind: string } }>) {
    const { interactionId } = event.payload;
    const record = foldRecord(this.#open.get(interactionId), event);
    if (record === undefined) return;
    if (record.status === 'open') this.#open.set(interactionId, record);
    else {
      this.#open.delete(interactionId);
      this.#described.delete(interactionId);
    }
  }
}

/** AG-UI counts what came from a cache as input, beside the parts. */
export function usageOf({ payload: { usage } }: EventOf<'turn_ended'>): { usage?: TokenUsage[] } {
  if (usage === undefined) return {};
  const { outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const inputTokens = usage.inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    usage: [
      {
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cachedInputTokens: cacheReadTokens,
        cacheWriteInputTokens: cacheWriteTokens,
      },
    ],
  };
}
