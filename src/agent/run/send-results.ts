/** Sends all results of an answer back together, with the queued messages, once its last call is done. */
import { toUserMessage } from '../conversation.ts';
import type { UserContent } from '../message.ts';
import { addQueuedMessages, messageTexts } from './start-turn.ts';
import { endFailedTurn, toResultContent } from './end-turn.ts';
import type { Run } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { LIMITS } from '../../protocol/limits.ts';

export function sendResults(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run } = draft;
  if (run?.status !== 'tools' || run.calls.some(({ status }) => status !== 'done')) return draft;
  const results = run.calls.map(toResultContent);
  const answered: Run = { ...run, status: 'model', calls: [] };
  const limit = findStepLimit(draft, run);
  if (limit !== undefined) {
    return endFailedTurn(
      addMessage(draft, { role: 'user', content: results }),
      answered,
      limit,
      facts,
    );
  }
  const isQueued = draft.state.info.queued.length > 0 && draft.state.open.size === 0;
  const drained = isQueued ? addQueuedMessages(draft, run.turnId, facts.now) : draft;
  const texts = toUserMessage(...messageTexts(drained.events.slice(draft.events.length)));
  const content: UserContent[] = [...results, ...texts.content];
  return setRun(addMessage(drained, { role: 'user', content }), answered);
}

/** The failure of a turn that has reached its limit of answers. */
export function findStepLimit({ state }: RunDraft, { step }: Run) {
  const maxSteps = state.info.agent?.maxSteps ?? LIMITS.turnSteps;
  if (step < maxSteps) return undefined;
  const message = `This turn reached its limit of ${maxSteps} answers of the model.`;
  return { code: 'step_limit', message };
}
