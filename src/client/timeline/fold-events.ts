/**
 * Folds one event into a draft of the timeline.
 *
 * An event of an unknown type, or without the fields of its type, is shown as `unknown` and does not break the page.
 */
import type { SessionEvent } from '../../protocol/types.ts';
import type { Block } from './block.ts';
import { foldPending, foldToolCall, foldToolResult } from './tool-calls.ts';
import { addText, type TimelineDraft, ownContainer, type BlockPosition } from './timeline-draft.ts';
import { isObject, isText } from '../../protocol/guards.ts';
import { foldRequest, foldResponse, foldUpdate } from './interactions.ts';
import { positionBeside, positionFor } from './block-position.ts';
import { endAll, foldTurnEnded, foldTurnFailed, foldTurnStarted } from './turns.ts';

export function foldEvent(draft: TimelineDraft, event: SessionEvent): void {
  const isRead = isObject(event.payload) && foldKnown(draft, event) !== false;
  if (!isRead) add(draft, positionFor(draft, event), 'unknown', event);
}

/** False if the event lacks a required field. */
function foldKnown(draft: TimelineDraft, event: SessionEvent): boolean | void {
  const { toolCallId } = event;
  switch (event.type) {
    case 'assistant_text':
      return isText(event.payload.text) && foldText(draft, event);
    case 'thinking':
      return isText(event.payload.text) && add(draft, positionFor(draft, event), 'thinking', event);
    case 'error':
      return isText(event.payload.message) && foldError(draft, event);
    case 'user_message':
      if (!isText(event.payload.text)) return false;
      // A user message outside a turn begins a new one (TL-3).
      if (event.turnId === undefined) draft.unnamed = -1;
      return add(draft, positionBeside(draft, event, 'user'), 'user', event);
    case 'tool_call':
      if (!isText(event.payload.toolName)) return false;
      return isText(toolCallId) && foldToolCall(draft, toolCallId, event);
    case 'tool_result':
      return isText(toolCallId) && foldToolResult(draft, toolCallId, event);
    case 'interaction_pending':
      return foldPending(draft, event);
    case 'interaction_request':
    case 'interaction_update':
    case 'interaction_response':
      return foldInteraction(draft, event);
    case 'turn_started':
      return foldTurnStarted(draft, event);
    case 'turn_ended':
      return foldTurnEnded(draft, event);
    case 'session_started':
    // The imported entries are what a screen shows, in `alignHistory`.
    case 'history_imported':
      return;
    case 'session_updated': {
      const { permissionMode, ruleAdded, ruleRevoked } = event.payload;
      if ((permissionMode ?? ruleAdded ?? ruleRevoked) === undefined) return;
      break;
    }
    case 'session_status': {
      const { status, message } = event.payload;
      // A repeated model call starts its text again (LOG-5).
      if (status === 'retrying') draft.previews = [];
      if (status === 'deleted') endAll(draft, event.at);
      else if (message === undefined) return;
      break;
    }
    case 'context_cleared':
      endAll(draft, event.at);
      break;
    default:
      // A new event type must be listed above; one of a newer server comes here.
      event satisfies never;
      return false;
  }
  add(draft, positionBeside(draft, event, 'session'), 'notice', event);
}

type AboutInteraction = Extract<SessionEvent, { payload: { interactionId: string; kind: string } }>;

function foldInteraction(draft: TimelineDraft, event: AboutInteraction): boolean | void {
  const { interactionId, toolCallId } = event.payload;
  if (!isText(interactionId) || !isText(toolCallId)) return false;
  if (event.type === 'interaction_update') {
    foldUpdate(draft, event);
    const { change } = event.payload;
    const isNotice = change === 'reminder' || change === 'escalated';
    return isNotice
      ? add(draft, positionFor(draft, { ...event, toolCallId }), 'notice', event)
      : undefined;
  }
  if (event.type === 'interaction_response') return foldResponse(draft, event);
  // Imported history may have the tool call id only in its payload.
  return isObject(event.payload.request) && foldRequest(draft, { ...event, toolCallId });
}

function foldError(draft: TimelineDraft, event: Extract<SessionEvent, { type: 'error' }>): void {
  const place = positionFor(draft, event);
  add(draft, place, 'error', event);
  foldTurnFailed(draft, event, place.turn);
}

function foldText(
  draft: TimelineDraft,
  event: Extract<SessionEvent, { type: 'assistant_text' }>,
): void {
  const { responseId, seq, at, payload } = event;
  const { text, partial } = payload;
  const block = { text, seq, at, ...(partial === true && { isPartial: true as const }) };
  addText(ownContainer(draft, positionFor(draft, event)), block);
  draft.previews = draft.previews.filter(
    (one) => one.responseId !== undefined && one.responseId !== responseId,
  );
}

type PlainBlock = Extract<Block, { event: unknown }>;

function add<T extends PlainBlock['type']>(
  draft: TimelineDraft,
  place: BlockPosition,
  type: T,
  event: Extract<PlainBlock, { type: T }>['event'],
): void {
  const block = { type, id: `event-${event.seq}`, event } as PlainBlock;
  ownContainer(draft, place).blocks.push(block);
}
