/**
 * Hooks of the Claude Agent SDK, beside `canUseTool`.
 *
 * 1. `PreToolUse` with `defer`: a call that no person has decided within a few seconds ends the run, and the process may end
 *    too. The resumed run asks about the same call again and finds the answer. Every failure to ask is a denial.
 * 2. Claude Code ignores `defer` for one of several calls in a message, and then allows what its own mode allows. So a second
 *    hook says `ask` for the same call: beside `defer` that counts only if the deferral is ignored, and `canUseTool` waits.
 * 3. `PostToolUse`: the model learns which fields of its input a person edited; Claude Code itself says nothing.
 */
import { ABANDONED_REASON } from '../../client/agent/ask-until-settled.ts';
import type { ApprovalOutcome, NotAllowed } from '../../client/agent/outcomes.ts';
import type { AskRequest, OpenResult } from '../../client/agent/holdpoint.ts';
import { describeNotAsked } from '../../client/agent/not-asked.ts';
import { GIVE_UP_AFTER_SECONDS } from '../../client/agent/retry-until.ts';
import { ClientError } from '../../client/errors.ts';
import { isObject } from '../../protocol/types.ts';
import { askedQuestions, readSdkQuestions } from './ask-user-question.ts';
import { type Bridge, type KnownCalls, reportAsked, reportResolved, wiredTool } from './bridge.ts';
import { hookedCall, rememberEdit, reportDenied, textOfPlan } from './can-use-tool.ts';
import {
  type HookCallback,
  type HookInput,
  type HookOutput,
  type SdkHooks,
  toolCallIdOf,
} from './claude-sdk.ts';

export interface DeferSettings {
  /** The tools to ask about, as the SDK matches names. Default: tools that act, ask or come from a server. */
  readonly matcher?: string | undefined;
  /** How long a call waits before the run ends. Default: 5. */
  readonly afterSeconds?: number | undefined;
}

export type HookedBridge = Bridge & { readonly known: KnownCalls };

/** Claude Code allows many calls by itself; with `defer` these tools are asked about all the same. */
const ASKED_TOOLS =
  'Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|AskUserQuestion|ExitPlanMode|mcp__.*';
const DEFER_AFTER_SECONDS = 5;
/** Beside the wait: requests that hang until they give up, before and after it. */
const HOOK_MARGIN_SECONDS = 120;
/** The longest timer; a longer one would fire at once. */
const TIMEOUT_MAX_SECONDS = 2_000_000;

export function bridgeHooks(bridge: HookedBridge, defer: DeferSettings | undefined): SdkHooks {
  const describe = { hooks: [describeKnownEdit(bridge)] };
  const afterwards = { PostToolUse: [describe], PostToolUseFailure: [describe] };
  if (defer === undefined) return afterwards;
  const { matcher = ASKED_TOOLS, afterSeconds = DEFER_AFTER_SECONDS } = defer;
  const giveUpSeconds = bridge.how.giveUpAfterSeconds ?? GIVE_UP_AFTER_SECONDS;
  const longest = 2 * afterSeconds + giveUpSeconds + HOOK_MARGIN_SECONDS;
  const timeout = Math.min(Math.ceil(longest), TIMEOUT_MAX_SECONDS);
  const hooks = deferringHooks(bridge, afterSeconds);
  return { PreToolUse: [{ matcher, hooks, timeout, onFailure: 'block' }], ...afterwards };
}

function describeKnownEdit({ known }: HookedBridge): HookCallback {
  return async ({ hook_event_name: hookEventName, tool_use_id: id = '' }) => {
    const additionalContext = known.edits.get(id)?.changes;
    known.edits.delete(id);
    known.asked.delete(id);
    const isAfter = hookEventName === 'PostToolUse' || hookEventName === 'PostToolUseFailure';
    if (additionalContext === undefined || !isAfter) return {};
    return { hookSpecificOutput: { hookEventName, additionalContext } };
  };
}

/** The hook that decides and the one that says `ask`, which share one question for each call. */
function deferringHooks(bridge: HookedBridge, waitSeconds: number): HookCallback[] {
  const running = new Map<string, { decision: Promise<HookOutput>; takers: Set<string> }>();
  const takeDecision = (taker: string, call: HookInput, signal: AbortSignal) => {
    const id = call.tool_use_id ?? '';
    let shared = running.get(id);
    if (shared === undefined || shared.takers.has(taker)) {
      shared = { decision: decideOrDeny(bridge, call, { waitSeconds, signal }), takers: new Set() };
      running.set(id, shared);
    }
    shared.takers.add(taker);
    if (shared.takers.size === 2) running.delete(id);
    return shared.decision;
  };
  return [
    (call, _id, { signal }) => takeDecision('defer', call, signal),
    async (call, _id, { signal }) => {
      const { hookSpecificOutput: output } = await takeDecision('ask', call, signal);
      const isDeferred = output !== undefined && 'permissionDecision' in output;
      return isDeferred && output.permissionDecision === 'defer' ? decided('ask') : {};
    },
  ];
}

interface ShortWait {
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

async function decideOrDeny(
  bridge: HookedBridge,
  call: HookInput,
  wait: ShortWait,
): Promise<HookOutput> {
  try {
    return await decideHookedCall(bridge, call, wait);
  } catch (cause) {
    const isAbort = wait.signal.aborted && !(cause instanceof AggregateError);
    if (!isAbort) reportDenied(bridge, call.tool_name ?? '', cause);
    return decided('deny', describeNotAsked(cause));
  }
}

async function decideHookedCall(
  bridge: HookedBridge,
  call: HookInput,
  wait: ShortWait,
): Promise<HookOutput> {
  const { tool_name: toolName, tool_input: input, tool_use_id: toolUseID } = call;
  if (toolName === undefined || toolUseID === undefined || !isObject(input)) {
    return decided('deny', 'The hook does not name its call, so nobody could be asked.');
  }
  // The run of a subagent cannot be resumed by itself: `canUseTool` asks and waits.
  if (call.agent_id !== undefined) return decided('ask');
  // A tool that is wired to a kind waits in `canUseTool`.
  if (wiredTool(bridge, toolName) !== undefined) return decided('ask');
  const request = requestFor(bridge, toolName, input);
  if (request === undefined) {
    return decided('deny', 'The input does not hold questions in the form of this tool.');
  }
  bridge.known.asked.add(toolUseID);
  const opened = await openBriefly(bridge, request, { ...wait, toolUseID });
  if (opened.status === 'open') return decided('defer');
  const { outcome } = opened;
  if (isRefused(outcome)) {
    reportResolved(bridge, outcome);
    return decided('deny', outcome.message);
  }
  // Answers and plans are for `canUseTool`, which finds them at once under the same id, and reports them.
  if (request.kind !== 'approval') return {};
  reportResolved(bridge, outcome);
  const approved = outcome as Extract<ApprovalOutcome, { outcome: 'approved' }>;
  rememberEdit(bridge, toolUseID, toolName, approved);
  return decided('allow', undefined, approved.updatedInput);
}

type AnyOutcome = Extract<OpenResult, { status: 'settled' }>['outcome'];

function isRefused(outcome: AnyOutcome): outcome is NotAllowed {
  return outcome.outcome !== 'approved' && outcome.outcome !== 'answered';
}

function requestFor(
  bridge: Bridge,
  toolName: string,
  input: Record<string, unknown>,
): AskRequest | undefined {
  if (toolName === 'ExitPlanMode') return { kind: 'plan_review', plan: textOfPlan(input) };
  if (toolName !== 'AskUserQuestion') {
    return { kind: 'approval', ...hookedCall(toolName, input, bridge) };
  }
  const questions = readSdkQuestions(input);
  return questions && { kind: 'question', questions: askedQuestions(questions) };
}

async function openBriefly(
  bridge: Bridge,
  request: AskRequest,
  { waitSeconds, signal, toolUseID }: ShortWait & { readonly toolUseID: string },
): Promise<OpenResult> {
  const { client, how } = bridge;
  const toolCallId = toolCallIdOf({ toolUseID });
  const { agentInstance } = client;
  // A deadline of minutes would end what is to wait for hours, and an expired question would come back with every resumption.
  const named = { ...how, toolCallId, agentInstance, defaultTimeoutSeconds: null, reopen: false };
  const opened = await client.open(request, { ...named, signal });
  if (opened.status !== 'open') return opened;
  const { interactionId } = opened.interaction;
  reportAsked(bridge)(opened.interaction);
  if (waitSeconds <= 0) return opened;
  try {
    const brief = { toolCallId, waitSeconds, giveUpAfterSeconds: waitSeconds, signal };
    return await client.outcome(interactionId, request, brief);
  } catch (cause) {
    if (signal.aborted) {
      await cancelQuestion(bridge, interactionId, cause);
      throw cause;
    }
    // The question is open, and a server that comes back has the answer for the resumed run.
    if (cause instanceof ClientError && cause.retry !== 'never') return opened;
    throw cause;
  }
}

async function cancelQuestion(
  bridge: Bridge,
  interactionId: string,
  aborted: unknown,
): Promise<void> {
  const { client } = bridge;
  try {
    const sessionId = await client.session();
    const { interaction } = await client.transport.cancel(sessionId, interactionId, {
      reason: ABANDONED_REASON,
    });
    reportResolved(bridge, { interaction });
  } catch (cause) {
    const message = 'The run was aborted, and its question may still be open';
    throw new AggregateError([aborted, cause], message, { cause });
  }
}

function decided(
  permissionDecision: 'allow' | 'deny' | 'ask' | 'defer',
  permissionDecisionReason?: string,
  updatedInput?: Record<string, unknown>,
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      ...(permissionDecisionReason !== undefined && { permissionDecisionReason }),
      ...(updatedInput !== undefined && { updatedInput }),
    },
  };
}
