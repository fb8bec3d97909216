/** Carries the outcomes of interactions into the calls of the run, in the commit of the outcome. */
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { PLAN_WITHOUT_TEXT } from '../../core/kinds/plan-review.ts';
import { findKind } from '../../core/kinds/kind.ts';
import { describeAnswers } from '../../protocol/describe-answers.ts';
import type { Question } from '../../protocol/schema/kinds/question.ts';
import { findTool } from '../tools/registry.ts';
import { allowCall } from './gate-tool-call.ts';
import { endUnfinishedCalls, endCall } from './end-turn.ts';
import { startTurnFromPlan } from './start-turn.ts';
import { findCall, isActiveRun, type Run, type RunCall, replaceCall } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { insertEventsBefore } from '../../core/session-draft.ts';

type CallResponse = Extract<DraftEvent, { type: 'interaction_response' }>['payload'];

const DENIED_MESSAGE = 'Interaction cancelled';
export const NOT_RUN_AGAIN =
  'The server stopped while this ran; it may have had its effect. It was not run again.';

export function settleCalls(draft: RunDraft, facts: RunFacts): RunDraft {
  return draft.events.reduce((one, event) => {
    const { run } = one;
    if (event.type !== 'interaction_response' || !isActiveRun(run)) return one;
    const call = findCall(run, event.payload.toolCallId);
    const isWaiting = call?.status === 'asking' || call?.status === 'unknown';
    // A superseded request has a successor, whose outcome is still to come.
    if (call === undefined || !isWaiting || event.payload.outcome === 'superseded') return one;
    return settleCall(one, run, call, event.payload, facts);
  }, draft);
}

function settleCall(
  draft: RunDraft,
  run: Run,
  asked: RunCall,
  response: CallResponse,
  facts: RunFacts,
): RunDraft {
  const { outcome, kind, attachments } = response;
  const call = attachments === undefined ? asked : { ...asked, attachments };
  const { agent } = draft.state.info;
  const tool = agent === null ? undefined : findTool(agent, call.toolName);
  // A kind may call its answer an approval, and here nothing runs by it.
  const isAnswer = outcome === 'answered' || (outcome === 'approved' && tool?.runBy === 'person');
  if (isAnswer && kind !== 'plan_review') {
    const content = answerForModel(draft, response, facts);
    return endCall(draft, run, call, { content, isError: false }, facts);
  }
  if (outcome !== 'approved') {
    const message = response.message ?? DENIED_MESSAGE;
    const content = call.status === 'unknown' ? `${NOT_RUN_AGAIN} ${message}` : message;
    return endCall(draft, run, call, { content, isError: true }, facts);
  }
  if (kind === 'plan_review') return applyApprovedPlan(draft, run, call, response, facts);
  if (tool === undefined) {
    const content = `There is no tool "${call.toolName}" any more.`;
    return endCall(draft, run, call, { content, isError: true }, facts);
  }
  const isEdited = response.authorizedDigest !== response.inputDigest;
  const approved: RunCall = {
    ...call,
    input: response.updatedInput ?? call.input,
    ...(isEdited && { isEdited: true }),
    ...(call.status === 'unknown' && { isRepeat: true }),
  };
  return setRun(draft, replaceCall(run, allowCall(approved, tool, facts.now)));
}

function applyApprovedPlan(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  response: CallResponse,
  facts: RunFacts,
): RunDraft {
  const approved = 'The person approved the plan. Carry it out now.';
  const ended = endCall(draft, run, call, { content: approved, isError: false }, facts);
  if (response.decision?.clearContext !== true) return ended;
  const record = draft.before.open.get(response.interactionId);
  return startTurnFromPlan(ended, readApprovedPlan(record?.request.plan), response, facts);
}

function readApprovedPlan(plan: unknown): string | undefined {
  const isText = typeof plan === 'string' && plan.trim() !== '' && plan !== PLAN_WITHOUT_TEXT;
  return isText ? plan : undefined;
}

/** The text is the same as in the reply to an agent elsewhere. */
function answerForModel(
  draft: RunDraft,
  { interactionId, kind, answers = {} }: CallResponse,
  { kinds }: RunFacts,
): string {
  const record = draft.records.get(interactionId);
  if (kind === 'question') {
    const questions = record?.request.questions ?? [];
    return describeAnswers(questions as unknown as readonly Question[], answers);
  }
  const reply = record && findKind(kinds, record).reply(record);
  const given = reply !== undefined && 'updatedInput' in reply ? reply.updatedInput : {};
  return Object.keys(given).length === 0 ? 'The person answered.' : JSON.stringify(given);
}

/**
 * Settles calls before the end of their turn. An interrupt, `/clear` and a delete end the turn in the core's events:
 * results after that end would show calls that outlive their turn, and a reader who stops there would miss them.
 */
export function settleCallsBeforeEnd(draft: RunDraft, facts: RunFacts): RunDraft {
  const end = isActiveRun(draft.run) ? draft.events.findIndex(endsTurn) : -1;
  if (end === -1) return settleCalls(draft, facts);
  return insertEventsBefore(draft, end, (one) =>
    endUnfinishedCalls(settleCalls(one, facts), facts),
  );
}

function endsTurn({ type }: DraftEvent): boolean {
  return type === 'turn_ended' || type === 'context_cleared';
}
