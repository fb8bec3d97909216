/**
 * `canUseTool` of the Claude Agent SDK: the tool waits until a person, a rule or the mode decides.
 *
 * 1. `allow` has the authorized input, which the client has compared with the requested one.
 * 2. Every failure to ask, or to receive an answer, is a denial (GATE-4). An exception would become a message of the SDK's
 *    own, and null would block the tool without end.
 * 3. The signal of the SDK cancels the question (CAN-4): a hook may have answered first.
 */
import type { AskOptions } from '../../client/agent/requests.ts';
import type { NotAllowed, PlanOutcome } from '../../client/agent/outcomes.ts';
import { answeredInput, askedQuestions, readSdkQuestions } from './ask-user-question.ts';
import {
  cancelledQuestion,
  reportAsked,
  reportResolved,
  runListener,
  type Bridge,
  type BridgeOptions,
  bridgeOf,
  DEFAULT_TIMEOUT_SECONDS,
  type ApprovedPlan,
} from './bridge.ts';
import type { CanUseTool, CanUseToolOptions, PermissionResult } from './sdk-types.ts';
import { toolCallIdOf } from './sdk-values.ts';
import { allowedCall, callToAsk } from './tool-permission.ts';
import { ClientError } from '../../client/errors.ts';

interface SdkCall {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly options: CanUseToolOptions;
}

export function createCanUseTool(options: BridgeOptions): CanUseTool {
  const bridge = bridgeOf(options);
  const { onDenied = (tool, cause) => console.warn(`holdpoint: ${tool} was denied:`, cause) } =
    bridge;
  return async (toolName, input, options = {}) => {
    try {
      return await decideCall(bridge, { toolName, input, options });
    } catch (cause) {
      if (options.signal?.aborted === true) reportResolved(bridge, cancelledQuestion(cause));
      else runListener(() => onDenied(toolName, cause));
      return deny(whyDenied(cause));
    }
  };
}

function decideCall(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  if (call.toolName === 'AskUserQuestion') return askQuestions(bridge, call);
  if (call.toolName === 'ExitPlanMode') return reviewPlan(bridge, call);
  return askPermission(bridge, call);
}

async function askQuestions(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const questions = readSdkQuestions(call.input);
  if (questions === undefined)
    return deny('The input does not hold questions in the form of this tool.');
  const outcome = await bridge.client.ask(
    askedQuestions(questions),
    askOptionsFor(bridge, call, 'questions'),
  );
  reportResolved(bridge, outcome);
  if (outcome.outcome !== 'answered') return refusedResult(outcome);
  return answeredInput(call.input, questions, outcome);
}

async function reviewPlan(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const plan = textOfPlan(call.input);
  const outcome = await bridge.client.reviewPlan(plan, askOptionsFor(bridge, call, 'plan'));
  reportResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refusedResult(outcome);
  runListener(() => bridge.onPlanApproved?.(planForHost(plan, outcome)));
  return approvedPlan(call.input, outcome);
}

async function askPermission(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const { toolName, input, options } = call;
  const asked = callToAsk(toolName, input, options, bridge);
  const outcome = await bridge.client.approve(asked, askOptionsFor(bridge, call, 'tool'));
  reportResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refusedResult(outcome);
  return allowedCall(toolName, outcome, options, bridge);
}

function askOptionsFor(
  bridge: Bridge,
  { options }: SdkCall,
  about: keyof typeof DEFAULT_TIMEOUT_SECONDS,
): AskOptions {
  const { signal } = options;
  return {
    ...bridge.how,
    defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS[about],
    signal,
    toolCallId: toolCallIdOf(options),
    onOpened: reportAsked(bridge),
  };
}

function refusedResult({ outcome, message, by }: NotAllowed): PermissionResult {
  return {
    behavior: 'deny',
    message,
    ...(outcome === 'denied' &&
      'subject' in by && { decisionClassification: 'user_reject' as const }),
  };
}

function deny(message: string): PermissionResult {
  return { behavior: 'deny', message };
}

function whyDenied(cause: unknown): string {
  if (!(cause instanceof ClientError)) return 'Nobody could be asked, so this was not run.';
  if (cause.code === 'aborted') return 'This was cancelled before anybody decided; it was not run.';
  return `Nobody could be asked, so this was not run: ${cause.message}`;
}

/**
 * ExitPlanMode: the four decisions of a plan review, as permissions of the SDK.
 *
 * | decision | result for the SDK |
 * |---|---|
 * | `edit` | allow, mode `acceptEdits` for this session |
 * | `clean_edit` | the same; `onPlanApproved` has `clearContext` |
 * | `default` | allow, mode `default` for this session; `onPlanApproved` has `clearContext` |
 * | `adjust` | deny, with the feedback as its message; plan mode continues |
 */
function textOfPlan({ plan }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}

type ApprovedReview = Extract<PlanOutcome, { outcome: 'approved' }>;

function approvedPlan(
  input: Record<string, unknown>,
  { permissionMode: mode }: Pick<ApprovedReview, 'permissionMode'>,
): PermissionResult {
  return {
    behavior: 'allow',
    updatedInput: input,
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  };
}

function planForHost(plan: string | undefined, outcome: ApprovedReview): ApprovedPlan {
  const { clearContext, permissionMode } = outcome;
  return { plan, clearContext, permissionMode };
}
