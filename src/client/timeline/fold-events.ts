/**
 * One event after another into a draft of the timeline.
 *
 * What comes from a server is taken as it is: a type from a newer one, or an event that lacks what
 * its type promises, is shown as `unknown` instead of ending the page.
 */
import type { SessionEvent } from '../../protocol/types.ts';
import type { Block } from './block.ts';
import { foldPending, foldToolCall, foldToolResult } from './tool-calls.ts';
import { addText, type TimelineDraft, ownContainer, type BlockPosition } from './timeline-draft.ts';
import { isObject, isText } from './guards.ts';
import { foldRequest, foldResponse, foldUpdate } from './interactions.ts';
import { placeBeside, placeFor } from './block-position.ts';
import { endAll, endTurn, failTurn, startTurn } from './turns.ts';

export function foldEvent(draft: TimelineDraft, event: SessionEvent): void {
  const isRead = isObject(event.payload) && foldKnown(draft, event) !== false;
  if (!isRead) add(draft, placeFor(draft, event), 'unknown', event);
}

/** False where the event does not say what it must. */
function foldKnown(draft: TimelineDraft, event: SessionEvent): boolean | void {
  const { toolCallId } = event;
  switch (event.type) {
    case 'assistant_text':
      return isText(event.payload.text) && foldText(draft, event);
    case 'thinking':
      return isText(event.payload.text) && add(draft, placeFor(draft, event), 'thinking', event);
    case 'error':
      return isText(event.payload.message) && foldError(draft, event);
    case 'user_message':
      if (!isText(event.payload.text)) return false;
      // What a person says outside a turn begins another one (TL-3).
      if (event.turnId === undefined) draft.unnamed = -1;
      return add(draft, placeBeside(draft, event, 'user'), 'user', event);
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
      return startTurn(draft, event);
    case 'turn_ended':
      return endTurn(draft, event);
    case 'session_started':
      return;
    case 'session_updated': {
      const { permissionMode, ruleAdded, ruleRevoked } = event.payload;
      if ((permissionMode ?? ruleAdded ?? ruleRevoked) === undefined) return;
      break;
    }
    case 'session_status': {
      const { status, message } = event.payload;
      // A model call that is tried again begins its text anew (LOG-5).
      if (status === 'retrying') draft.previews = [];
      if (status === 'deleted') endAll(draft, event.at);
      else if (message === undefined) return;
      break;
    }
    case 'context_cleared':
      endAll(draft, event.at);
      break;
    case 'history_imported':
      break;
    default:
      // A new event type must be listed above; one of a newer server comes here.
      event satisfies never;
      return false;
  }
  add(draft, placeBeside(draft, event, 'session'), 'notice', event);
}

type AboutInteraction = Extract<SessionEvent, { payload: { interactionId: string; kind: string } }>;

function foldInteraction(draft: TimelineDraft, event: AboutInteraction): boolean | void {
  const { interactionId, toolCallId } = event.payload;
  if (!isText(interactionId) || !isText(toolCallId)) return false;
  if (event.type === 'interaction_update') return foldUpdate(draft, event);
  if (event.type === 'interaction_response') return foldResponse(draft, event);
  // Imported history may name the call in one place only.
  return isObject(event.payload.request) && foldRequest(draft, { ...event, toolCallId });
}

function foldError(draft: TimelineDraft, event: Extract<SessionEvent, { type: 'error' }>): void {
  const place = placeFor(draft, event);
  add(draft, place, 'error', event);
  failTurn(draft, event, place.turn);
}

function foldText(
  draft: TimelineDraft,
  event: Extract<SessionEvent, { type: 'assistant_text' }>,
): void {
  const { responseId, at, payload } = event;
  const { text, partial } = payload;
  const said = { text, at, ...(partial === true && { isPartial: true as const }) };
  addText(ownContainer(draft, placeFor(draft, event)), said);
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
