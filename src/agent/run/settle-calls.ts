/** What people, time and cancels decided about the calls of a run, carried into the run in the same commit. */
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { PLAN_WITHOUT_TEXT } from '../../core/kinds/plan-review.ts';
import { answersAsText } from '../../core/kinds/question.ts';
import type { Question } from '../../protocol/schema/kinds/question.ts';
import { toolNamed } from '../tools/registry.ts';
import { allow } from './gate-tool-call.ts';
import { closeCalls, endCall } from './end-call.ts';
import { startFromPlan } from './start-turn.ts';
import { callOf, isActive, type Run, type RunCall, withCall } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { insertBefore } from '../../core/session-draft.ts';

type Response = Extract<DraftEvent, { type: 'interaction_response' }>['payload'];

const DENIED = 'Interaction cancelled';
export const NOT_AGAIN =
  'The server stopped while this ran; it may have had its effect. It was not run again.';

export function settleCalls(draft: RunDraft, facts: RunFacts): RunDraft {
  return draft.events.reduce((one, event) => {
    const { run } = one;
    if (event.type !== 'interaction_response' || !isActive(run)) return one;
    const call = callOf(run, event.payload.toolCallId);
    const isWaiting = call?.status === 'asking' || call?.status === 'unknown';
    // What was superseded is asked in another form, and that one's end is still to come.
    if (call === undefined || !isWaiting || event.payload.outcome === 'superseded') return one;
    return settled(one, run, call, event.payload, facts);
  }, draft);
}

function settled(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  response: Response,
  facts: RunFacts,
): RunDraft {
  const { outcome, kind } = response;
  if (outcome === 'answered') {
    const content = answersText(draft, response);
    return endCall(draft, run, call, { content, isError: false }, facts);
  }
  if (outcome !== 'approved') {
    const message = response.message ?? DENIED;
    const content = call.status === 'unknown' ? `${NOT_AGAIN} ${message}` : message;
    return endCall(draft, run, call, { content, isError: true }, facts);
  }
  if (kind === 'plan_review') return planApproved(draft, run, call, response, facts);
  const { agent } = draft.state.info;
  const tool = agent === null ? undefined : toolNamed(agent, call.toolName);
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
  return setRun(draft, withCall(run, allow(approved, tool, facts.now)));
}

function planApproved(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  response: Response,
  facts: RunFacts,
): RunDraft {
  const approved = 'The person approved the plan. Carry it out now.';
  const told = endCall(draft, run, call, { content: approved, isError: false }, facts);
  if (response.decision?.clearContext !== true) return told;
  const record = draft.before.open.get(response.interactionId);
  return startFromPlan(told, planOf(record?.request.plan), response.settledBy, facts);
}

function planOf(plan: unknown): string | undefined {
  const isText = typeof plan === 'string' && plan.trim() !== '' && plan !== PLAN_WITHOUT_TEXT;
  return isText ? plan : undefined;
}

/** In the words in which an agent elsewhere is told. */
function answersText(draft: RunDraft, { interactionId, answers = {} }: Response): string {
  const questions = draft.before.open.get(interactionId)?.request.questions ?? [];
  return answersAsText(questions as unknown as readonly Question[], answers);
}

export function settleBeforeEnd(draft: RunDraft, facts: RunFacts): RunDraft {
  const end = isActive(draft.run) ? draft.events.findIndex(endsTurn) : -1;
  if (end === -1) return settleCalls(draft, facts);
  return insertBefore(draft, end, (one) => closeCalls(settleCalls(one, facts), facts));
}

function endsTurn({ type }: DraftEvent): boolean {
  return type === 'turn_ended' || type === 'context_cleared';
}
