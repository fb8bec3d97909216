/**
 * Interactions, shown with their tool calls.
 *
 * An interaction is a step of the tool block; a questionnaire is a block of its own after it (TL-5). A reprompt takes the
 * place of the step that it replaces, and keeps the old request in `changedFrom` for a person who had begun to read it; a
 * settled step stays (TL-6). Whether the call waits comes from `interaction_pending`, and from request and response only if
 * no such event was logged (PEND-8).
 */
import type { EventOf, Interaction, JsonObject } from '../../protocol/types.ts';
import type { ToolCallState } from './block.ts';
import {
  changeCall,
  findCallBlocks,
  putCallBlocks,
  type CallBlocks,
  stepsOf,
  newCall,
  statusAfter,
  UNREPORTED_QUESTION,
} from './tool-calls.ts';
import type { TimelineDraft } from './timeline-draft.ts';
import { isObject } from '../../protocol/guards.ts';
import { openedRecord, settledRecord, updatedRecord } from '../../protocol/interaction-record.ts';

type ResponsePayload = EventOf<'interaction_response'>['payload'];

export function foldRequest(draft: TimelineDraft, event: EventOf<'interaction_request'>): void {
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

export function foldUpdate(draft: TimelineDraft, event: EventOf<'interaction_update'>): void {
  const { interactionId, toolCallId } = event.payload;
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) return;
  changeCall(draft, run, {}, (step) =>
    step.interactionId === interactionId ? updatedRecord(step, event) : step,
  );
}

export function foldResponse(
  draft: TimelineDraft,
  { payload }: EventOf<'interaction_response'>,
): void {
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
