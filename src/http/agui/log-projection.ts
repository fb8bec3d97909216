/**
 * The whole log as a chain of runs (AGUI-1): pure, so that the same log gives the same events, replayed or live, in one
 * stream or in several.
 *
 * 1. A run begins with the first thing that happens and ends with its turn. What happens outside of every turn is a run of
 *    its own: nothing in the log says that it goes on.
 * 2. A request ends the run with all open interactions as its interrupts, and so does every later end while one is open. An
 *    outcome begins the next run, as its `resume`.
 * 3. A run is ended before another one begins. Content is whole within the run in which it stands.
 */
import type { EventOf, SessionEvent } from '../../protocol/schema/event.ts';
import { AGUI_PROTOCOL_VERSION, type AguiEvent, type ResumeEntry } from './agui-event.ts';
import { LogState, usageOf } from './log-state.ts';

/** Changes after which a person sees another question. */
const SHOWN_CHANGES: readonly string[] = [
  'step',
  'feedback',
  'link_opened',
  'link_completed',
  'extended',
];

type EndedAs = { readonly type: 'success' | 'cancelled' };
const SUCCESS: EndedAs = { type: 'success' };
const CANCELLED: EndedAs = { type: 'cancelled' };
export const TURN_FAILED = 'The turn failed';

interface ActiveRun {
  readonly runId: string;
  /** It began with its turn, so the usage of the turn is its own. */
  readonly isWholeTurn: boolean;
}

export class LogProjection {
  readonly #threadId: string;
  readonly #state = new LogState();
  #run: ActiveRun | undefined;
  /** The last failure that the built-in agent reported, until its turn ends. */
  #failure: string | undefined;

  constructor(threadId: string) {
    this.#threadId = threadId;
  }

  event(event: SessionEvent): AguiEvent[] {
    const shown = this.#project(event);
    return shown.map((one) => ({ ...one, timestamp: event.at }));
  }

  #project(event: SessionEvent): AguiEvent[] {
    switch (event.type) {
      case 'turn_started':
        this.#state.fold(event);
        return this.#begin(event);
      case 'turn_ended':
        return this.#endTurn(event);
      case 'error':
        return this.#fail(event);
      case 'interaction_request':
        this.#state.fold(event);
        return [...this.#begin(event), ...this.#pause()];
      case 'interaction_update':
        this.#state.fold(event);
        return SHOWN_CHANGES.includes(event.payload.change) && this.#isOpen(event)
          ? [...this.#begin(event), ...this.#pause()]
          : [];
      case 'interaction_response':
        return this.#resume(event);
      case 'context_cleared':
        this.#state.fold(event);
        return this.#finish(CANCELLED);
      case 'session_status': {
        if (event.payload.status !== 'deleted') return [];
        this.#state.fold(event);
        return [...this.#begin(event), ...this.#finish(CANCELLED)];
      }
      default: {
        this.#state.fold(event);
        const content = this.#state.contentOf(event);
        return content.length === 0
          ? []
          : [...this.#begin(event), ...content, ...this.#pauseIdle()];
      }
    }
  }

  #isOpen({ payload }: EventOf<'interaction_update'>): boolean {
    return this.#state.openRecord(payload.interactionId) !== undefined;
  }

  #begin({ seq, type }: SessionEvent, resume?: ResumeEntry): AguiEvent[] {
    if (this.#run !== undefined) return [];
    const runId = `run-${seq}`;
    this.#run = { runId, isWholeTurn: type === 'turn_started' };
    const ids = { threadId: this.#threadId, runId };
    return [
      {
        type: 'RUN_STARTED',
        ...ids,
        protocolVersion: AGUI_PROTOCOL_VERSION,
        ...(resume && {
          input: { ...ids, messages: [], tools: [], context: [], resume: [resume] },
        }),
      },
    ];
  }

  /** Ends a run that waits for a person, and one that stands outside of every turn. */
  #pause(): AguiEvent[] {
    return this.#state.isWaiting ? this.#finish(SUCCESS) : this.#pauseIdle();
  }

  #pauseIdle(): AguiEvent[] {
    return this.#state.isTurnRunning ? [] : this.#finish(SUCCESS);
  }

  #finish(ended: EndedAs, usage: ReturnType<typeof usageOf> = {}): AguiEvent[] {
    if (this.#run === undefined) return [];
    const { runId } = this.#run;
    this.#run = undefined;
    const interrupts = this.#state.interrupts();
    const outcome = interrupts.length > 0 ? ({ type: 'interrupt', interrupts } as const) : ended;
    return [{ type: 'RUN_FINISHED', threadId: this.#threadId, runId, outcome, ...usage }];
  }

  #resume(event: EventOf<'interaction_response'>): AguiEvent[] {
    // A run cannot begin within another one.
    const before = this.#finish(SUCCESS);
    this.#state.fold(event);
    return [...before, ...this.#begin(event, resumeEntry(event)), ...this.#pause()];
  }

  #endTurn(event: EventOf<'turn_ended'>): AguiEvent[] {
    const { reason, message } = event.payload;
    this.#state.fold(event);
    if (reason === 'error' && this.#run !== undefined) {
      const failure = message ?? this.#failure ?? TURN_FAILED;
      this.#failure = undefined;
      this.#run = undefined;
      return [{ type: 'RUN_ERROR', message: failure }];
    }
    this.#failure = undefined;
    if (this.#state.isTurnRunning) return [];
    const usage = this.#run?.isWholeTurn === true ? usageOf(event) : {};
    return this.#finish(reason === 'completed' ? SUCCESS : CANCELLED, usage);
  }

  /** The built-in agent goes on after an error, or ends its turn itself. */
  #fail(event: EventOf<'error'>): AguiEvent[] {
    const { message, code, by } = event.payload;
    this.#state.fold(event);
    const begun = this.#begin(event);
    if (by === undefined) {
      this.#failure = message;
      return [...begun, ...this.#state.contentOf(event), ...this.#pauseIdle()];
    }
    this.#run = undefined;
    return [...begun, { type: 'RUN_ERROR', message, ...(code !== undefined && { code }) }];
  }
}

/** The outcome as the answer of a client: what only a person could give is `resolved`. */
function resumeEntry({ payload }: EventOf<'interaction_response'>): ResumeEntry {
  const { interactionId, outcome, answers, decision, updatedInput, values, reason } = payload;
  const { settledBy, settledAt, defaulted } = payload;
  const { subject, via } = settledBy;
  const isResolved = outcome === 'approved' || outcome === 'denied' || outcome === 'answered';
  const metadata = {
    holdpoint: { outcome, settledBy: { subject, via }, settledAt, ...(defaulted && { defaulted }) },
  };
  if (!isResolved) return { interruptId: interactionId, status: 'cancelled', metadata };
  const given = { answers, decision, updatedInput, values, reason };
  const said = Object.entries(given).filter(([, part]) => part !== undefined);
  const payloadOf = Object.fromEntries(said);
  return { interruptId: interactionId, status: 'resolved', payload: payloadOf, metadata };
}
