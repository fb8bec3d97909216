/** Requests the next answer of a run from the model, and turns the outcome into a command for the run. */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { PermissionMode } from '../protocol/schema/session.ts';
import type { Conversation } from './conversation.ts';
import { type AssistantMessage, toolUsesIn } from './message.ts';
import type {
  Model,
  ModelAnswered,
  ModelCall,
  ModelFailed,
  ModelOutcome,
  ModelRequest,
  ModelUsage,
} from './model.ts';
import { findPartToSummarize, requestSummary } from './request-summary.ts';
import type { Run, RunCommand } from './run/run.ts';
import { hasPictures, type ReadAttachedFile, withoutPictures } from './show-files.ts';
import { listTools } from './tools/registry.ts';

export interface AnswerContext {
  readonly run: Run;
  readonly settings: AgentSettings;
  readonly permissionMode: PermissionMode;
  readonly conversation: Conversation;
  readonly model: { readonly port: Model; readonly name: string } | undefined;
  readonly readAttachedFile: ReadAttachedFile;
  /** Requests to people. */
  readonly open: readonly Pick<Interaction, 'turnId' | 'toolCallId'>[];
  /** A person took the last summary back. */
  readonly isHeldOff: boolean;
  /** True if an earlier call of this session has the id, perhaps in a cleared conversation. */
  readonly isKnownToolCall: (toolCallId: string) => boolean;
}

export interface AnswerCall extends ModelCall {
  /** The request for the answer goes out; another one may come before it. */
  readonly onBegin?: () => void;
}

/** Asks for the answer, or first for the summary without which it would not fit. Undefined after an abort. */
export async function requestAnswer(
  asking: AnswerContext,
  call: AnswerCall,
): Promise<RunCommand | undefined> {
  const { run, settings, permissionMode, conversation, model } = asking;
  const { turnId, step } = run;
  const failed = (failure: Omit<ModelFailed, 'type'>): RunCommand => ({
    type: 'model.failed',
    turnId,
    step,
    failure,
  });
  if (model === undefined) return failed(NO_MODEL);
  const problem = conversation.findRequestProblem();
  if (problem !== undefined) return failed(brokenConversation(problem));
  const name = settings.model ?? model.name;
  const request = {
    model: name,
    system: systemPrompt(settings, permissionMode),
    messages: conversation.show(asking.readAttachedFile),
    tools: listTools(settings),
    maxTokens: settings.maxTokens ?? LIMITS.answerTokens,
    isCached: settings.promptCaching ?? true,
  };
  const part = findPartToSummarize(asking);
  if (part !== undefined) return requestSummary(asking, part, request, call);
  call.onBegin?.();
  const outcome = await callWithPictures(model.port, request, call);
  switch (outcome.type) {
    case 'aborted':
      return undefined;
    case 'failed':
      return failed(outcome);
    case 'answered': {
      const message = findSendablePart(outcome, asking);
      if (message === undefined) return failed(UNUSABLE_ANSWER);
      const { stopReason, usage, leftOut } = outcome;
      const context = { tokens: countTokens(usage), summary: conversation.summarySeq };
      return {
        type: 'model.answered',
        turnId,
        step,
        message: { ...message, context },
        stopReason,
        usage,
        leftOut,
        model: name,
      };
    }
  }
}

function countTokens(usage: ModelUsage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** A picture that the API cannot read must not end the conversation: it would refuse every later request too. */
async function callWithPictures(
  model: Model,
  request: ModelRequest,
  call: ModelCall,
): Promise<ModelOutcome> {
  const outcome = await model.call(request, call);
  const isRefused = outcome.type === 'failed' && outcome.reason === 'invalid_request';
  if (!isRefused || !hasPictures(request.messages)) return outcome;
  return model.call({ ...request, messages: withoutPictures(request.messages) }, call);
}

/** Undefined if the API would refuse the conversation with the answer, now or later. */
function findSendablePart(
  { message }: ModelAnswered,
  { conversation, isKnownToolCall: isKnown }: AnswerContext,
): AssistantMessage | undefined {
  if (toolUsesIn(message).some(({ id }) => isKnown(id))) return undefined;
  return conversation.findSendablePart(message);
}

const NO_MODEL = {
  reason: 'not_found',
  retry: 'never',
  message: 'This deployment no longer has a model.',
} as const;

const UNUSABLE_ANSWER = {
  reason: 'malformed_answer',
  retry: 'later',
  message: 'The model gave an unusable answer.',
} as const;

function brokenConversation(problem: string) {
  return {
    reason: 'internal',
    retry: 'never',
    message: `The conversation of this session cannot be sent to a model (${problem}). Clear it to go on.`,
  } as const;
}

const AGENT_GUIDE =
  'You work in a session that people follow and answer on their own time, on a phone or at a desk. Ask when a choice is theirs to make; they may take hours, and nothing is lost by waiting. A tool may need the approval of a person. If it is denied you get the reason as an error: do not try the same again, and say how you go on without it. A person may change the input of a tool before it runs; you are told what ran. Write Markdown.';

const MODE_PROMPTS: Readonly<Record<PermissionMode, string>> = {
  default: '',
  acceptEdits: 'The person lets you read and write files of this session without asking.',
  plan: 'You are in plan mode: do not carry anything out. Read, ask, and write the plan; you may keep it as a file under plans/. When it is complete, call ExitPlanMode with it, and wait for the decision.',
  bypassPermissions: 'The person lets you use every tool without asking.',
};

function systemPrompt({ system = '' }: AgentSettings, mode: PermissionMode): string {
  return [AGENT_GUIDE, MODE_PROMPTS[mode], system]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}
