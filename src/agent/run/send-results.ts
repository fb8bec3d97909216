/** When the last call of an answer is done, all results go back together, with whatever people said meanwhile. */
import { userText } from '../conversation.ts';
import type { UserBlock } from '../message.ts';
import { takeQueue, textsOf } from './start-turn.ts';
import { fail, resultOf } from './end-turn.ts';
import type { Run } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { LIMITS } from '../../protocol/limits.ts';

export function goOn(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run } = draft;
  if (run?.status !== 'tools' || run.calls.some(({ status }) => status !== 'done')) return draft;
  const results = run.calls.map(resultOf);
  const answered: Run = { ...run, status: 'model', calls: [] };
  const limit = stepLimit(draft, run);
  if (limit !== undefined) {
    return fail(addMessage(draft, { role: 'user', content: results }), answered, limit, facts);
  }
  const isQueued = draft.state.info.queued.length > 0 && draft.state.open.size === 0;
  const taken = isQueued ? takeQueue(draft, run.turnId, facts.now) : draft;
  const texts = userText(...textsOf(taken.events.slice(draft.events.length)));
  const content: UserBlock[] = [...results, ...texts.content];
  return setRun(addMessage(taken, { role: 'user', content }), answered);
}

/** Why the model is not asked once more in this turn, or undefined. */
export function stepLimit({ state }: RunDraft, { step }: Run) {
  const maxSteps = state.info.agent?.maxSteps ?? LIMITS.turnSteps;
  if (step < maxSteps) return undefined;
  const message = `This turn reached its limit of ${maxSteps} answers of the model.`;
  return { code: 'step_limit', message };
}
