/**
 * `holdpoint/acp`: the permission requests and forms of an ACP agent are answered by people.
 *
 * ```ts
 * const people = acpHandlers(connect());
 * client({ name: 'my-client' })
 *   .onRequest('session/request_permission', people.requestPermission)
 *   .onRequest('elicitation/create', people.createElicitation);
 * ```
 *
 * A person chooses among the agent's own options. ACP cannot change the input of a call, so no edit is offered. Rejected,
 * cancelled and expired stay distinct in `_meta`, where ACP has one answer for them. Over 60 lines, because a request is
 * shown whole, and the answer of each of two methods has several forms.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { isObject, isText } from '../../protocol/guards.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { shownText } from '../claude/claude-sdk.ts';
import { actionOf, type BridgeOptions, optionsOfCall, orNotAsked } from '../fail-closed.ts';
import type {
  ElicitationRequest,
  ElicitationResponse,
  OutcomeMeta,
  PermissionOption,
  PermissionRequest,
  PermissionResponse,
  RequestContext,
} from './acp-types.ts';

export type { BridgeOptions } from '../fail-closed.ts';
export { AcpProxy, type ProxyPorts } from './proxy.ts';
export type {
  ElicitationRequest,
  ElicitationResponse,
  OutcomeMeta,
  PermissionOption,
  PermissionRequest,
  PermissionResponse,
  RequestContext,
} from './acp-types.ts';

export interface AcpHandlers {
  requestPermission(context: RequestContext<PermissionRequest>): Promise<PermissionResponse>;
  createElicitation(context: RequestContext<ElicitationRequest>): Promise<ElicitationResponse>;
}

export function acpHandlers(holdpoint: Holdpoint, options: BridgeOptions = {}): AcpHandlers {
  return {
    requestPermission: ({ params, signal }) =>
      requestPermission(holdpoint, params, { ...options, ...(signal && { signal }) }),
    createElicitation: ({ params, signal }) =>
      createElicitation(holdpoint, params, { ...options, ...(signal && { signal }) }),
  };
}

async function requestPermission(
  holdpoint: Holdpoint,
  { sessionId, toolCall, options: offered }: PermissionRequest,
  options: BridgeOptions,
): Promise<PermissionResponse> {
  const { toolCallId, name, kind, title } = toolCall;
  const call = {
    toolName: shownText(name ?? kind ?? 'tool', LIMITS.toolNameChars),
    input: inputToShow(toolCall),
    ...(isText(title) && { description: shownText(title) }),
    choices: offered.map(offeredChoice),
  };
  const how = optionsOfCall(`${sessionId}:${toolCallId}`, options);
  const outcome = await orNotAsked(() => holdpoint.approve(call, how));
  const meta = { _meta: metaOf(outcome) };
  if (outcome.outcome === 'cancelled' || options.signal?.aborted === true) {
    return { outcome: { outcome: 'cancelled' }, ...meta };
  }
  const isApproved = outcome.outcome === 'approved';
  const chosen = 'choice' in outcome ? outcome.choice : undefined;
  const optionId = chosen ?? optionFor(offered, isApproved ? 'allow' : 'reject');
  if (optionId === undefined) return { outcome: { outcome: 'cancelled' }, ...meta };
  return { outcome: { outcome: 'selected', optionId }, ...meta };
}

async function createElicitation(
  holdpoint: Holdpoint,
  { mode, message, requestedSchema: schema, url, elicitationId }: ElicitationRequest,
  options: BridgeOptions,
): Promise<ElicitationResponse> {
  if (mode === 'url' && isText(url)) {
    const id = isText(elicitationId) ? elicitationId : '';
    const link = { url, message: shownText(message), ...(id !== '' && { elicitationId: id }) };
    const opened = await orNotAsked(() => holdpoint.link(link, optionsOfCall(id, options)));
    return { action: actionOf(opened), _meta: metaOf(opened) };
  }
  if (mode !== 'form' || !isObject(schema)) return { action: 'cancel' };
  const form = { schema: { type: 'object', ...schema }, description: shownText(message) };
  // ACP has no id for a form.
  const outcome = await orNotAsked(() => holdpoint.form(form, optionsOfCall('', options)));
  const meta = { _meta: metaOf(outcome) };
  const action = actionOf(outcome);
  if (outcome.outcome !== 'answered') return { action, ...meta };
  const content = outcome.values as Record<string, string | number | boolean | string[]>;
  return { action, content, ...meta };
}

/** The input that the agent will use; without it all that describes the call. */
function inputToShow({
  rawInput,
  title,
  content,
  locations,
}: PermissionRequest['toolCall']): JsonObject {
  if (isObject(rawInput)) return rawInput;
  const parts = { input: rawInput, title, content, locations };
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => part !== undefined && part !== null),
  ) as JsonObject;
}

/** The agent itself remembers what "always" means, so no rule of Holdpoint is made. */
function offeredChoice({ optionId, name, kind }: PermissionOption) {
  return {
    id: optionId,
    label: shownText(name, LIMITS.optionLabelChars),
    decision: kind.startsWith('allow') ? ('approve' as const) : ('deny' as const),
    tone: toneOf(kind),
  };
}

function toneOf(kind: string): 'primary' | 'danger' | 'neutral' {
  if (kind === 'allow_once') return 'primary';
  return kind === 'reject_always' ? 'danger' : 'neutral';
}

/** For this once: a rule or a plain denial says nothing about later calls. */
function optionFor(
  options: readonly PermissionOption[],
  verb: 'allow' | 'reject',
): string | undefined {
  return options.find(({ kind }) => kind === `${verb}_once`)?.optionId;
}

function metaOf(outcome: { readonly outcome: string; readonly message?: string }): OutcomeMeta {
  const { message } = outcome;
  return { holdpoint: { outcome: outcome.outcome, ...(message !== undefined && { message }) } };
}
