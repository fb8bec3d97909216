/**
 * Answers a hook (HOOK-1, HOOK-2): asks in the session of its conversation, holds the request until the outcome, and
 * responds in the form of the event. The file has over 300 lines because the ways in which a hold ends are read together.
 *
 * 1. A refusal of the session is a denial in that form: a status other than 200 would only count where the settings say so.
 * 2. After its time a hook takes its question back, as an aborted wait of the client library does (CAN-4); also when its
 *    program goes away, where the runtime reports that (workerd does not). One that may defer leaves the question open: the
 *    program asks the same call again when it is resumed.
 * 3. The answer to a permission request counts once. Another call with the same input is asked about anew.
 * 4. What another credential asked about answers nothing here, unless both have one root.
 */
import { sha256Hex } from '../../core/digest.ts';
import { type Caller, rootOf } from '../../protocol/caller.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import type { AskResult } from '../../client/agent/ask-until-settled.ts';
import {
  type HookQuestion,
  questionOf,
  withQuestionDigest,
} from '../../integrations/hooks/hook-question.ts';
import { notAskedSentence } from '../../client/agent/not-asked.ts';
import { isAfterTool, notesOf, type Hook } from '../../integrations/hooks/read-hook.ts';
import { ClientError } from '../../client/errors.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { type Deciding, decidingFields } from '../../protocol/deciding.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { openCommand } from '../../protocol/schema/command.ts';
import type { AppendedEvent } from '../../protocol/schema/event.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { FoundSession } from '../stubs.ts';
import { reportedCall } from '../reported-call.ts';
import type { RouteCall } from '../route.ts';
import { openAndWait, outcomeWait, waitForOutcome } from '../streaming/long-poll.ts';
import { answerAfterTool } from './after-tool.ts';
import { ensureHookSession, findHookSession, type HookCaller } from './hook-session.ts';

/** How long the request is held, whether the program takes a deferral then, and who decides. */
export interface HookHold {
  readonly waitSeconds: number;
  readonly mayDefer: boolean;
  readonly deciding: Deciding;
  /**
   * A command asks, which waits by itself: the request is not held. The id of its call, where the program names none; a
   * repeat of the command finds its question by it.
   */
  readonly commandCall?: string | undefined;
}

/** The session and record whose outcome a command waits for. */
interface OpenedQuestion {
  readonly sessionId: string;
  readonly interactionId: string;
  readonly toolCallId: string;
}

/** What the hook prints, what its command waits for, or why it is no hook of this caller. */
export type HookAnswer =
  | { readonly ok: true; readonly output: JsonObject }
  | { readonly ok: true; readonly opened: OpenedQuestion }
  | Rejection;

type Call = Pick<RouteCall<unknown, unknown, unknown>, 'request'> & HookCaller;

const NO_OPINION: JsonObject = {};
/** More calls with one input in one prompt are a loop. */
const MAX_COUNT = 50;
/** Claude Code asks for permission within milliseconds after the answer of a PreToolUse hook. */
const SAME_CALL_MS = 10_000;
/** After a broken wait; a session is back within a moment. */
const AFTER_BREAK_MS = 250;
const ABANDONED = 'The agent no longer waits for this';
const LOST = 'Another run of this conversation has this question; nothing was run.';

export async function answerHook(call: Call, hook: Hook, hold: HookHold): Promise<HookAnswer> {
  if (isAfterTool(hook)) return answerWith(await answerAfterTool(call, hook));
  const question = await questionOf(hook, sha256Hex);
  if (question === undefined) return note(call, hook);
  if ('denied' in question) return answerWith(question.denied);
  const found = await ensureHookSession(call, hook.cli);
  if (found.ok) return decideHook(call, hook, question, hold, found.sessionId);
  return found.code === 'not_found' ? found : answerWith(question.refusal(found.message));
}

function answerWith(output: JsonObject): HookAnswer {
  return { ok: true, output };
}

async function decideHook(
  call: Call,
  hook: Hook,
  question: HookQuestion,
  hold: HookHold,
  sessionId: string,
): Promise<HookAnswer> {
  const asking = {
    call,
    hook,
    question,
    hold,
    sessionId,
    until: call.ports.now() + hold.waitSeconds * 1_000,
  };
  const earlier = await findAnswerOfCall(asking);
  const asked = earlier ?? (await (hold.commandCall === undefined ? askAndWait : openOnly)(asking));
  return 'toolCallId' in asked
    ? { ok: true, opened: asked }
    : answerWith(await hookOutputOf(asking, asked));
}

async function hookOutputOf(
  asking: HeldHook,
  ended: AskResult | WaitingHook | Rejection,
): Promise<JsonObject> {
  const { question } = asking;
  if ('ok' in ended && ended.code === 'reassigned') return question.refusal(LOST);
  if ('ok' in ended) return question.refusal(notAskedSentence(ended.message));
  if (ended.type === 'waiting') return endHold(asking, ended.interactionId);
  if (ended.type === 'interaction' && isReassigned(asking, ended.interaction)) {
    return question.refusal(LOST);
  }
  try {
    return question.output(await withQuestionDigest(question, ended));
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause;
    return question.refusal(cause.message);
  }
}

interface HeldHook {
  readonly call: Call;
  readonly hook: Hook;
  readonly question: HookQuestion;
  readonly hold: HookHold;
  readonly sessionId: string;
  readonly until: number;
}

type WaitingHook = { readonly type: 'waiting'; readonly interactionId: string };

/**
 * Opens the question and waits. Of a call without a name it is the first question with this input which no other call waits
 * for, and whose answer no other call has taken.
 */
async function askAndWait(asking: HeldHook): Promise<AskResult | WaitingHook | Rejection> {
  const { call, question, sessionId } = asking;
  const session = await call.ports.findSession(call.identity.workspace, sessionId);
  if (!session.ok) return session;
  const startedAt = call.ports.now();
  const open = question.isNamed ? NONE_OPEN : await listOpen(session, call.identity.caller);
  for (let count = 1; count <= MAX_COUNT; count += 1) {
    const toolCallId = question.toolCallId(count);
    const isAwaited = open.get(toolCallId);
    if (isAwaited === true) continue;
    const asked = await openOne(asking, session, toolCallId);
    if (!asked.ok) return asked;
    const { body, isNew } = asked;
    if ('decision' in body) return { type: 'decided', decision: body.decision };
    const { interaction } = body;
    if (!isAskedByRootOf(call.identity.caller, interaction)) {
      if (question.isNamed) return OF_ANOTHER;
      continue;
    }
    const isMine =
      question.isNamed || isNew || isAwaited === false || isUntaken(interaction, startedAt);
    if (isMine) return waitFurther(asking, interaction);
  }
  return reject('limit_reached', 'This call was asked about too many times in one prompt');
}

/** The command waits, and acknowledges the answer once it knows that its program is still there. */
async function openOnly(asking: HeldHook): Promise<AskResult | OpenedQuestion | Rejection> {
  const { call, question, sessionId, hold } = asking;
  const session = await call.ports.findSession(call.identity.workspace, sessionId);
  if (!session.ok) return session;
  const toolCallId = question.isNamed ? question.toolCallId(1) : (hold.commandCall ?? '');
  const asked = await openOne({ ...asking, until: 0 }, session, toolCallId);
  if (!asked.ok) return asked;
  const { body } = asked;
  if ('decision' in body) return { type: 'decided', decision: body.decision };
  const { interaction } = body;
  if (!isAskedByRootOf(call.identity.caller, interaction)) return OF_ANOTHER;
  return { sessionId, interactionId: interaction.interactionId, toolCallId };
}

const OF_ANOTHER = reject('forbidden', 'Another agent asked about this call');

function isAskedByRootOf(caller: Caller, { openedBy }: InteractionView): boolean {
  return rootOf(openedBy) === rootOf(caller);
}

const NO_TEXT = { inputText: undefined };
const NONE_OPEN: ReadonlyMap<string, boolean> = new Map();

/** The open interactions by call, and whether an agent waits for each. */
async function listOpen(
  { session }: FoundSession,
  caller: Caller,
): Promise<ReadonlyMap<string, boolean>> {
  const wanted = { status: 'open', limit: LIMITS.openInteractions } as const;
  const read = await session.interactions(wanted, caller);
  if (!read.ok) return NONE_OPEN;
  return new Map(read.value.interactions.map((one) => [one.toolCallId, one.agentWaiting === true]));
}

/** Settled before this request, and read by no agent since. */
function isUntaken({ settledAt, deliveredAt }: InteractionView, startedAt: number): boolean {
  return settledAt !== null && settledAt < startedAt && (deliveredAt ?? startedAt) >= startedAt;
}

async function openOne(asking: HeldHook, session: FoundSession, toolCallId: string) {
  const { call, hook, question, hold } = asking;
  const { agentInstance } = question;
  if (question.isNamed) {
    const reported = await reportCall(asking, session, toolCallId);
    if (!reported.ok) return reported;
  }
  const { inputText } = question.request.kind === 'approval' ? question : NO_TEXT;
  const body = {
    ...question.request,
    ...decidingFields(question.request.kind, hold.deciding),
    ...(inputText !== undefined && { input: {} }),
    toolCallId,
    // A call without a name cannot tell whether another one with its id has the question.
    ...((question.isNamed || hold.commandCall !== undefined) &&
      agentInstance !== undefined && { agentInstance }),
    ...(hook.promptId !== undefined && { turnId: hook.promptId }),
    ...(!hold.mayDefer && { defaultTimeoutSeconds: Math.max(1, hold.waitSeconds) }),
    reopen: true,
  };
  const command = openCommand(body, inputText);
  if ('ok' in command) return command;
  return openAndWait({ command, context: call.context }, hookWait(asking, session));
}

/** The call stands in the conversation before its question, and a command in it finds it. */
function reportCall({ call, question }: HeldHook, { session }: FoundSession, toolCallId: string) {
  const { toolName, input, inputText } = question;
  const { command, idempotency } = reportedCall({ toolCallId, toolName, input, inputText });
  return session.handle(command, { ...call.context, idempotency });
}

/** One wait for the whole hold: in a pause between two, another call would take the question for abandoned. */
function hookWait(asking: HeldHook, { connections }: FoundSession) {
  const { call, sessionId, until } = asking;
  const seconds = Math.max(0, (until - call.ports.now()) / 1_000);
  return outcomeWait({ ...call, connections, params: { id: sessionId } }, seconds);
}

async function waitFurther(
  asking: HeldHook,
  opened: InteractionView,
): Promise<AskResult | WaitingHook | Rejection> {
  const { call, question, sessionId, until } = asking;
  const { interactionId } = opened;
  let interaction = opened;
  while (interaction.status === 'open' && !isReassigned(asking, interaction)) {
    const isOver = call.ports.now() >= until || call.request.signal.aborted;
    if (isOver) return { type: 'waiting', interactionId };
    // The session restarts: the connection to it broke before the time was up.
    await new Promise((resolve) => setTimeout(resolve, AFTER_BREAK_MS));
    // The first stub may be broken by now.
    const session = await call.ports.findSession(call.identity.workspace, sessionId);
    if (!session.ok) return session;
    const toolCallId = question.isNamed ? question.toolCallId(1) : undefined;
    const read = await waitForOutcome(interactionId, hookWait(asking, session), { toolCallId });
    if (!read.ok) return read;
    interaction = read.value;
  }
  return acknowledgeCall(asking, interaction);
}

/** This route speaks for the call: a program whose hook is a request acknowledges nothing. */
async function acknowledgeCall(
  asking: HeldHook,
  interaction: InteractionView,
): Promise<AskResult | Rejection> {
  const { call, question, sessionId } = asking;
  const ended = { type: 'interaction', interaction } as const;
  const isNoted = question.isNamed && question.agentInstance !== undefined;
  if (!isNoted || interaction.status === 'open') return ended;
  const found = await call.ports.findSession(call.identity.workspace, sessionId);
  if (!found.ok) return found;
  const toolCallId = question.toolCallId(1);
  const { interactionId } = interaction;
  const noted = await found.session.acknowledge(interactionId, toolCallId, call.identity.caller);
  return noted.ok ? ended : noted;
}

/** The conversation was resumed while nothing waited here, and its next call has the question (ADP-2). */
function isReassigned({ question }: HeldHook, { reassignedTo }: InteractionView): boolean {
  const isNamed = question.isNamed && reassignedTo !== undefined;
  return isNamed && reassignedTo.toolCallId !== question.toolCallId(1);
}

/** The hold has ended without an answer, or the program is gone. */
async function endHold(asking: HeldHook, interactionId: string): Promise<JsonObject> {
  const { call, question, hold, sessionId } = asking;
  if (hold.mayDefer && question.deferral !== undefined) return question.deferral;
  const session = await call.ports.findSession(call.identity.workspace, sessionId);
  const command = {
    type: 'interaction.cancel',
    interactionId,
    reason: ABANDONED,
    ...(question.isNamed && { toolCallId: question.toolCallId(1) }),
  } as const;
  const cancelled = session.ok ? await session.session.handle(command, call.context) : session;
  // An answer in the last moment came too late for this hook either way.
  const isOpen = !cancelled.ok && !['already_settled', 'reassigned'].includes(cancelled.code);
  const end = isOpen ? ' The question could not be taken back.' : '';
  return question.refusal(
    `Nobody answered within ${hold.waitSeconds} seconds; it was not run.${end}`,
  );
}

/** A PreToolUse hook has asked about this very call a moment ago; Claude Code asks again where a rule of its own wants that. */
async function findAnswerOfCall(asking: HeldHook): Promise<AskResult | undefined> {
  const { call, hook, question, sessionId } = asking;
  if (hook.event !== 'PermissionRequest') return undefined;
  const found = await call.ports.findSession(call.identity.workspace, sessionId);
  const wanted = { status: 'settled', limit: 10 } as const;
  if (!found.ok) return undefined;
  const { caller } = call.identity;
  const read = await found.session.interactions(wanted, caller);
  if (!read.ok) return undefined;
  const input = question.inputText ?? canonicalize(question.input);
  const sha256 = sha256Hex(input);
  const since = call.ports.now() - SAME_CALL_MS;
  const answers = read.value.interactions.filter(
    ({ kind, toolName, toolCallId, outcome, settledAt, updatedInput, wholeInput }) =>
      kind === 'approval' &&
      outcome === 'approved' &&
      toolName === question.toolName &&
      !toolCallId.startsWith('hook.') &&
      (settledAt ?? 0) >= since &&
      (wholeInput === undefined
        ? updatedInput !== undefined && canonicalize(updatedInput) === input
        : wholeInput.sha256 === sha256),
  );
  const answered = await findFirst(answers, async ({ interactionId }) => {
    const reused = await found.session.reuseApproval(interactionId, caller);
    return reused.ok && reused.value;
  });
  if (answered === undefined) return undefined;
  // The record is about the input before the edit, and this one is about the input after it.
  const by = {
    subject: answered.settledBy?.subject ?? '',
    via: answered.settledBy?.via ?? 'system',
  };
  const { wholeInput } = answered;
  const allowed: JsonObject =
    wholeInput === undefined
      ? { updatedInput: question.input }
      : { wholeInput: { sha256: wholeInput.sha256 } };
  return { type: 'decided', decision: { behavior: 'allow', ...allowed, by } };
}

/** One after the other: of two approvals of the same input one request takes one. */
async function findFirst<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await isWanted(item)) return item;
  return undefined;
}

/** A conversation that has never asked gets no session for this. */
async function note(call: Call, hook: Hook): Promise<HookAnswer> {
  const events = notesOf(hook) as AppendedEvent[];
  if (events.length === 0) return answerWith(NO_OPINION);
  const found = await findHookSession(call, hook.cli);
  if (!found.ok) return found.code === 'not_found' ? answerWith(NO_OPINION) : found;
  const session = await call.ports.findSession(call.identity.workspace, found.sessionId);
  if (!session.ok) return session;
  const noted = await session.session.handle({ type: 'events.append', events }, call.context);
  return noted.ok ? answerWith(NO_OPINION) : noted;
}
