/**
 * `holdpoint/ai-sdk`: tool approvals of the AI SDK are decided by people.
 *
 * ```ts
 * await generateText({ model, tools, prompt, toolApproval: toolApproval(connect()) });
 * ```
 *
 * An approval of the AI SDK cannot change the input, so the person is not offered an edit. Over 60 lines, because the SDK asks
 * in two ways: during a run, and between runs whose messages a program keeps.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import {
  ASK_HUMAN,
  ASK_HUMAN_DESCRIPTION,
  askHuman,
  askHumanParameters,
  shownInput,
} from '../ask-human.ts';
import { type BridgeOptions, optionsOfCall, orNotAsked } from '../fail-closed.ts';

export type { BridgeOptions } from '../fail-closed.ts';

/** The part of a tool call of the AI SDK that the bridge reads. */
export interface CallToApprove {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** A status of the AI SDK; undefined means that the call needs no approval. */
export type ApprovalStatus =
  | { type: 'approved'; reason?: string }
  | { type: 'denied'; reason: string }
  | undefined;

export interface ApprovalMessage {
  role: 'tool';
  content: {
    type: 'tool-approval-response';
    approvalId: string;
    approved: boolean;
    reason?: string;
  }[];
}

/** `toolApproval` for all tools but `ask_human`: the run itself waits for the person. */
export function toolApproval(
  holdpoint: Holdpoint,
  options: BridgeOptions = {},
): (asked: { readonly toolCall: CallToApprove }) => Promise<ApprovalStatus> {
  return async ({ toolCall }) => {
    if (toolCall.toolName === ASK_HUMAN) return undefined;
    const { approved, reason } = await decideApproval(
      holdpoint,
      toolCall,
      toolCall.toolCallId,
      options,
    );
    if (!approved) return { type: 'denied', reason: reason ?? '' };
    return { type: 'approved', ...(reason !== undefined && { reason }) };
  };
}

/**
 * Answers the approval requests in the content of a finished run, for programs that keep the messages between runs. Returns
 * the message to append before the next run; none if nothing was asked.
 */
export async function answerApprovals(
  holdpoint: Holdpoint,
  content: readonly { readonly type: string }[],
  options: BridgeOptions = {},
): Promise<ApprovalMessage[]> {
  const requests = content.filter(isRequest).filter(({ isAutomatic }) => isAutomatic !== true);
  const answers = requests.map(async ({ approvalId, toolCall }) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    ...(await decideApproval(holdpoint, toolCall, approvalId, options)),
  }));
  return answers.length === 0 ? [] : [{ role: 'tool', content: await Promise.all(answers) }];
}

/** The tool `ask_human`, to be put among the tools under that name. */
export function askHumanTool(holdpoint: Holdpoint, options: BridgeOptions = {}) {
  return {
    description: ASK_HUMAN_DESCRIPTION,
    inputSchema: {
      '~standard': {
        version: 1 as const,
        vendor: 'holdpoint',
        // What is wrong with the input, the model reads as the result of the call.
        validate: (value: unknown) => ({ value: value as { questions: unknown[] } }),
        jsonSchema: { input: askHumanParameters, output: askHumanParameters },
      },
    },
    execute: (
      input: unknown,
      { toolCallId, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal | undefined },
    ): Promise<string> =>
      askHuman(
        holdpoint,
        input,
        optionsOfCall(toolCallId, {
          ...options,
          ...(abortSignal !== undefined && { signal: abortSignal }),
        }),
      ),
  };
}

interface ToolApprovalRequest {
  readonly type: string;
  readonly approvalId: string;
  readonly toolCall: CallToApprove;
  readonly isAutomatic?: boolean;
}

function isRequest(part: { readonly type: string }): part is ToolApprovalRequest {
  return part.type === 'tool-approval-request';
}

async function decideApproval(
  holdpoint: Holdpoint,
  { toolName, input }: CallToApprove,
  id: string,
  options: BridgeOptions,
): Promise<{ approved: boolean; reason?: string }> {
  const call = { toolName, input: shownInput(input) };
  const outcome = await orNotAsked(() => holdpoint.approve(call, optionsOfCall(id, options)));
  if (outcome.outcome !== 'approved') return { approved: false, reason: outcome.message };
  return { approved: true, ...(outcome.reason !== undefined && { reason: outcome.reason }) };
}
