/**
 * `canUseTool` of the Claude Agent SDK: the tool waits until a person, a rule or the mode decides.
 *
 * 1. `allow` has the authorized input, which the client has compared with the requested one.
 * 2. Every failure to ask, or to receive an answer, is a denial (GATE-4). An exception would become a message of the SDK's
 *    own, and null would block the tool without end.
 * 3. The signal of the SDK cancels the question (CAN-4): a hook may have answered first.
 */
import type { KindRequest } from '../../client/agent/holdpoint.ts';
import type { AskOptions, ToolCall } from '../../client/agent/requests.ts';
import {
  equalsAsJson,
  type NotAllowed,
  type PlanOutcome,
  type ApprovalOutcome,
} from '../../client/agent/outcomes.ts';
import { describeNotAsked } from '../../client/agent/not-asked.ts';
import { describeAttachedFiles } from '../../protocol/describe-attached-files.ts';
import type { JsonObject, Rule } from '../../protocol/types.ts';
import { answeredInput, askedQuestions, readSdkQuestions } from './ask-user-question.ts';
import {
  cancelledQuestion,
  reportAsked,
  reportResolved,
  runListener,
  type Bridge,
  type BridgeOptions,
  bridgeOf,
  type DEFAULT_TIMEOUT_SECONDS,
  howToAsk,
  type ApprovedPlan,
  type WiredTool,
  wiredTool,
} from './bridge.ts';
import {
  type CanUseTool,
  type CanUseToolOptions,
  type PermissionResult,
  toolCallIdOf,
  type PermissionUpdate,
  shownLines,
} from './claude-sdk.ts';

interface SdkCall {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly options: CanUseToolOptions;
}

export function createCanUseTool(options: BridgeOptions): CanUseTool {
  return canUseToolOf(bridgeOf(options));
}

export function canUseToolOf(bridge: Bridge): CanUseTool {
  return async (toolName, input, options = {}) => {
    try {
      return await decideCall(bridge, { toolName, input, options });
    } catch (cause) {
      if (options.signal?.aborted === true) reportResolved(bridge, cancelledQuestion(cause));
      else reportDenied(bridge, toolName, cause);
      return deny(describeNotAsked(cause));
    }
  };
}

function decideCall(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const wired = wiredTool(bridge, call.toolName);
  if (wired !== undefined) return askWired(bridge, call, wired);
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

/** The kind says what its answer lets the tool run with; without that it does not run. */
async function askWired(
  bridge: Bridge,
  call: SdkCall,
  wired: WiredTool,
): Promise<PermissionResult> {
  const asked = { ...wired(call.input as JsonObject), toolName: call.toolName } as KindRequest;
  const interaction = await bridge.client.request(asked, askOptionsFor(bridge, call, 'form'));
  reportResolved(bridge, { interaction });
  const { reply } = interaction;
  if (reply?.behavior === 'allow' && 'updatedInput' in reply) {
    return { behavior: 'allow', updatedInput: reply.updatedInput };
  }
  return deny(reply?.behavior === 'deny' ? reply.message : 'Nobody answered this');
}

async function reviewPlan(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const plan = textOfPlan(call.input);
  const outcome = await bridge.client.reviewPlan(plan, askOptionsFor(bridge, call, 'plan'));
  reportResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refusedResult(outcome);
  rememberForModel(bridge, call, call.input as JsonObject, outcome);
  runListener(() => bridge.onPlanApproved?.(planForHost(plan, outcome)));
  return approvedPlan(call.input, outcome);
}

async function askPermission(bridge: Bridge, call: SdkCall): Promise<PermissionResult> {
  const { toolName, input, options } = call;
  const { known } = bridge;
  const { toolUseID = '' } = options;
  // A rule of the settings asks once more about a call that a person has edited for the hook and allowed.
  const edit = known?.edits.get(toolUseID);
  if (edit?.toolName === toolName && equalsAsJson(edit.updatedInput, input)) {
    return { behavior: 'allow', updatedInput: edit.updatedInput };
  }
  // In other words it would be another question, and replace the one that the hook has opened.
  const asked =
    known?.asked.has(toolUseID) === true
      ? hookedCall(toolName, input, bridge)
      : callToAsk(toolName, input, options, bridge);
  const outcome = await bridge.client.approve(asked, askOptionsFor(bridge, call, 'tool'));
  reportResolved(bridge, outcome);
  if (outcome.outcome !== 'approved') return refusedResult(outcome);
  rememberEdit(bridge, toolUseID, toolName, outcome);
  return allowedCall(toolName, outcome, options, bridge);
}

function askOptionsFor(
  bridge: Bridge,
  { options }: SdkCall,
  about: keyof typeof DEFAULT_TIMEOUT_SECONDS,
): AskOptions {
  const { signal } = options;
  return {
    ...howToAsk(bridge, about),
    signal,
    toolCallId: toolCallIdOf(options),
    onOpened: reportAsked(bridge),
  };
}

function refusedResult(refused: NotAllowed): PermissionResult {
  const { outcome, message, by } = refused;
  return {
    behavior: 'deny',
    message,
    ...(outcome === 'denied' && refused.stop === true && { interrupt: true }),
    ...(outcome === 'denied' &&
      'subject' in by && { decisionClassification: 'user_reject' as const }),
  };
}

function deny(message: string): PermissionResult {
  return { behavior: 'deny', message };
}

export function reportDenied(
  {
    onDenied = (tool, cause) => console.warn(`holdpoint: ${tool} was denied:`, cause),
  }: Pick<Bridge, 'onDenied'>,
  toolName: string,
  cause: unknown,
): void {
  runListener(() => onDenied(toolName, cause));
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
export function textOfPlan({ plan }: Readonly<Record<string, unknown>>): string | undefined {
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

export function rememberEdit(
  bridge: Bridge,
  toolUseID: string,
  toolName: string,
  outcome: ApprovedCall,
): void {
  const { updatedInput } = outcome;
  rememberForModel(bridge, { toolName, options: { toolUseID } }, updatedInput, outcome);
}

/** What the model reads after the tool has run: a permission has no place for it. */
function rememberForModel(
  { known }: Bridge,
  { toolName, options }: { toolName: string; options: Pick<CanUseToolOptions, 'toolUseID'> },
  updatedInput: JsonObject,
  { changes, attachments }: Pick<ApprovedCall, 'changes' | 'attachments'>,
): void {
  const { toolUseID = '' } = options;
  const files = attachments && describeAttachedFiles(attachments);
  const text = [changes, files].filter((part) => part !== undefined).join('\n\n');
  if (known === undefined || toolUseID === '' || text === '') return;
  known.edits.set(toolUseID, { toolName, updatedInput, changes: text });
}

export type ApprovedCall = Extract<ApprovalOutcome, { outcome: 'approved' }>;

async function allowedCall(
  toolName: string,
  outcome: ApprovedCall,
  options: CanUseToolOptions,
  bridge: Bridge,
): Promise<PermissionResult> {
  const { updatedInput, offer, by } = outcome;
  const isForSession = offer === 'session';
  const updates = isForSession ? await toRemember(toolName, outcome, options, bridge) : [];
  const isRemembered = isForSession || 'rule' in by;
  return {
    behavior: 'allow',
    updatedInput,
    ...(updates.length > 0 && { updatedPermissions: updates }),
    ...(!('mode' in by) && {
      decisionClassification: isRemembered ? 'user_permanent' : 'user_temporary',
    }),
  };
}

/**
 * Claude Code remembers no more than the person chose: rules that allow this tool, in memory. Suggestions that change the
 * mode, add a folder or write a settings file are left out, because the person did not see them;
 * `remember: 'as-suggested'` keeps them all.
 */
async function toRemember(
  toolName: string,
  { interaction }: ApprovedCall,
  { suggestions = [] }: CanUseToolOptions,
  { client, remember = 'session' }: Bridge,
): Promise<PermissionUpdate[]> {
  if (remember === 'holdpoint' || interaction === undefined) return [];
  // A rule for a part of the inputs is narrower than any suggestion; only the rule itself says which one the person chose.
  const rule = await ruleOf(client, interaction.interactionId);
  if (rule === undefined || isNarrow(rule)) return [];
  if (remember === 'as-suggested') return [...suggestions];
  return suggestions.flatMap((update) => {
    const isAllow = update.type === 'addRules' && update.behavior === 'allow';
    if (!isAllow || !update.rules.every((one) => one.toolName === toolName)) return [];
    return [{ ...update, destination: 'session' as const }];
  });
}

/** Claude Code would remember more: it has no rule for this input alone, and none that expires. */
function isNarrow({ inputDigest, command, path, host, expiresAt }: Rule): boolean {
  return [inputDigest, command, path, host, expiresAt].some((part) => part !== undefined);
}

/** Also undefined if the agent may not read rules: then only Holdpoint remembers, which is enough. */
async function ruleOf(client: Bridge['client'], interactionId: string): Promise<Rule | undefined> {
  try {
    const rules = await client.transport.rules(await client.session());
    return rules.find((rule) => rule.interactionId === interactionId);
  } catch {
    return undefined;
  }
}

/** An approval for every other tool, with the SDK's description for the person. */
function callToAsk(
  toolName: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
  { allowEdit = true }: Pick<Bridge, 'allowEdit'>,
): ToolCall {
  const description = aboutCall(options);
  return {
    toolName,
    input,
    allowEdit,
    offers: mayRemember(options) ? ['once', 'session'] : ['once'],
    ...(description !== undefined && { description }),
  };
}

/** The same as a hook asks it, which has no description and no suggestions: its rules are those of Holdpoint. */
export function hookedCall(
  toolName: string,
  input: Record<string, unknown>,
  { allowEdit = true }: Pick<Bridge, 'allowEdit'>,
): ToolCall {
  return { toolName, input, allowEdit, offers: ['once', 'session'] };
}

function aboutCall(options: CanUseToolOptions): string | undefined {
  const { title, description, decisionReason, blockedPath, mcpServer, agentID } = options;
  const labeled = (label: string, text: string | undefined) =>
    text === undefined ? undefined : `${label}: ${text}`;
  return shownLines([
    title,
    description,
    labeled('Why it is asked', decisionReason),
    labeled('Because of the path', blockedPath),
    labeled('MCP server', mcpServer && `${mcpServer.name} (${mcpServer.source})`),
    labeled('Subagent', agentID),
  ]);
}

/** "Allow for session" is not offered if the SDK wants a decision each time, or has no suggestion. */
function mayRemember(options: CanUseToolOptions): boolean {
  const { suggestions = [], suppressAlwaysAllowRule, defaultToNo, matchedAskRule } = options;
  const asksEachTime =
    suppressAlwaysAllowRule === true ||
    defaultToNo === true ||
    options.requiresUserInteraction === true ||
    matchedAskRule !== undefined;
  return suggestions.length > 0 && !asksEachTime;
}
