/**
 * `canUseTool` of the Claude Agent SDK: the tool waits until a person, a rule or the mode decided.
 *
 * 1. `allow` comes with the input that was authorized, and only after the client has compared it with
 *    what was asked.
 * 2. Whatever keeps the question from being asked or answered is a denial (GATE-4).
 * 3. The SDK's signal takes the question back (CAN-4): a hook may have answered meanwhile.
 */
import type { AskOptions } from '../../client/agent/requests.ts';
import type { NotAllowed, PlanOutcome } from '../../client/agent/outcomes.ts';
import { answeredInput, askedQuestions, questionsIn } from './ask-user-question.ts';
import {
  takenBack,
  tellAsked,
  tellResolved,
  told,
  type Bridge,
  type BridgeOptions,
  bridgeOf,
  TIME_TO_ANSWER,
  type ApprovedPlan,
} from './bridge.ts';
import type { CanUseTool, CanUseToolOptions, PermissionResult } from './sdk-types.ts';
import { toolCallIdOf } from './sdk-values.ts';
import { allowedCall, askedCall } from './tool-permission.ts';
import { ClientError } from '../../client/errors.ts';

interface Call {
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
      return await decide(bridge, { toolName, input, options });
    } catch (cause) {
      if (options.signal?.aborted === true) tellResolved(bridge, takenBack(cause));
      else told(() => onDenied(toolName, cause));
      return denial(whyDenied(cause));
    }
  };
}

function decide(bridge: Bridge, call: Call): Promise<PermissionResult> {
  if (call.toolName === 'AskUserQuestion') return askQuestions(bridge, call);
  if (call.toolName === 'ExitPlanMode') return reviewPlan(bridge, call);
  return askPermission(bridge, call);
}

async function askQuestions(bridge: Bridge, call: Call): Promise<PermissionResult> {
  const questions = questionsIn(call.input);
  if (questions === undefined) return denial('These are not questions that a person can be asked.');
  const outcome = await bridge.client.ask(
    askedQuestions(questions),
    howOf(bridge, call, 'questions'),
  );
  tellResolved(bridge, outcome);
  if (outcome.outcome !== 'answered') return refused(outcome);
  return answeredInput(call.input, questions, outcome);
}

async function reviewPlan(bridge: Bridge, call: Call): Promise<PermissionResult> {
  const plan = planOf(call.input);
  const outcome = await bridge.client.reviewPlan(plan, howOf(bridge, call, 'plan'));
  tellResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refused(outcome);
  told(() => bridge.onPlanApproved?.(planForHost(plan, outcome)));
  return approvedPlan(call.input, outcome);
}

async function askPermission(bridge: Bridge, call: Call): Promise<PermissionResult> {
  const { toolName, input, options } = call;
  const asked = askedCall(toolName, input, options, bridge);
  const outcome = await bridge.client.approve(asked, howOf(bridge, call, 'tool'));
  tellResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refused(outcome);
  return allowedCall(toolName, outcome, options, bridge);
}

function howOf(bridge: Bridge, { options }: Call, about: keyof typeof TIME_TO_ANSWER): AskOptions {
  const { signal } = options;
  return {
    ...bridge.how,
    defaultTimeoutSeconds: TIME_TO_ANSWER[about],
    signal,
    toolCallId: toolCallIdOf(options),
    onOpened: tellAsked(bridge),
  };
}

function refused({ outcome, message, by }: NotAllowed): PermissionResult {
  return {
    behavior: 'deny',
    message,
    ...(outcome === 'denied' &&
      'subject' in by && { decisionClassification: 'user_reject' as const }),
  };
}

/**
 * When nobody could be asked: the tool is denied and the model told why (GATE-4).
 *
 * Never an exception, which the SDK turns into words of its own, and never null, which blocks it for
 * ever.
 */
function denial(message: string): PermissionResult {
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
 * | decision | the SDK gets |
 * |---|---|
 * | `edit` | allow, mode `acceptEdits` for this session |
 * | `clean_edit` | the same; the host hears `clearContext` |
 * | `default` | allow, mode `default` for this session; the host hears `clearContext` |
 * | `adjust` | deny, with the feedback as its message; plan mode goes on |
 */
function planOf({ plan }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}

type Approved = Extract<PlanOutcome, { outcome: 'approved' }>;

function approvedPlan(
  input: Record<string, unknown>,
  { permissionMode: mode }: Pick<Approved, 'permissionMode'>,
): PermissionResult {
  return {
    behavior: 'allow',
    updatedInput: input,
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  };
}

function planForHost(plan: string | undefined, outcome: Approved): ApprovedPlan {
  const { clearContext, permissionMode } = outcome;
  return { plan, clearContext, permissionMode };
}
