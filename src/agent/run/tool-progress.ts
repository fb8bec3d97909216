/** The progress of a call that needs no person: its start, its end, and its recovery after a crash. */
import { addDecision } from '../../core/session-draft.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { digestInput } from '../../core/digest.ts';
import { findTool } from '../tools/registry.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { askToRunAgain } from './gate-tool-call.ts';
import { endCall } from './end-turn.ts';
import {
  findCall,
  isActiveRun,
  type Run,
  type RunCall,
  replaceCall,
  type RunCommandOf,
} from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { NOT_RUN_AGAIN } from './settle-calls.ts';

const NOT_APPROVED = 'Not run: the input differs from the approved one.';

/** Writes the start before the effect: without it a crash could repeat the effect unnoticed. */
export function startCall(draft: RunDraft, run: Run, call: RunCall, facts: RunFacts): RunDraft {
  if (call.status !== 'claimed') return draft;
  if (!isApprovedInput(draft, call, facts)) {
    return endCall(draft, run, call, { content: NOT_APPROVED, isError: true }, facts);
  }
  return setRun(draft, replaceCall(run, { ...call, status: 'started' }));
}

/** Compares the approved digest with the input that is about to run: rows can be damaged, and code wrong. */
function isApprovedInput(
  { state }: RunDraft,
  { toolName, input }: RunCall,
  { record }: RunFacts,
): boolean {
  if (record === undefined || record.kind !== 'approval') return true;
  if (record.status === 'open') return false;
  const { workspace, id: session } = state.info;
  const { interactionId } = record;
  const digest = digestInput({ workspace, session, interactionId, toolName }, input);
  return record.outcome === 'approved' && record.authorizedDigest === digest;
}

export function finishCall(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  { output, file }: RunCommandOf<'tool.ended'>,
  facts: RunFacts,
): RunDraft {
  if (call.status !== 'claimed' && call.status !== 'started') return draft;
  // A file tool has no separate start: its change is part of this commit.
  if (call.status === 'claimed' && !isApprovedInput(draft, call, facts)) {
    return endCall(draft, run, call, { content: NOT_APPROVED, isError: true }, facts);
  }
  const written = file === undefined ? draft : { ...draft, files: [...draft.files, file] };
  return endCall(written, run, call, output, facts);
}

export function recoverLostCall(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  facts: RunFacts,
): RunDraft {
  if (call.status !== 'started' || call.until !== undefined) return draft;
  const { agent } = draft.state.info;
  const tool = agent === null ? undefined : findTool(agent, call.toolName);
  if (tool?.runBy === 'http' && tool.idempotent) {
    return setRun(draft, replaceCall(run, { ...call, status: 'claimed', isRepeat: true }));
  }
  const asked = askToRunAgain(draft, run, call, facts);
  if (!asked.ok) {
    const content = `${NOT_RUN_AGAIN} ${asked.message}`;
    return endCall(draft, run, call, { content, isError: true }, facts);
  }
  return setRun(addDecision(draft, asked), replaceCall(run, { ...call, status: 'unknown' }));
}

/** Applies the result of a tool that the client ran. */
export function applyClientResult(
  draft: RunDraft,
  { toolCallId, output: content, isError }: CommandOf<'tool.result'>,
  facts: RunFacts,
): RunDraft | Rejection {
  const { run } = draft;
  const call = isActiveRun(run) ? findCall(run, toolCallId) : undefined;
  if (!isActiveRun(run) || call === undefined) {
    return reject('not_found', 'No active tool call of the built-in agent has this id');
  }
  if (call.status !== 'started' || call.until === undefined) {
    return reject('not_waiting', 'This tool call does not wait for a result', {
      status: call.status,
    });
  }
  return endCall(draft, run, call, { content, isError }, facts);
}

/** Ends the client tools whose time is over. */
export function timeOutCalls(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run } = draft;
  const late = run?.calls.filter(
    ({ status, until }) => status === 'started' && until !== undefined && until <= facts.now,
  );
  return (late ?? []).reduce((one, call) => {
    const output = { content: 'No result came in time.', isError: true };
    return one.run === null ? one : endCall(one, one.run, call, output, facts);
  }, draft);
}
