/**
 * The log and its deltas, projected to what follows from one message (STR-1).
 *
 * Pure: told of everything after the head at which the message was sent, it says what to yield, and
 * `isOver` when nothing more can come. A message is followed from its own `user_message` to the end of
 * the turn that takes it: the one that runs then, or else the next one to start. What carries the id
 * of another turn is another's.
 *
 * Deltas are previews. The stored text replaces them: what was previewed is not said again, and what
 * turns out to be void (a model that was asked once more) is said anew with `isReplacement`.
 */
import { foldRecord, isRecordEvent } from '../../protocol/interaction-record.ts';
import type { Delta } from '../subscription.ts';
import type { TurnEvent } from './turn-event.ts';
import type {
  EventOf,
  Interaction,
  JsonObject,
  SessionEvent,
  Snapshot,
} from '../../protocol/types.ts';

/** How the message is recognized in the log, and the turn if the server already knows it. */
export interface Sent {
  readonly text: string;
  readonly messageId?: string | undefined;
  readonly turnId?: string | undefined;
}

interface Turn {
  readonly turnId: string | undefined;
  /** The credential that reports it; undefined for the built-in agent. */
  readonly by: string | undefined;
}

export class TurnStream {
  readonly #sent: Sent;
  readonly #records = new Map<string, Interaction>();
  readonly #previews = new Map<string, string>();
  /** The turn that runs in the session, whoever's it is. */
  #running: Turn | undefined;
  /** It waits until nothing is open. */
  #isQueued = false;
  #isSaid = false;
  #turn: Turn | undefined;
  #isOver = false;

  constructor(snapshot: Snapshot, sent: Sent) {
    this.#sent = sent;
    const { turn } = snapshot.session;
    this.#running = turn === null ? undefined : { turnId: turn.turnId, by: turn.by?.credential };
    for (const record of snapshot.open) this.#records.set(record.interactionId, record);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  delta({ turnId, responseId = '', text }: Delta): TurnEvent[] {
    if (this.#isOver || !this.#isMine(turnId)) return [];
    this.#previews.set(responseId, (this.#previews.get(responseId) ?? '') + text);
    return [{ type: 'text_delta', text, ...(responseId !== '' && { responseId }) }];
  }

  event(event: SessionEvent): TurnEvent[] {
    if (this.#isOver) return [];
    this.#keepRecord(event);
    this.#follow(event);
    const yielded =
      this.#ofSession(event) ?? (this.#isMine(event.turnId) ? this.#ofTurn(event) : []);
    if (yielded.at(-1)?.type === 'done') this.#isOver = true;
    return yielded;
  }

  #isMine(turnId: string | undefined): boolean {
    const mine = this.#turn?.turnId;
    return this.#isSaid && (mine === undefined || turnId === undefined || turnId === mine);
  }

  /** Which turn runs, and which of them took the message. */
  #follow(event: SessionEvent): void {
    const { type, turnId } = event;
    if (type === 'turn_started') {
      this.#running = { turnId, by: event.payload.by?.credential };
      if (this.#isSaid) this.#turn ??= this.#running;
    } else if (type === 'user_message' && !this.#isSaid && this.#isThis(event)) {
      this.#isSaid = true;
      const named = this.#sent.turnId;
      this.#turn = named === undefined ? this.#running : { turnId: named, by: undefined };
    } else if (type === 'turn_ended' && !this.#isSaid && isEndOf(this.#running, event)) {
      this.#running = undefined;
    } else if (type === 'session_updated') {
      const { messageId } = this.#sent;
      this.#isQueued ||= event.payload.queued?.some(({ id }) => id === messageId) === true;
    }
  }

  #isThis({ payload }: EventOf<'user_message'>): boolean {
    const { messageId, text } = this.#sent;
    return messageId === undefined ? payload.text === text : payload.messageId === messageId;
  }

  #keepRecord(event: SessionEvent): void {
    if (!isRecordEvent(event)) return;
    const { interactionId } = event.payload;
    const record = foldRecord(this.#records.get(interactionId), event);
    if (record) this.#records.set(interactionId, record);
  }

  /** What ends every stream of the session, whatever it waits for. */
  #ofSession(event: SessionEvent): TurnEvent[] | undefined {
    // Cleared before the message came is no concern of it.
    const isIn = this.#isSaid || this.#isQueued;
    if (event.type === 'context_cleared') return isIn ? [{ type: 'done', reason: 'cleared' }] : [];
    if (event.type !== 'session_status') return undefined;
    const { status, message } = event.payload;
    if (status === 'deleted') return [{ type: 'done', reason: 'deleted' }];
    return [{ type: 'session_status', status, ...(message !== undefined && { message }) }];
  }

  #ofTurn(event: SessionEvent): TurnEvent[] {
    switch (event.type) {
      case 'assistant_text':
        return this.#text(event);
      case 'tool_call':
        return toolCall(event);
      case 'tool_result':
        return toolResult(event);
      case 'interaction_request':
        return [asked(event.payload)];
      case 'interaction_response':
        return this.#resolved(event.payload);
      case 'error': {
        const { message, code, by } = event.payload;
        const failure: TurnEvent = { type: 'error', message, ...(code !== undefined && { code }) };
        // The built-in agent says by itself when its turn is over; another one has failed.
        const isEnd = by !== undefined && isEndOf(this.#turn, event);
        return isEnd ? [failure, { type: 'done', reason: 'error' }] : [failure];
      }
      case 'turn_ended':
        return this.#ended(event);
      case 'session_started':
      case 'session_updated':
      case 'session_status':
      case 'turn_started':
      case 'user_message':
      case 'thinking':
      case 'interaction_pending':
      case 'interaction_update':
      case 'history_imported':
      case 'context_cleared':
        return [];
      default:
        // A new event type must be listed above; one of a newer server comes here.
        event satisfies never;
        return [];
    }
  }

  #text({ payload, responseId = '' }: EventOf<'assistant_text'>): TurnEvent[] {
    const preview = this.#previews.get(responseId) ?? '';
    this.#previews.delete(responseId);
    const isVoid = !payload.text.startsWith(preview);
    const text = isVoid ? payload.text : payload.text.slice(preview.length);
    if (text === '') return [];
    return [
      {
        type: 'text_delta',
        text,
        ...(responseId !== '' && { responseId }),
        ...(isVoid && { isReplacement: true }),
      },
    ];
  }

  #resolved({ interactionId, toolCallId, outcome }: EventOf<'interaction_response'>['payload']) {
    const interaction = this.#records.get(interactionId);
    // Asked before anything that was seen; whoever follows this turn was never told of it.
    if (interaction === undefined) return [];
    const resolved = { toolCallId, interactionId, outcome, interaction };
    return [{ type: 'interaction_resolved', ...resolved } satisfies TurnEvent];
  }

  #ended(event: EventOf<'turn_ended'>): TurnEvent[] {
    if (!isEndOf(this.#turn, event)) return [];
    const { payload } = event;
    this.#running = undefined;
    const { reason, message } = payload;
    const failure: TurnEvent[] =
      reason === 'error' && message !== undefined ? [{ type: 'error', message }] : [];
    return [...failure, { type: 'done', reason }];
  }
}

/** Two agents may be at work in one session, and name no turns. */
function isEndOf(
  turn: Turn | undefined,
  { payload: { by } }: EventOf<'turn_ended'> | EventOf<'error'>,
): boolean {
  return turn === undefined || by === undefined || turn.by === by.credential;
}

function toolCall({ toolCallId = '', payload }: EventOf<'tool_call'>): TurnEvent[] {
  const { toolName, input } = payload;
  return [
    { type: 'tool_call_start', toolCallId, toolName },
    { type: 'tool_call_delta', toolCallId, input: JSON.stringify(input) },
    { type: 'tool_call_end', toolCallId, toolName, input },
  ];
}

function toolResult({ toolCallId = '', payload }: EventOf<'tool_result'>): TurnEvent[] {
  const { output, isError = false } = payload;
  return [{ type: 'tool_result', toolCallId, output, isError }];
}

function asked(payload: EventOf<'interaction_request'>['payload']): TurnEvent {
  const { kind, toolCallId, toolName, interactionId, request } = payload;
  const about = { toolCallId, interactionId };
  switch (kind) {
    case 'approval':
      return {
        type: 'approval_required',
        toolName,
        input: JSON.stringify(request.input),
        ...about,
      };
    case 'question':
      return { type: 'question_prompt', questions: request.questions as JsonObject[], ...about };
    case 'plan_review':
      return { type: 'plan_review_required', plan: request.plan as string, ...about };
    case 'form':
      return { type: 'form_required', request, ...about };
  }
  // A kind of a newer server: the stream says at least that somebody is waited for.
  return { type: 'session_status', status: 'idle', message: `${toolName} waits for a person` };
}
