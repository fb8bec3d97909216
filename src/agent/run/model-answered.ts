/** The model has answered: its words are logged, its calls asked for, and the turn goes on or ends. */
import { addEvents } from '../../core/session-draft.ts';
import { logIsFull } from '../../core/rejections.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { afterAnswer } from '../after-answer.ts';
import { userText } from '../conversation.ts';
import { type AssistantBlock, type AssistantMessage, toolUsesIn } from '../message.ts';
import type { ModelUsage } from '../model.ts';
import { askForCall, refused } from './ask-for-call.ts';
import { complete, fail, resultOf } from './end-turn.ts';
import { stepLimit } from './go-on.ts';
import { responseIdOf, type Run } from './run.ts';
import type { RunCommandOf } from './run-command.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';

const NOT_RUN = 'Not run: the answer ended before it was whole.';
/** Of an answer with a few calls, each asked about. */
const EVENTS_OF_AN_ANSWER = 50;

export function modelAnswered(
  draft: RunDraft,
  run: Run,
  command: RunCommandOf<'model.answered'>,
  facts: RunFacts,
): RunDraft {
  const { message, stopReason, leftOut } = command;
  const full = logIsFull(draft.state, EVENTS_OF_AN_ANSWER);
  if (full !== undefined) return fail(draft, run, full, facts);
  const counted: Run = {
    ...run,
    step: run.step + 1,
    attempt: 0,
    retryAt: null,
    usage: sum(run.usage, command.usage),
  };
  const told = addEvents(draft, wordsOf(run, message.content), facts.now);
  const noted =
    leftOut.length === 0 ? told : addEvents(told, [leftOutEvent(run, leftOut)], facts.now);
  const said = setRun(addMessage(noted, message), counted);
  const next = afterAnswer(message, stopReason);
  switch (next.next) {
    case 'call_again': {
      const asked = addMessage(withoutCalls(said, run, message, facts), userText(next.userText));
      const limit = stepLimit(asked, counted);
      return limit === undefined ? setRun(asked, counted) : fail(asked, counted, limit, facts);
    }
    case 'run_tools': {
      const asking = setRun(said, { ...counted, status: 'tools' });
      return toolUsesIn(message).reduce((one, use) => askForCall(one, run, use, facts), asking);
    }
    case 'end':
      return complete(withoutCalls(said, run, message, facts), counted, next.notice, facts);
  }
}

/** Calls of an answer that was not whole; the API wants a result for each of them all the same. */
function withoutCalls(
  said: RunDraft,
  run: Run,
  message: AssistantMessage,
  facts: RunFacts,
): RunDraft {
  const uses = toolUsesIn(message);
  const closed = uses.reduce((one, use) => refused(one, run, use, NOT_RUN, facts), said);
  return addMessage(closed, { role: 'user', content: closed.run?.calls.map(resultOf) ?? [] });
}

function wordsOf(run: Run, content: readonly AssistantBlock[]): DraftEvent[] {
  const at = { turnId: run.turnId, responseId: responseIdOf(run) };
  return content.flatMap((block): DraftEvent[] => {
    if (block.type === 'text')
      return [{ type: 'assistant_text', ...at, payload: { text: block.text } }];
    if (block.type !== 'thinking' || block.text.trim() === '') return [];
    return [{ type: 'thinking', ...at, payload: { text: block.text } }];
  });
}

function leftOutEvent({ turnId }: Run, leftOut: readonly string[]): DraftEvent {
  const message = `Of the model’s answer this could not be used: ${leftOut.join(', ')}.`;
  return { type: 'error', turnId, payload: { message, code: 'left_out' } };
}

function sum(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
