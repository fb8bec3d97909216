/**
 * Says to the model which fields of its input a person edited and which files came with the decision, once the tool has run
 * (`PostToolUse`): the answer to a permission request has no place for that, and `PreToolUse` has said it already.
 */
import { canonicalize } from '../../protocol/canonical-json.ts';
import { isObject } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import type { Hook } from '../../integrations/hooks/read-hook.ts';
import { findHookSession, type HookCaller } from './hook-session.ts';

const EVENTS = new Set(['PostToolUse', 'PostToolUseFailure']);
/** Calls of one prompt that run at the same time, and are asked about before the first of them ends. */
const LATEST = 20;

export function isAfterTool({ event }: Hook): boolean {
  return EVENTS.has(event);
}

/** Undefined: no person has edited this call, or attached a file. */
export async function describeEdit(call: HookCaller, hook: Hook): Promise<JsonObject | undefined> {
  const { body, event, cli, inputText } = hook;
  // What only text carries takes no edit.
  if (!isObject(body.tool_input) || inputText !== undefined) return undefined;
  const input = canonicalize(body.tool_input);
  const found = await findHookSession(call, cli);
  if (!found.ok) return undefined;
  const session = await call.ports.findSession(call.identity.workspace, found.sessionId);
  if (!session.ok) return undefined;
  const wanted = { status: 'settled', limit: LATEST } as const;
  const read = await session.session.interactions(wanted, call.identity.caller);
  const record = read.ok && read.value.interactions.find((one) => hasMoreInput(one, hook, input));
  const message = record && record.reply?.message;
  if (typeof message !== 'string') return undefined;
  return { hookSpecificOutput: { hookEventName: event, additionalContext: message } };
}

function hasMoreInput(record: InteractionView, { body, promptId }: Hook, input: string): boolean {
  const { kind, outcome, toolName, toolCallId, turnId, updatedInput, attachments } = record;
  const isThisCall =
    outcome === 'approved' &&
    toolName === body.tool_name &&
    toolCallId.startsWith('hook.') &&
    turnId === promptId;
  if (!isThisCall) return false;
  if (kind === 'plan_review') return attachments !== undefined && hasSamePlan(record, body);
  const isEdited = record.authorizedDigest !== record.inputDigest;
  return (
    kind === 'approval' &&
    (isEdited || attachments !== undefined) &&
    updatedInput !== undefined &&
    canonicalize(updatedInput) === input
  );
}

function hasSamePlan({ request }: InteractionView, { tool_input: input }: Hook['body']): boolean {
  return isObject(input) && (input.plan === undefined || input.plan === request.plan);
}
