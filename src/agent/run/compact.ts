/**
 * Puts a summary in the place of the beginning of the conversation, and takes it back.
 *
 * The messages stay stored. A summary that is not to be had does not end a turn, unless the API refuses the conversation
 * without it.
 */
import { rejectIfLogFull } from '../../core/rejections.ts';
import { addEvents, startDraft } from '../../core/session-draft.ts';
import { listOpenInteractions, type SessionState } from '../../core/state.ts';
import { addUsage } from '../../protocol/add-usage.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { LAST_SUMMARY_LEVEL } from '../request-summary.ts';
import { findCostUsd } from '../token-cost.ts';
import type { ModelFailed, ModelUsage } from '../model.ts';
import { endFailedTurn } from './end-turn.ts';
import { pauseBeforeRetry } from './pause-before-retry.ts';
import { isActiveRun, type Run, type RunCommandOf, type RunCompaction } from './run.ts';
import { type RunDraft, type RunFacts, setRun, startRunDraft } from './run-draft.ts';

/** Pauses of one and two seconds; the turn waits for them. */
const MAX_SUMMARY_ATTEMPTS = 3;
const FIRST_TRY: RunCompaction = { level: 0, attempt: 0 };

export function applySummary(
  draft: RunDraft,
  run: Run,
  command: RunCommandOf<'summary.written'>,
  facts: RunFacts,
): RunDraft {
  const { summary, content, to, toolCallIds, tokensBefore, tokensAfter, model } = command;
  const { compaction = FIRST_TRY } = run;
  const usage = addCost(command.usage, model, facts);
  const counted: Run = { ...run, attempt: 0, usage: addUsage(run.usage, usage) };
  const isInTheWay = listOpenInteractions(draft.state).some(
    ({ turnId, toolCallId }) => turnId === run.turnId || toolCallIds.includes(toolCallId),
  );
  if (isInTheWay || rejectIfLogFull(draft.state, 1) !== undefined) {
    return setRun(draft, { ...counted, compaction: { ...compaction, over: 'given_up' } });
  }
  const logged = addEvents(
    draft,
    [
      {
        type: 'conversation_compacted',
        turnId: run.turnId,
        payload: { summary, to, tokensBefore, tokensAfter, model, usage },
      },
    ],
    facts.now,
  );
  const written: Run = { ...counted, compaction: { ...compaction, over: 'written' } };
  const stored = { seq: logged.state.head, from: to + 1, content, callIds: toolCallIds };
  return { ...logged, run: written, summary: stored };
}

export function applySummaryFailure(
  draft: RunDraft,
  run: Run,
  { failure, model, usage }: RunCommandOf<'summary.failed'>,
  facts: RunFacts,
): RunDraft {
  const { compaction = FIRST_TRY } = run;
  const { reason } = failure;
  const counted: Run =
    usage === undefined
      ? run
      : { ...run, usage: addUsage(run.usage, addCost(usage, model, facts)) };
  const needsLess = isTooLong(failure) || reason === 'malformed_answer';
  if (needsLess && compaction.level < LAST_SUMMARY_LEVEL) {
    const harder: RunCompaction = { ...compaction, level: compaction.level + 1, attempt: 0 };
    return setRun(draft, { ...counted, compaction: harder });
  }
  const attempt = compaction.attempt + 1;
  if (failure.retry === 'later' && attempt < MAX_SUMMARY_ATTEMPTS) {
    const next: Run = { ...counted, compaction: { ...compaction, attempt } };
    return pauseBeforeRetry(draft, next, { failure, attempt }, facts);
  }
  if (compaction.isForced === true) {
    return endTooLong(draft, counted, `no summary of it could be had: ${failure.message}`, facts);
  }
  return setRun(draft, { ...counted, compaction: { ...compaction, over: 'given_up' } });
}

export function isTooLong({ reason }: Pick<ModelFailed, 'reason'>): boolean {
  return reason === 'too_long';
}

/** The API refuses the conversation for its length: it must become shorter, whatever the share of the window. */
export function forceSummary(draft: RunDraft, run: Run, facts: RunFacts): RunDraft {
  if (draft.state.info.agent?.compactAtPercent === 0) {
    return endTooLong(draft, run, 'it is set to never be summarized', facts);
  }
  if (run.compaction?.isForced === true) {
    return endTooLong(draft, run, 'it cannot be summarized any further', facts);
  }
  return setRun(draft, { ...run, compaction: { level: 1, attempt: 0, isForced: true } });
}

function endTooLong(draft: RunDraft, run: Run, why: string, facts: RunFacts): RunDraft {
  const message = `The conversation is too long for the model, and ${why}. Clear it to go on.`;
  return endFailedTurn(draft, run, { code: 'conversation_too_long', message }, facts);
}

/** What is left of it after an answer. */
export function compactionAfterAnswer({ compaction }: Run): Pick<Run, 'compaction'> {
  return compaction?.over === 'given_up' ? { compaction } : {};
}

function addCost(usage: ModelUsage, model: string, { prices = [] }: RunFacts) {
  const costUsd = findCostUsd(prices, model, usage);
  return { ...usage, ...(costUsd !== undefined && { costUsd }) };
}

/** The model reads the summarized messages again. The summary before it, if there is one, is in its place. */
export function restoreConversation(
  state: SessionState,
  run: Run | null,
  { seq }: CommandOf<'conversation.restore'>,
  facts: RunFacts,
): RunDraft | Rejection {
  const last = state.info.compaction?.summaries.at(-1);
  if (isActiveRun(run) || state.info.turn !== null) {
    return reject('not_restorable', 'The agent is at work. Interrupt it, or wait for its end', {
      because: 'turn_runs',
    });
  }
  if (last !== seq) {
    const isEarlier = state.info.compaction?.summaries.includes(seq) === true;
    return isEarlier
      ? reject('not_restorable', 'A later summary holds this one: take that back first', {
          because: 'not_last',
          last: last ?? null,
        })
      : reject('not_restorable', 'The agent reads no summary of this number', {
          because: 'no_summary',
        });
  }
  const draft = startRunDraft(state, run, startDraft(state));
  const by = settlerOf(facts.caller);
  const restored = addEvents(
    draft,
    [{ type: 'conversation_restored', payload: { compactedSeq: seq, by } }],
    facts.now,
  );
  return { ...restored, summary: 'restored' };
}
