/**
 * What follows from the input of one run, as the run that AG-UI expects in return (AGUI-2).
 *
 * Pure: frames of events go in, and `isOver` says that the run has ended. It ends with its interrupts as soon as anything is
 * open, else with the turn that runs, else with the answers of its input. An agent that is sent a message and reports no
 * turns does not say when it is done: then `isIdle`, and the caller decides how long nothing may happen (`endIdle`).
 *
 * The answers and the message of the input come back as events. Until they do, what is open or ended may be the state
 * before them, so nothing ends.
 */
import type { Interaction, SessionEvent, Snapshot } from '../../protocol/types.ts';
import { AGUI_PROTOCOL_VERSION, type AguiEvent, type RunOutcome } from './agui-event.ts';
import { TURN_FAILED } from './log-projection.ts';
import { LogState } from './log-state.ts';

/** A part of the input that was refused; the others count. */
export interface Refusal {
  /** The id of an interrupt, or the message. */
  readonly of: string;
  readonly code: string;
  readonly message: string;
}

type AnsweredRecord = Pick<Interaction, 'interactionId' | 'rev' | 'status'>;

type FollowedEnd =
  | Exclude<RunOutcome, { type: 'interrupt' }>
  | { readonly type: 'error'; readonly message: string; readonly code?: string };

export class RunFollower {
  readonly #run: { readonly threadId: string; readonly runId: string };
  readonly #state: LogState;
  /** The revision that each answered interaction reaches by its answer. */
  readonly #answered = new Map<string, number>();
  /** Open at the start, and known to have ended since. */
  readonly #settled = new Set<string>();
  #messageId: string | undefined;
  /** What the input gave is an answer, and no message that an agent would reply to. */
  #isAnswer = false;
  #failure: string | undefined;
  #ended: FollowedEnd | undefined;
  #isOver = false;

  constructor(run: { readonly threadId: string; readonly runId: string }, before: Snapshot) {
    const { threadId, runId } = run;
    this.#run = { threadId, runId };
    this.#state = new LogState(before);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing in the log says that anything will follow. */
  get isIdle(): boolean {
    const isOpen = this.#isOver || this.#answered.size > 0 || this.#state.isWaiting;
    return !isOpen && !this.#state.isTurnRunning;
  }

  /** Before the first event: whether anything is left that a text could answer. */
  get isWaiting(): boolean {
    return this.#state.openIds().some((id) => !this.#settled.has(id));
  }

  /** An answer of this run, as its command returned it. */
  expectAnswer({ interactionId, rev, status }: AnsweredRecord): void {
    this.#isAnswer = true;
    const record = this.#state.openRecord(interactionId);
    if (record === undefined) return;
    if (record.rev < rev) this.#answered.set(interactionId, rev);
    if (status === 'settled') this.#settled.add(interactionId);
  }

  /** It ended between the snapshot and the answer; the event about it is on its way. */
  noteSettled(interactionId: string): void {
    this.#isAnswer = true;
    const record = this.#state.openRecord(interactionId);
    if (record === undefined) return;
    this.#answered.set(interactionId, record.rev + 1);
    this.#settled.add(interactionId);
  }

  /** The client has the message already, so it is left out; its turn is part of this run. */
  expectMessage(messageId: string): void {
    this.#isAnswer = false;
    this.#messageId = messageId;
  }

  begin(refused: readonly Refusal[]): AguiEvent[] {
    const started: AguiEvent = {
      type: 'RUN_STARTED',
      ...this.#run,
      protocolVersion: AGUI_PROTOCOL_VERSION,
    };
    const refusals = refused.map(
      (value): AguiEvent => ({
        type: 'CUSTOM',
        name: 'holdpoint.refused',
        value: { ...value },
      }),
    );
    return [started, ...refusals, ...this.#check()];
  }

  /** The events of one frame: a run must not end between two events of one commit. */
  events(events: readonly SessionEvent[]): AguiEvent[] {
    const shown = events.flatMap((event) => this.#event(event));
    return [...shown, ...this.#check()];
  }

  endIdle(): AguiEvent[] {
    return this.isIdle ? this.#end(this.#ended ?? { type: 'success' }) : [];
  }

  /** The stream broke, or the caller may no longer read. */
  fail(message: string, code?: string): AguiEvent[] {
    return this.#end({ type: 'error', message, ...(code !== undefined && { code }) });
  }

  #event(event: SessionEvent): AguiEvent[] {
    if (this.#isOver) return [];
    this.#state.fold(event);
    this.#follow(event);
    if (event.type === 'user_message' && event.payload.messageId === this.#messageId) {
      this.#messageId = undefined;
      return [];
    }
    return this.#state.contentOf(event).map((one) => ({ ...one, timestamp: event.at }));
  }

  #follow(event: SessionEvent): void {
    switch (event.type) {
      case 'interaction_update':
      case 'interaction_response': {
        const { interactionId } = event.payload;
        const rev = this.#answered.get(interactionId);
        const record = this.#state.openRecord(interactionId);
        if (rev !== undefined && (record === undefined || record.rev >= rev)) {
          this.#answered.delete(interactionId);
        }
        return;
      }
      case 'turn_started':
        this.#ended = undefined;
        return;
      case 'turn_ended': {
        const { reason, message = this.#failure ?? TURN_FAILED } = event.payload;
        if (reason === 'error') this.#ended = { type: 'error', message };
        else this.#ended = { type: reason === 'completed' ? 'success' : 'cancelled' };
        return;
      }
      case 'error': {
        const { message, code, by } = event.payload;
        this.#failure = message;
        if (by === undefined) return;
        this.#ended = { type: 'error', message, ...(code !== undefined && { code }) };
        return;
      }
      case 'context_cleared':
        this.#ended = { type: 'cancelled' };
        return;
      case 'session_status':
        if (event.payload.status === 'deleted') this.#ended = { type: 'cancelled' };
    }
  }

  #check(): AguiEvent[] {
    if (this.#isOver || this.#answered.size > 0) return [];
    if (this.#state.isWaiting) {
      return this.#end({ type: 'interrupt', interrupts: this.#state.interrupts() });
    }
    if (this.#messageId !== undefined || this.#state.isTurnRunning) return [];
    return this.#end(this.#ended ?? (this.#isAnswer ? { type: 'success' } : undefined));
  }

  #end(ended: RunOutcome | FollowedEnd | undefined): AguiEvent[] {
    if (this.#isOver || ended === undefined) return [];
    this.#isOver = true;
    if (ended.type !== 'error') return [{ type: 'RUN_FINISHED', ...this.#run, outcome: ended }];
    const { message, code } = ended;
    return [{ type: 'RUN_ERROR', message, ...(code !== undefined && { code }) }];
  }
}
