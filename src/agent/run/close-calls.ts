/** Every call of a run that has no result gets one, because its turn is about to end. */
import type { ToolOutput } from '../tools/tool-ports.ts';
import { endCall } from './end-call.ts';
import type { RunCall } from './run.ts';
import type { RunDraft, RunFacts } from './run-draft.ts';

const BEFORE_IT_RAN = 'Interrupted before it ran.';
const WHILE_IT_RAN = 'Interrupted while it ran; it may have had its effect.';

export function closeCalls(draft: RunDraft, facts: RunFacts): RunDraft {
  const left = draft.run?.calls.filter(({ status }) => status !== 'done') ?? [];
  return left.reduce(
    (one, call) =>
      one.run === null ? one : endCall(one, one.run, call, interruptedOutput(call), facts),
    draft,
  );
}

export function interruptedOutput({ status }: RunCall): ToolOutput {
  const isMidway = status === 'started' || status === 'unknown';
  return { content: isMidway ? WHILE_IT_RAN : BEFORE_IT_RAN, isError: true };
}
