/**
 * The translator of hooks: what a hook asks, as an opening, and the outcome, as what the hook prints or responds with. The
 * file has over 300 lines because each event stands with both directions.
 *
 * 1. Only an outcome of Holdpoint that the client library accepts as an approval of this call becomes `allow`. Everything
 *    else is a denial in the form of the event, because an empty output lets the program go on.
 * 2. `allow` of Claude Code always has the input, so that the tool runs with what a person saw. Codex receives an input
 *    only where it takes one: its permission requests refuse every output that has one.
 * 3. The same delivery of a hook has the same id. A permission request names no call, so its id follows from the prompt
 *    and the input; the caller counts further calls with the same input (`toolCallIds`).
 */
import {
  approvalOutcome,
  formOutcome,
  linkOutcome,
  type NotAllowed,
  planOutcome,
  questionOutcome,
} from '../../client/agent/outcomes.ts';
import { type AskResult, withOwnDigest } from '../../client/agent/ask-until-settled.ts';
import { isObject, isText, type AttachedFile, type JsonObject } from '../../protocol/types.ts';
import { hashNatively } from '../../protocol/history-digest.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { fitToolCallId } from '../../protocol/ids.ts';
import { describeAttachedFiles } from '../../protocol/describe-attached-files.ts';
import { answeredInput, askedQuestions, readSdkQuestions } from '../claude/ask-user-question.ts';
import { shownLines, shownText } from '../claude/claude-sdk.ts';
import { actionOf } from '../fail-closed.ts';
import type { HashText } from './hook-session.ts';
import type { Hook } from './read-hook.ts';

export interface HookQuestion {
  /** The id of the call, or for a hook without one that of its first, second, third call with this input. */
  toolCallId(count: number): string;
  /** Whether the program named the call: then it is reported, and its answer counts however often it is asked for. */
  readonly isNamed: boolean;
  /** The prompt: a conversation that was killed goes on with another one, and is not asked twice (ADP-2). */
  readonly agentInstance: string | undefined;
  readonly toolName: string;
  readonly input: JsonObject;
  /** The input, where only text carries it without loss: of `input`, only what `JSON.stringify` writes counts then. */
  readonly inputText: string | undefined;
  /** The opening, without the id of its call. */
  readonly request: JsonObject;
  /** Throws if the outcome is not about this call. */
  output(ended: AskResult): JsonObject;
  refusal(reason: string): JsonObject;
  /** The program ends its run here, and asks the same call again when it is resumed. */
  readonly deferral: JsonObject | undefined;
}

/** Denied without asking: the input is not what the tool takes. */
export interface Unaskable {
  readonly denied: JsonObject;
}

/** Undefined: this event asks nothing, or what a person could not answer here. */
export async function questionOf(
  hook: Hook,
  hash: HashText,
): Promise<HookQuestion | Unaskable | undefined> {
  switch (hook.event) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return toolQuestion(hook, await idsOf(hook, hash));
    case 'Elicitation':
      return elicitationQuestion(hook, await idsOf(hook, hash));
    default:
      return undefined;
  }
}

/** The outcome with the digest of the input of this hook, where it names one. */
export async function withQuestionDigest(
  { input, inputText }: HookQuestion,
  ended: AskResult,
): Promise<AskResult> {
  if (inputText === undefined) return withOwnDigest(input, ended);
  return { ...ended, ownSha256: await hashNatively(inputText) };
}

type CallIds = Pick<HookQuestion, 'toolCallId' | 'isNamed' | 'agentInstance'>;

function toolQuestion(hook: Hook, ids: CallIds): HookQuestion | Unaskable {
  const { body, event, inputText } = hook;
  const toolName = body.tool_name as string;
  const input = body.tool_input as JsonObject;
  const forms = event === 'PreToolUse' ? preToolUse(hook) : permissionRequest(hook);
  const common = { ...ids, toolName, input, inputText, refusal: forms.deny };
  const deferral = event === 'PreToolUse' && hook.program === 'claude-code' ? DEFERRAL : undefined;
  if (toolName === 'AskUserQuestion') {
    const questions = readSdkQuestions(input);
    if (questions === undefined) {
      return { denied: forms.deny('The input does not hold questions in the form of this tool.') };
    }
    const asked = askedQuestions(questions);
    return {
      ...common,
      deferral,
      request: { kind: 'question', toolName, questions: asked as unknown as JsonObject[] },
      output(ended) {
        const outcome = questionOutcome(asked, ended);
        if (outcome.outcome !== 'answered') return forms.deny(outcome.message);
        const result = answeredInput(input, questions, outcome);
        return result.behavior === 'allow'
          ? forms.allow(result.updatedInput as JsonObject, {})
          : forms.deny(result.message);
      },
    };
  }
  if (toolName === 'ExitPlanMode') {
    const plan = isText(input.plan) && input.plan.trim() !== '' ? input.plan : undefined;
    return {
      ...common,
      deferral,
      request: { kind: 'plan_review', toolName, ...(plan !== undefined && { plan }) },
      output(ended) {
        const outcome = planOutcome(plan, ended);
        if (outcome.outcome !== 'approved') return forms.deny(outcome.message);
        return forms.allow(input, {
          mode: outcome.permissionMode,
          files: describeFiles(outcome),
        });
      },
    };
  }
  const description = describeHookCall(hook);
  const call = {
    toolName,
    input,
    allowEdit: forms.takesInput,
    offers: mayHookRemember(hook) ? (['once', 'session'] as const) : (['once'] as const),
    ...(description !== undefined && { description }),
  };
  return {
    ...common,
    deferral,
    request: { kind: 'approval', ...call, offers: [...call.offers] },
    output(ended) {
      const outcome = approvalOutcome(call, ended);
      if (outcome.outcome !== 'approved') return forms.deny(outcome.message, isStop(outcome));
      const { updatedInput, reason, changes } = outcome;
      // The text takes no edit, and the outcome has its numbers as doubles.
      const files = describeFiles(outcome);
      return forms.allow(inputText === undefined ? updatedInput : input, {
        changes,
        reason,
        files,
      });
    },
  };
}

interface Allowed {
  /** What the person changed, for the model. */
  readonly changes?: string | undefined;
  readonly reason?: string | undefined;
  /** What the person attached, for the model. */
  readonly files?: string | undefined;
  /** Of an approved plan. */
  readonly mode?: string | undefined;
}

interface ToolForms {
  readonly takesInput: boolean;
  allow(input: JsonObject, allowed: Allowed): JsonObject;
  deny(message: string, isStop?: boolean): JsonObject;
}

const DEFERRAL = specific('PreToolUse', { permissionDecision: 'defer' });

function preToolUse({ program }: Hook): ToolForms {
  return {
    takesInput: true,
    allow(updatedInput, { changes, reason, files }) {
      const needsInput = program === 'claude-code' || changes !== undefined;
      const context = shownLines([
        changes,
        reason === undefined ? undefined : personsReason(reason),
        files,
      ]);
      return specific('PreToolUse', {
        permissionDecision: 'allow',
        permissionDecisionReason: reason ?? 'Allowed through Holdpoint',
        ...(needsInput && { updatedInput }),
        ...(context !== undefined && { additionalContext: context }),
      });
    },
    deny: (message) =>
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: message }),
  };
}

/** Nothing in this output reaches the model after `allow`. */
function permissionRequest({ program }: Hook): ToolForms {
  const takesInput = program === 'claude-code';
  const decided = (decision: JsonObject) => specific('PermissionRequest', { decision });
  return {
    takesInput,
    allow: (updatedInput, { mode }) =>
      decided({
        behavior: 'allow',
        ...(takesInput && { updatedInput }),
        ...(takesInput &&
          mode !== undefined && {
            updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
          }),
      }),
    deny: (message, isStop = false) =>
      decided({ behavior: 'deny', message, ...(isStop && takesInput && { interrupt: true }) }),
  };
}

function elicitationQuestion(hook: Hook, ids: CallIds): HookQuestion | undefined {
  const { message, mode, requested_schema: schema, url, elicitation_id: elicitationId } = hook.body;
  const server = hook.body.mcp_server_name as string;
  const isLink = mode === 'url' && isText(url);
  if (!isLink && (mode === 'url' || !isObject(schema))) return undefined;
  const toolName = shownText(`mcp__${server}`, LIMITS.toolNameChars);
  const title = shownText(server, LIMITS.formTitleChars);
  const description = shownLines([isText(message) ? message : undefined])?.slice(
    0,
    LIMITS.formDescriptionChars,
  );
  const acted = (action: string, content?: JsonObject) =>
    specific('Elicitation', { action, ...(content !== undefined && { content }) });
  const common = {
    ...ids,
    toolName,
    inputText: undefined,
    refusal: () => acted('cancel'),
    deferral: undefined,
  };
  if (isLink) {
    const named = isText(elicitationId) ? { elicitationId } : {};
    const text = description ?? server;
    return {
      ...common,
      input: { url },
      request: { kind: 'link', toolName, title, url, message: text, ...named },
      output: (ended) => acted(actionOf(linkOutcome(url, ended))),
    };
  }
  return {
    ...common,
    input: schema as JsonObject,
    request: {
      kind: 'form',
      toolName,
      title,
      ...(description !== undefined && { description }),
      schema: schema as JsonObject,
    },
    output(ended) {
      const outcome = formOutcome(ended);
      const action = actionOf(outcome);
      if (outcome.outcome !== 'answered') return acted(action);
      // MCP has no null: a field without an answer is left out.
      const given = Object.entries(outcome.values).filter(([, value]) => value !== null);
      return acted(action, Object.fromEntries(given));
    },
  };
}

async function idsOf({ body, event, cli, promptId = '' }: Hook, hash: HashText): Promise<CallIds> {
  const { provider, cliSessionId } = cli;
  const agentInstance =
    promptId === ''
      ? undefined
      : `hook-${hash(JSON.stringify([provider, cliSessionId, promptId])).slice(0, 40)}`;
  if (event === 'PreToolUse') {
    const id = await fitToolCallId(body.tool_use_id as string);
    return { isNamed: true, toolCallId: () => id, agentInstance };
  }
  const { tool_name, tool_input, elicitation_id, mcp_server_name, message, requested_schema, url } =
    body;
  const about = [
    tool_name,
    tool_input,
    elicitation_id,
    mcp_server_name,
    message,
    requested_schema,
    url,
  ];
  const digest = hash(JSON.stringify([cliSessionId, promptId, event, ...about])).slice(0, 40);
  return {
    isNamed: false,
    agentInstance,
    toolCallId: (count) => `hook.${digest}${count === 1 ? '' : `.${count}`}`,
  };
}

/** Claude Code suggests rules where it would remember a decision itself; a PreToolUse hook has no suggestions. */
function mayHookRemember({ event, program, body }: Hook): boolean {
  if (event === 'PreToolUse' || program === 'codex') return true;
  return Array.isArray(body.permission_suggestions) && body.permission_suggestions.length > 0;
}

function describeHookCall({ cli, body }: Hook): string | undefined {
  const { agent_type: agent } = body;
  return shownLines([
    cli.cwd === undefined ? undefined : `In ${cli.cwd}`,
    isText(agent) ? `Subagent: ${agent}` : undefined,
  ]);
}

function describeFiles({ attachments }: { readonly attachments?: readonly AttachedFile[] }) {
  return attachments && describeAttachedFiles(attachments);
}

function personsReason(reason: string): string {
  return `The person who allowed this says: ${reason}`;
}

function isStop(outcome: NotAllowed): boolean {
  return outcome.outcome === 'denied' && outcome.stop !== undefined;
}

function specific(hookEventName: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName, ...fields } };
}
