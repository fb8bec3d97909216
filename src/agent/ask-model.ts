/** Asks the model for the next answer of a run, and makes of its outcome what the run is told. */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { PermissionMode } from '../protocol/schema/session.ts';
import { conversationOf } from './conversation.ts';
import { type AssistantMessage, type ModelMessage, toolUsesIn } from './message.ts';
import type { Model, ModelAnswered, ModelCall, ModelFailed } from './model.ts';
import type { Run } from './run/run.ts';
import type { RunCommand } from './run/run-command.ts';
import { systemPrompt } from './system-prompt.ts';
import { toolsOf } from './tools/toolbox.ts';
import { appendAnswer, type Transcript } from './transcript.ts';
import { requestProblem } from './transcript-problem.ts';

export interface Asking {
  readonly run: Run;
  readonly settings: AgentSettings;
  readonly permissionMode: PermissionMode;
  readonly said: readonly ModelMessage[];
  readonly model: { readonly port: Model; readonly name: string } | undefined;
  /** Something was asked for a call of this id before, in a conversation that is forgotten. */
  readonly isKnown: (toolCallId: string) => boolean;
}

/** Undefined: it was stopped, and nobody waits for it. */
export async function answeredBy(asking: Asking, call: ModelCall): Promise<RunCommand | undefined> {
  const { run, settings, permissionMode, model } = asking;
  const { turnId, step } = run;
  const failed = (failure: Omit<ModelFailed, 'type'>): RunCommand => ({
    type: 'model.failed',
    turnId,
    step,
    failure,
  });
  if (model === undefined) return failed(NO_MODEL);
  const messages = conversationOf(asking.said);
  const problem = requestProblem(messages);
  if (problem !== undefined) return failed(broken(problem));
  const outcome = await model.port.call(
    {
      model: settings.model ?? model.name,
      system: systemPrompt(settings, permissionMode),
      messages,
      tools: toolsOf(settings),
      maxTokens: settings.maxTokens ?? LIMITS.answerTokens,
    },
    call,
  );
  switch (outcome.type) {
    case 'aborted':
      return undefined;
    case 'failed':
      return failed(outcome);
    case 'answered': {
      const message = storable(messages, outcome, asking);
      if (message === undefined) return failed(MALFORMED);
      const { stopReason, usage, leftOut } = outcome;
      return { type: 'model.answered', turnId, step, message, stopReason, usage, leftOut };
    }
  }
}

/** What of the answer can be sent again, or undefined: it would make the conversation one that the API refuses. */
function storable(
  messages: Transcript,
  { message }: ModelAnswered,
  { isKnown }: Asking,
): AssistantMessage | undefined {
  if (toolUsesIn(message).some(({ id }) => isKnown(id))) return undefined;
  const appended = appendAnswer(messages, message);
  if (!appended.ok) return undefined;
  const last = appended.messages.at(-1);
  return last?.role === 'assistant' ? last : { role: 'assistant', content: [] };
}

const NO_MODEL = {
  reason: 'not_found',
  retry: 'never',
  message: 'No model is configured here any more.',
} as const;

const MALFORMED = {
  reason: 'malformed_answer',
  retry: 'later',
  message: 'The model gave an answer that cannot be used.',
} as const;

function broken(problem: string) {
  return {
    reason: 'internal',
    retry: 'never',
    message: `The conversation of this session cannot be sent to a model (${problem}). Clear it to go on.`,
  } as const;
}
