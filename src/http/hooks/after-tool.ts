/**
 * Answers `PostToolUse` and `PostToolUseFailure`: what a tool call that has run means for the request about it (HOOK-4).
 *
 * 1. A request that is still open was answered at the terminal of the agent. The result of the call ends it, under the
 *    rights of every reported result: only for the credential that asked, its root, or an administrator (PEND-9).
 * 2. The model learns what a person changed: the answer to a permission request has no place for that, and `PreToolUse`
 *    has sent it already.
 * 3. Nothing is refused here: the tool has run, and an error would only be shown to the person at the terminal.
 */
import { mayReportFor } from '../../core/authority.ts';
import { sha256Hex } from '../../core/digest.ts';
import type { Hook } from '../../integrations/hooks/read-hook.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import { fitToolCallId } from '../../protocol/ids.ts';
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';
import type { AppendedEvent } from '../../protocol/schema/event.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import { toolSessionOf } from '../mcp-session.ts';
import type { FoundSession } from '../stubs.ts';
import { findHookSession, type HookCaller } from './hook-session.ts';

/** Calls of one prompt that run at the same time, and are asked about before the first of them ends. */
const LATEST = 20;
/** From the answer of a person to the start of the tool; the program counts from there. */
const START_MS = 2_000;
const NOTHING_TO_ADD: JsonObject = {};
const RAN_ANYWAY = 'The call ran: it was allowed at the terminal before the answer here.';

export async function answerAfterTool(call: HookCaller, hook: Hook): Promise<JsonObject> {
  if (!isObject(hook.body.tool_input)) return NOTHING_TO_ADD;
  const ran = await readRanCall(hook, call.ports.now());
  for (const place of await sessionsOfRequest(call, hook)) {
    const about = await readAbout(call, place, ran);
    const message = about.find((one) => hasUnsentChange(one, ran))?.reply?.message;
    if (isText(message)) {
      return { hookSpecificOutput: { hookEventName: hook.event, additionalContext: message } };
    }
    const unallowed = findUnallowed(about, ran);
    if (unallowed === undefined) continue;
    await reportResult(call, place, unallowed, ran);
    return NOTHING_TO_ADD;
  }
  return NOTHING_TO_ADD;
}

/** The session of the conversation, and that of the tools, where the permission prompt asks over HTTP. */
async function sessionsOfRequest(call: HookCaller, hook: Hook): Promise<FoundSession[]> {
  const { ports, identity } = call;
  const found = await findHookSession(call, hook.cli);
  const ids = [
    ...(found.ok ? [found.sessionId] : []),
    identity.session ?? toolSessionOf(identity.caller),
  ];
  const places: FoundSession[] = [];
  for (const id of new Set(ids)) {
    const session = await ports.findSession(identity.workspace, id);
    if (session.ok) places.push(session);
  }
  return places;
}

/** The latest requests about this call that the caller may report on. */
async function readAbout(
  { identity, context }: HookCaller,
  { session }: FoundSession,
  ran: RanCall,
): Promise<InteractionView[]> {
  const found: InteractionView[] = [];
  for (const status of ['open', 'settled'] as const) {
    const read = await session.interactions({ status, limit: LATEST }, identity.caller);
    if (read.ok) found.push(...read.value.interactions);
  }
  return found.filter(
    (one) => isRequestAboutRun(one, ran) && mayReportFor(context.caller, one.openedBy),
  );
}

/** A call that has run, as its program reports it. */
interface RanCall {
  readonly toolName: unknown;
  readonly toolCallId: string | undefined;
  readonly turnId: string | undefined;
  readonly input: JsonObject;
  /** As canonical JSON, or the text itself where only that carries it without loss. */
  readonly inputText: string;
  readonly isOdd: boolean;
  readonly isFailed: boolean;
  /** When it began, as near as this server can tell; undefined for a program that does not say how long it ran. */
  readonly startedAt: number | undefined;
}

async function readRanCall(
  { body, event, promptId, inputText }: Hook,
  now: number,
): Promise<RanCall> {
  const { tool_name: toolName, tool_use_id: id, duration_ms: duration } = body;
  const input = body.tool_input as JsonObject;
  return {
    toolName,
    toolCallId: isText(id) && id !== '' ? await fitToolCallId(id) : undefined,
    turnId: promptId,
    input,
    inputText: inputText ?? canonicalize(input),
    isOdd: inputText !== undefined,
    isFailed: event === 'PostToolUseFailure',
    startedAt: typeof duration === 'number' && duration >= 0 ? now - duration : undefined,
  };
}

function isRequestAboutRun(
  { toolName, toolCallId, turnId }: InteractionView,
  ran: RanCall,
): boolean {
  if (toolName !== ran.toolName) return false;
  // A permission request names its prompt and no call.
  return toolCallId.startsWith('hook.') ? turnId === ran.turnId : toolCallId === ran.toolCallId;
}

/** A person changed the input that has run, or attached a file, and the model does not know. */
function hasUnsentChange(record: InteractionView, ran: RanCall): boolean {
  const { kind, outcome, updatedInput, attachments, agentInstance } = record;
  // `PreToolUse`, which asks under the id of the call, has sent it.
  const isSent = !record.toolCallId.startsWith('hook.') && agentInstance?.startsWith('hook-');
  if (outcome !== 'approved' || isSent === true || ran.isOdd) return false;
  if (kind === 'plan_review') return attachments !== undefined && hasSamePlan(record, ran);
  const isEdited = record.authorizedDigest !== record.inputDigest;
  return (
    kind === 'approval' &&
    (isEdited || attachments !== undefined) &&
    updatedInput !== undefined &&
    canonicalize(updatedInput) === ran.inputText
  );
}

function hasSamePlan({ request }: InteractionView, { input }: RanCall): boolean {
  return input.plan === undefined || input.plan === request.plan;
}

/**
 * The request about this call that no answer here has allowed: an open one, else one that was ended while the call ran.
 * Undefined where an approval explains the run: a second call with the same input may be asked about while the first runs.
 */
function findUnallowed(about: readonly InteractionView[], ran: RanCall) {
  const same = about.filter((one) => isSameRequest(one, ran));
  const { startedAt } = ran;
  const isAtStart = ({ settledAt }: InteractionView) =>
    startedAt === undefined || Math.abs((settledAt ?? 0) - startedAt) <= START_MS;
  if (same.some((one) => one.outcome === 'approved' && isAtStart(one))) return undefined;
  const [open] = same
    .filter(({ status }) => status === 'open')
    .sort((one, other) => one.openedAt - other.openedAt);
  if (open !== undefined || startedAt === undefined) return open;
  return same.find(
    ({ outcome, settledAt }) => outcome === 'denied' && (settledAt ?? 0) >= startedAt - START_MS,
  );
}

function isSameRequest({ kind, request, wholeInput }: InteractionView, ran: RanCall): boolean {
  // The program asks one question and one plan at a time, and adds the answer to the input.
  if (kind !== 'approval') return true;
  if (wholeInput !== undefined) return wholeInput.sha256 === sha256Hex(ran.inputText);
  return !ran.isOdd && isObject(request.input) && canonicalize(request.input) === ran.inputText;
}

/** A credential that may not report this result changes nothing. */
async function reportResult(
  { context }: HookCaller,
  { session }: FoundSession,
  { toolCallId, turnId, status }: InteractionView,
  { isFailed }: RanCall,
): Promise<void> {
  const events: AppendedEvent[] = [
    {
      type: 'tool_result',
      ...(turnId !== undefined && { turnId }),
      toolCallId,
      payload: {
        ...(status === 'settled' && { output: RAN_ANYWAY }),
        ...(isFailed && { isError: true }),
      },
    },
  ];
  await session.handle({ type: 'events.append', events }, context);
}
