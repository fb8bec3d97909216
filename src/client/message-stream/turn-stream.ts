/**
 * Selects from the log and its deltas what follows from one message (STR-1).
 *
 * Pure: the input is every event after the head at which the message was sent, the output the events to yield; `isOver`
 * says that no more can come. The stream goes from the message's own `user_message` to the end of its turn, which is the
 * running turn or else the next one to start. Events with the id of another turn are left out.
 *
 * Deltas are previews of the stored text. Stored text is yielded without its previewed beginning; if the preview is void
 * (the model was called again), all of the text is yielded with `isReplacement`.
 */
import { foldRecord, isRecordEvent } from '../../protocol/interaction-record.ts';
import type { Delta } from '../transport.ts';
import { askedEvent, type TurnEvent } from './turn-event.ts';
import type { EventOf, Interaction, SessionEvent, Snapshot } from '../../protocol/types.ts';

/** Identifies the message in the log; `turnId` is set if the server knows the turn already. */
export interface MessageMatch {
  readonly text: string;
  readonly messageId?: string | undefined;
  readonly turnId?: string | undefined;
}

interface FollowedTurn {
  readonly turnId: string | undefined;
  /** The credential that reports the turn; undefined for the built-in agent. */
  readonly by: string | undefined;
}

export class TurnStream {
  readonly #sent: MessageMatch;
  readonly #records = new Map<string, Interaction>();
  readonly #previews = new Map<string, string>();
  /** The turn that runs in the session, of any agent. */
  #running: FollowedTurn | undefined;
  /** The message is in the queue of the session. */
  #isQueued = false;
  #isLogged = false;
  #turn: FollowedTurn | undefined;
  #isOver = false;

  constructor(snapshot: Snapshot, sent: MessageMatch) {
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
    return this.#isLogged && (mine === undefined || turnId === undefined || turnId === mine);
  }

  /** Tracks which turn runs, and which one handles the message. */
  #follow(event: SessionEvent): void {
    const { type, turnId } = event;
    if (type === 'turn_started') {
      this.#running = { turnId, by: event.payload.by?.credential };
      if (this.#isLogged) this.#turn ??= this.#running;
    } else if (type === 'user_message' && !this.#isLogged && this.#isThis(event)) {
      this.#isLogged = true;
      const { turnId: known } = this.#sent;
      this.#turn = known === undefined ? this.#running : { turnId: known, by: undefined };
    } else if (type === 'turn_ended' && !this.#isLogged && isEndOf(this.#running, event)) {
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

  /** Events that end every stream of the session. Undefined: the event is about a turn. */
  #ofSession(event: SessionEvent): TurnEvent[] | undefined {
    // A clear before the message does not end its stream.
    const isIn = this.#isLogged || this.#isQueued;
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
        return toolCallEvents(event);
      case 'tool_result':
        return toolResultEvents(event);
      case 'interaction_request':
        return [askedEvent(event.payload)];
      case 'interaction_response':
        return this.#resolved(event.payload);
      case 'error': {
        const { message, code, by } = event.payload;
        const failure: TurnEvent = { type: 'error', message, ...(code !== undefined && { code }) };
        // The built-in agent ends its turn with `turn_ended`; for another agent an error is the end.
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
      case 'conversation_compacted':
      case 'conversation_restored':
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
    // Opened before the first event of this stream, so its opening was never yielded.
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

/** Two agents without turn ids may work in one session. */
function isEndOf(
  turn: FollowedTurn | undefined,
  { payload: { by } }: EventOf<'turn_ended'> | EventOf<'error'>,
): boolean {
  return turn === undefined || by === undefined || turn.by === by.credential;
}

function toolCallEvents({ toolCallId = '', payload }: EventOf<'tool_call'>): TurnEvent[] {
  const { toolName, input } = payload;
  return [
    { type: 'tool_call_start', toolCallId, toolName },
    { type: 'tool_call_delta', toolCallId, input: JSON.stringify(input) },
    { type: 'tool_call_end', toolCallId, toolName, input },
  ];
}

function toolResultEvents({ toolCallId = '', payload }: EventOf<'tool_result'>): TurnEvent[] {
  const { output, isError = false } = payload;
  return [{ type: 'tool_result', toolCallId, output, isError }];
}
