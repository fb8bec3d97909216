/**
 * Folds one event into a draft of the timeline.
 *
 * An event of an unknown type, or without the fields of its type, is shown as `unknown` and does not break the page.
 *
 * An interaction is a step of the tool block; a questionnaire is a block of its own after it (TL-5). A reprompt takes
 * the place of the step that it replaces, and keeps the old request in `changedFrom` for a person who had begun to
 * read it; a settled step stays (TL-6). Whether the call waits comes from `interaction_pending`, and from request and
 * response only if no such event was logged (PEND-8).
 */
import {
  isObject,
  isText,
  type SessionEvent,
  type EventOf,
  type Interaction,
  type JsonObject,
} from '../../protocol/types.ts';
import { openedRecord, settledRecord, updatedRecord } from '../../protocol/interaction-record.ts';
import type { Block, ToolCallState } from './block.ts';
import {
  foldPending,
  foldToolCall,
  foldToolResult,
  changeCall,
  findCallBlocks,
  putCallBlocks,
  type CallBlocks,
  stepsOf,
  newCall,
  statusAfter,
  UNREPORTED_QUESTION,
} from './tool-calls.ts';
import { addText, type TimelineDraft, ownContainer, type BlockPosition } from './timeline.ts';
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
    case 'conversation_compacted':
      if (!isText(event.payload.summary)) return false;
      return add(draft, positionFor(draft, event), 'summary', event);
    case 'conversation_restored':
      return add(draft, positionBeside(draft, event, 'session'), 'summary', event);
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

type ResponsePayload = EventOf<'interaction_response'>['payload'];

function foldRequest(draft: TimelineDraft, event: EventOf<'interaction_request'>): void {
  const { interactionId, toolCallId, presentation, replaces } = event.payload;
  const early = draft.early.get(interactionId) as ResponsePayload | undefined;
  draft.early.delete(interactionId);
  const opened = openedRecord(event);
  const step = early === undefined ? opened : settledRecord(opened, early);
  const run = findCallBlocks(draft, toolCallId);
  const call = callOfRequest(draft, event, run, step);
  const changedFrom = run && firstRequest(run, event);
  const change = changedFrom !== undefined && { changedFrom };
  const isKept = (old: Interaction) => old.interactionId !== replaces && old.status !== 'open';
  const { changedFrom: _, ...before } = run?.tool ?? {};
  const steps = run?.tool?.steps.filter(isKept) ?? [];
  const isAlone = presentation === 'questionnaire';
  if (!isAlone) steps.push(step);
  const tool = { type: 'tool' as const, id: `tool:${toolCallId}`, isPlaceholder: true, ...before };
  const card = { type: 'questionnaire' as const, id: `ask:${interactionId}`, step, ...change };
  // A placeholder exists for its steps: without a step there is nothing to show.
  const isEmpty = tool.isPlaceholder && steps.length === 0;
  putCallBlocks(draft, run, event, call, [
    ...(isEmpty ? [] : [{ ...tool, steps, ...(!isAlone && change) }]),
    ...(run?.asked.filter((old) => isKept(old.step)) ?? []),
    ...(isAlone ? [card] : []),
  ]);
}

/** The first of a chain of undecided requests, which a person may have read. */
function firstRequest(
  run: CallBlocks,
  { payload }: EventOf<'interaction_request'>,
): Interaction | undefined {
  const steps = stepsOf(run);
  const before =
    steps.find(({ interactionId }) => interactionId === payload.replaces) ??
    (payload.inputChanged === true ? steps.at(-1) : undefined);
  if (before === undefined) return undefined;
  const isChanged = before.replaces !== undefined || before.inputChanged === true;
  const block = run.asked.find(({ step }) => step === before) ?? run.tool;
  return isChanged ? (block?.changedFrom ?? before) : before;
}

function foldUpdate(draft: TimelineDraft, event: EventOf<'interaction_update'>): void {
  const { interactionId, toolCallId } = event.payload;
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) return;
  changeCall(draft, run, {}, (step) =>
    step.interactionId === interactionId ? updatedRecord(step, event) : step,
  );
}

function foldResponse(draft: TimelineDraft, { payload }: EventOf<'interaction_response'>): void {
  const { interactionId, toolCallId, outcome } = payload;
  const run = findCallBlocks(draft, toolCallId);
  const before = run && stepsOf(run).find((step) => step.interactionId === interactionId);
  if (run === undefined || before === undefined) {
    draft.early.set(interactionId, payload);
    return;
  }
  const after = settledRecord(before, payload);
  const isStatusLogged = draft.waiting.has(toolCallId) || outcome === 'superseded';
  const last = stepsOf(run).at(-1);
  const status = isStatusLogged
    ? run.call.status
    : statusAfter(run.call, last === before ? after : last);
  changeCall(draft, run, { status }, (step) => (step === before ? after : step));
}

function callOfRequest(
  draft: TimelineDraft,
  { payload }: EventOf<'interaction_request'>,
  run: CallBlocks | undefined,
  step: Interaction,
): ToolCallState {
  const { toolCallId, toolName, kind, request } = payload;
  const { questions, input } = request;
  const known = run?.call ?? newCall(draft, toolCallId);
  const waits = step.status === 'open' || draft.waiting.has(toolCallId);
  const call = {
    ...known,
    ...(run?.tool?.isPlaceholder !== false && {
      toolName: kind === 'question' ? UNREPORTED_QUESTION : toolName,
      input: isObject(input) ? input : ('' as const),
    }),
  };
  return {
    ...call,
    status: waits ? 'pending' : statusAfter(call, step),
    interactiveType: kind,
    ...(Array.isArray(questions) && { questions: questions as JsonObject[] }),
  };
}
