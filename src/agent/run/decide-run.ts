/**
 * Decides a command for a session and its run. `Session` calls no other decision.
 *
 * The core decides first and knows no runs. This file adds to the same decision what its events mean for the run, so
 * that an answer and the turn that it resumes are one commit:
 *
 * 1. Calls settled by a person, a deadline or a cancel get their result, before the end of their turn.
 * 2. A denial that stops the turn ends it, and the end of a turn ends its run.
 * 3. A message starts a turn, if none runs.
 * 4. When all results are there, they go back to the model together. Queued messages go along, or start the next turn.
 */
import { authorize } from '../../core/authority.ts';
import { decide } from '../../core/decide.ts';
import { accept, type Decision, type CommandReply } from '../../core/decision.ts';
import { addEvents, startDraft } from '../../core/session-draft.ts';
import type { SessionState } from '../../core/state.ts';
import type { Command, CommandOf } from '../../protocol/schema/command.ts';
import { reject, type Rejection } from '../../protocol/errors.ts';
import {
  startTurnFromMessages,
  addQueuedMessages,
  turnIdFrom,
  messageContent,
} from './start-turn.ts';
import {
  closeEndedRun,
  endFailedTurn,
  endStoppedTurn,
  findStepLimit,
  toResultsContent,
} from './end-turn.ts';
import {
  keepPartialAnswer,
  applyModelAnswer,
  endRetryPause,
  applyModelFailure,
  countLostAnswer,
} from './model-result.ts';
import { findCall, isActiveRun, newRun, type Run, isRunCommand, type RunCommand } from './run.ts';
import {
  type RunChange,
  type RunDraft,
  type RunFacts,
  setRun,
  startRunDraft,
  addMessage,
} from './run-draft.ts';
import { applySummary, applySummaryFailure, restoreConversation } from './compact.ts';
import { settleCallsBeforeEnd, settleCalls } from './settle-calls.ts';
import {
  applyClientResult,
  timeOutCalls,
  startCall,
  finishCall,
  recoverLostCall,
} from './tool-progress.ts';
import type { UserContent } from '../message.ts';

export interface RunDecision extends Decision {
  /** Absent if the run does not change. */
  readonly change?: RunChange;
}

const DONE: CommandReply = { type: 'done' };

export function decideWithRun(
  state: SessionState | null,
  run: Run | null,
  command: Command | RunCommand,
  given: RunFacts,
): RunDecision | Rejection {
  // A command without a sender uses the deadlines of the last message.
  const facts = { ...given, timeouts: { ...run?.timeouts, ...given.timeouts } };
  if (isRunCommand(command)) {
    if (state === null) return reject('not_found', 'There is no such session');
    return decideRunCommand(state, run, command, facts);
  }
  if (state?.info.agent && state.info.deletedAt === null) {
    const { type } = command;
    if (type === 'turn.retry' || type === 'tool.result' || type === 'conversation.restore') {
      const refused = authorize(command, facts.caller, facts.record);
      if (refused !== undefined) return refused;
      if (type === 'conversation.restore') {
        const restored = restoreConversation(state, run, command, facts);
        return 'ok' in restored ? restored : finishDecision(restored, run, DONE, facts);
      }
      const draft = startRunDraft(state, run, startDraft(state));
      if (type === 'turn.retry') return retryTurn(draft, facts);
      const ended = applyClientResult(draft, command, facts);
      return 'ok' in ended ? ended : finishDecision(ended, run, DONE, facts);
    }
  }
  const rejection = command.type === 'events.append' && rejectReportOfOwnCall(run, command);
  if (rejection) return rejection;
  const decided = decide(state, command, facts);
  if (!decided.ok || state === null || state.info.agent === null) return decided;
  if (decided.reply.type === 'turn' && !facts.isModelConfigured) return NOT_CONFIGURED;
  const draft = startRunDraft(state, run, keepPartialAnswer(decided, run, facts));
  const settled = settleCallsBeforeEnd(endStoppedTurn(draft, facts), facts);
  const timed = command.type === 'deadlines.run' ? timeOutCalls(settled, facts) : settled;
  return finishDecision(timed, run, decided.reply, facts);
}

/**
 * Rejects events about calls of the built-in agent. A tool may open interactions for its own call, but its result comes
 * as the response of the tool; and another `tool_call` event would show people a tool and input that do not run.
 */
function rejectReportOfOwnCall(run: Run | null, { events }: CommandOf<'events.append'>) {
  const isOfRun = events.some(
    ({ type, toolCallId = '' }) =>
      (type === 'tool_result' || type === 'tool_call') && findCall(run, toolCallId) !== undefined,
  );
  if (!isOfRun) return undefined;
  return reject('forbidden', 'The agent of this session made this call, and reports it itself');
}

function decideRunCommand(
  state: SessionState,
  run: Run | null,
  command: RunCommand,
  facts: RunFacts,
): RunDecision {
  // The turn has ended by now, or another process was faster.
  if (!isActiveRun(run) || run.turnId !== command.turnId) return accept(startDraft(state), DONE);
  const draft = startRunDraft(state, run, startDraft(state));
  return finishDecision(applyRunCommand(draft, run, command, facts), run, DONE, facts);
}

function applyRunCommand(
  draft: RunDraft,
  run: Run,
  command: RunCommand,
  facts: RunFacts,
): RunDraft {
  switch (command.type) {
    case 'model.answered':
    case 'model.failed':
    case 'model.due':
    case 'model.lost':
    case 'summary.written':
    case 'summary.failed':
      return run.status !== 'model' || run.step !== command.step
        ? draft
        : decideAnswer(draft, run, command, facts);
    case 'tool.began':
    case 'tool.ended':
    case 'tool.lost': {
      const call = findCall(run, command.toolCallId);
      if (call === undefined) return draft;
      if (command.type === 'tool.began') return startCall(draft, run, call, facts);
      if (command.type === 'tool.lost') return recoverLostCall(draft, run, call, facts);
      return finishCall(draft, run, call, command, facts);
    }
  }
}

type AnswerCommand = Extract<RunCommand, { type: `model.${string}` | `summary.${string}` }>;

function decideAnswer(
  draft: RunDraft,
  run: Run,
  command: AnswerCommand,
  facts: RunFacts,
): RunDraft {
  if (command.type === 'model.answered') return applyModelAnswer(draft, run, command, facts);
  if (command.type === 'model.failed') return applyModelFailure(draft, run, command.failure, facts);
  if (command.type === 'summary.written') return applySummary(draft, run, command, facts);
  if (command.type === 'summary.failed') return applySummaryFailure(draft, run, command, facts);
  if (command.type === 'model.due') return endRetryPause(draft, run, facts.now);
  return countLostAnswer(draft, run, facts);
}

/** Resumes a failed turn where it failed, without repeating messages or tool calls. */
function retryTurn(draft: RunDraft, facts: RunFacts): RunDecision | Rejection {
  const { run, state } = draft;
  if (run?.status !== 'failed' || state.info.turn !== null) {
    return reject('nothing_to_retry', 'No turn has failed here that could be tried again');
  }
  if (!facts.isModelConfigured) return NOT_CONFIGURED;
  const turnId = turnIdFrom(facts);
  const begun = addEvents(draft, [{ type: 'turn_started', turnId, payload: {} }], facts.now);
  return finishDecision(
    setRun(begun, newRun(turnId, facts.timeouts)),
    run,
    { type: 'retried', turnId },
    facts,
  );
}

function finishDecision(
  draft: RunDraft,
  before: Run | null,
  reply: CommandReply,
  facts: RunFacts,
): RunDecision {
  const closed = clearConversation(closeEndedRun(settleCalls(draft, facts), facts));
  const finished = startTurnFromMessages(
    sendQueuedMessages(sendResults(closed, facts), facts),
    facts,
  );
  const { run, messages, clearsConversation, files, summary } = finished;
  const isChanged =
    run !== before ||
    messages.length > 0 ||
    clearsConversation ||
    files.length > 0 ||
    summary !== undefined;
  const decision = accept(finished, withTurnId(reply, run));
  const change = { run, messages, clearsConversation, files, ...(summary && { summary }) };
  return isChanged ? { ...decision, change } : decision;
}

/** `/clear` empties the conversation, and a failed turn before it can no longer be retried. */
function clearConversation(draft: RunDraft): RunDraft {
  const isCleared = draft.events.some(({ type }) => type === 'context_cleared');
  if (!isCleared || draft.clearsConversation) return draft;
  return { ...draft, run: null, messages: [], clearsConversation: true };
}

/** Logs the queued messages once no turn runs; they start the next one. */
function sendQueuedMessages(draft: RunDraft, facts: RunFacts): RunDraft {
  const { turn, queued, deletedAt } = draft.state.info;
  const isFree = turn === null && deletedAt === null && draft.state.open.size === 0;
  return isFree && queued.length > 0 ? addQueuedMessages(draft, undefined, facts.now) : draft;
}

function withTurnId(reply: CommandReply, run: Run | null): CommandReply {
  return reply.type === 'turn' && isActiveRun(run) ? { ...reply, turnId: run.turnId } : reply;
}

const NOT_CONFIGURED = reject(
  'model_not_configured',
  'This deployment has no model for its agent: set ANTHROPIC_API_KEY, or HOLDPOINT_DEMO=1 to try it with the demo model',
);

/** Sends all results of an answer back together, with the queued messages, once its last call is done. */
function sendResults(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run } = draft;
  if (run?.status !== 'tools' || run.calls.some(({ status }) => status !== 'done')) return draft;
  const results = toResultsContent(run.calls);
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
  const added = messageContent(drained.events.slice(draft.events.length));
  const content: UserContent[] = [...results, ...added];
  return setRun(addMessage(drained, { role: 'user', content }), answered);
}
