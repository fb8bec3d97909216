/**
 * Decides a tool call of the model: refused, allowed by a rule or the mode, or a request to a person.
 *
 * A call is refused here if a request would make no sense: an unknown tool, an input that its schema refuses, a plan
 * outside plan mode. A call that needs a person and cannot be asked about is never allowed (GATE-4).
 */
import { addDecision, addEvents, insertEventsBefore } from '../../core/session-draft.ts';
import { openInteraction } from '../../core/decisions/open.ts';
import { checkToolInput } from '../../core/tools/check-tool-input.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ToolUseContent } from '../message.ts';
import { type Tool, findTool } from '../tools/registry.ts';
import { toolResultEvent } from './end-turn.ts';
import { responseIdOf, type Run, type RunCall } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import type { Caller } from '../../protocol/caller.ts';

const ANSWER_WITHIN_SECONDS = 600;
const REVIEW_WITHIN_SECONDS = 300;

const RUN_AGAIN_QUESTION = 'It may already have run. Run again?';

/** `run` is the run before this answer was counted: the response id of the call comes from it. */
export function gateToolCall(
  draft: RunDraft,
  run: Run,
  use: ToolUseContent,
  facts: RunFacts,
): RunDraft {
  const { agent, permissionMode } = draft.state.info;
  const tool = agent === null ? undefined : findTool(agent, use.name);
  const refuse = (message: string) => refuseCall(draft, run, use, message, facts);
  if (tool === undefined) return refuse(`There is no tool "${use.name}".`);
  const problem = findInputProblem(tool, use);
  if (problem !== undefined) return refuse(problem);
  if (tool.runBy === 'person' && tool.kind === 'plan_review' && permissionMode !== 'plan') {
    return refuse('ExitPlanMode is for plan mode, and this session is not in it. Go on without.');
  }
  const opened = openForCall(draft, run, use, requestForCall(tool, use, facts), facts);
  if (!opened.ok) return refuse(opened.message);
  const { reply } = opened;
  if (reply.type === 'gate' && reply.decision.behavior === 'deny') {
    const { message } = reply.decision;
    return addRefusedCall(addDecision(draft, opened), run, use, message, facts);
  }
  const call: RunCall = {
    toolCallId: use.id,
    toolName: use.name,
    input: use.input,
    status: 'asking',
  };
  if (reply.type === 'gate') {
    const events = opened.events.map((event) => markClientCall(tool, event));
    const allowed = addDecision(draft, { ...opened, events });
    return addCall(allowed, allowCall(call, tool, facts.now));
  }
  const called = [markClientCall(tool, toolCallEvent(run, use))];
  const asked = insertEventsBefore(addDecision(draft, opened), draft.events.length, (one) =>
    addEvents(one, called, facts.now),
  );
  return addCall(asked, call);
}

/** Asks a person about a tool that may have run already. No rule or mode may allow it. */
export function askToRunAgain(draft: RunDraft, run: Run, call: RunCall, facts: RunFacts) {
  const { toolCallId: id, toolName: name, input } = call;
  const request = {
    kind: 'approval' as const,
    request: { input, description: RUN_AGAIN_QUESTION, allowEdit: false, offers: ['once'] },
  };
  // The answer with this call is counted already.
  const answered = { ...run, step: run.step - 1 };
  return openForCall(draft, answered, { id, name }, request, facts, { mustAsk: true });
}

/** Marks a call as ready to run, in the session or by the client. */
export function allowCall(call: RunCall, tool: Tool, now: number): RunCall {
  return tool.runBy === 'client'
    ? { ...call, status: 'started', until: now + tool.timeoutSeconds * 1_000 }
    : { ...call, status: 'claimed' };
}

interface CallRequest {
  readonly kind: string;
  readonly request: JsonObject;
}

function requestForCall(tool: Tool, { input }: ToolUseContent, facts: RunFacts): CallRequest {
  if (tool.runBy !== 'person') {
    const { inputSchema } = tool.definition;
    const offers = ['once', 'session'];
    return { kind: 'approval', request: { input, allowEdit: true, inputSchema, offers } };
  }
  if (tool.kind !== 'plan_review') {
    return { kind: tool.kind, request: { ...input, ...tool.fixed } };
  }
  const own = typeof input.plan === 'string' && input.plan.trim() !== '' ? input.plan : undefined;
  const plan = own ?? facts.plan;
  return { kind: 'plan_review', request: plan === undefined ? {} : { plan } };
}

function openForCall(
  draft: RunDraft,
  run: Run,
  use: Pick<ToolUseContent, 'id' | 'name'>,
  { kind, request }: CallRequest,
  facts: RunFacts,
  how?: { readonly mustAsk: boolean },
) {
  const common = {
    kind,
    toolCallId: use.id,
    toolName: use.name,
    turnId: run.turnId,
    responseId: responseIdOf(run),
    defaultTimeoutSeconds: kind === 'plan_review' ? REVIEW_WITHIN_SECONDS : ANSWER_WITHIN_SECONDS,
  };
  const command: CommandOf<'interaction.open'> = { type: 'interaction.open', common, request };
  return openInteraction(draft.state, command, { ...facts, caller: AGENT_CALLER }, how);
}

function findInputProblem(
  { definition }: Tool,
  { input, inputProblem }: ToolUseContent,
): string | undefined {
  if (inputProblem !== undefined) {
    return `The input of ${definition.name} cannot be used: ${inputProblem}. Call it again with another input.`;
  }
  const errors = checkToolInput(definition.inputSchema, input);
  if (errors === undefined) return undefined;
  const lines = Object.entries(errors).map(([at, error]) =>
    at === '' ? error : `${at}: ${error}`,
  );
  return `The input does not fit ${definition.name}. ${lines.join(' ')}`;
}

function toolCallEvent(run: Run, { id, name, input }: ToolUseContent): DraftEvent {
  return {
    type: 'tool_call',
    turnId: run.turnId,
    responseId: responseIdOf(run),
    toolCallId: id,
    payload: { toolName: name, input },
  };
}

function markClientCall(tool: Tool, event: DraftEvent): DraftEvent {
  if (tool.runBy !== 'client' || event.type !== 'tool_call') return event;
  return { ...event, payload: { ...event.payload, runBy: 'client' } };
}

export function refuseCall(
  draft: RunDraft,
  run: Run,
  use: ToolUseContent,
  message: string,
  facts: RunFacts,
): RunDraft {
  return addRefusedCall(
    addEvents(draft, [toolCallEvent(run, use)], facts.now),
    run,
    use,
    message,
    facts,
  );
}

function addRefusedCall(
  draft: RunDraft,
  run: Run,
  use: ToolUseContent,
  message: string,
  facts: RunFacts,
) {
  const output = { content: message, isError: true };
  const { id: toolCallId, name: toolName, input } = use;
  const answered = addEvents(draft, [toolResultEvent(run, toolCallId, output)], facts.now);
  return addCall(answered, { toolCallId, toolName, input, status: 'done', output });
}

function addCall(draft: RunDraft, call: RunCall): RunDraft {
  return draft.run === null
    ? draft
    : setRun(draft, { ...draft.run, calls: [...draft.run.calls, call] });
}

/** No key, token or administrator has this name: their names hold no space. */
const AGENT_CREDENTIAL = 'built-in agent';

/** The built-in agent as a caller. */
export const AGENT_CALLER: Caller = {
  credential: AGENT_CREDENTIAL,
  subject: 'agent',
  via: 'system',
  scopes: ['agent'],
};

/** The built-in agent has the outcome in the commit of the answer; no connection carries it. */
export function isOpenedByAgent({
  openedBy,
}: {
  readonly openedBy: { readonly credential: string };
}) {
  return openedBy.credential === AGENT_CREDENTIAL;
}
