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
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { shownText } from '../claude/claude-sdk.ts';
import { actionOf, type BridgeOptions, optionsOfCall, orNotAsked } from '../fail-closed.ts';

export type { BridgeOptions } from '../fail-closed.ts';

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

/** The parts of ACP version 1 that the bridge uses, written out because its SDK is no dependency. */
type Nullable<Value> = Value | null | undefined;

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly kind: string;
}

export interface PermissionRequest {
  readonly sessionId: string;
  readonly toolCall: {
    readonly toolCallId: string;
    readonly name?: Nullable<string>;
    readonly title?: Nullable<string>;
    readonly kind?: Nullable<string>;
    readonly rawInput?: unknown;
    readonly content?: Nullable<readonly unknown[]>;
    readonly locations?: Nullable<readonly unknown[]>;
  };
  readonly options: readonly PermissionOption[];
}

/** Which of the outcomes of Holdpoint it was, and the words of the person: ACP itself has no place for them. */
export interface OutcomeMeta {
  readonly [key: string]: unknown;
  readonly holdpoint: { readonly outcome: string; readonly message?: string };
}

export interface PermissionResponse {
  outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };
  _meta?: OutcomeMeta;
}

export interface ElicitationRequest {
  readonly mode: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: unknown;
  readonly elicitationId?: unknown;
}

export type ElicitationResponse = (
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' }
) & { _meta?: OutcomeMeta };

/** The context of a handler in the SDK of ACP. */
export interface RequestContext<Params> {
  readonly params: Params;
  readonly signal?: AbortSignal | undefined;
}

export interface ProxyPorts {
  /** Writes one line, without its end. */
  toEditor(line: string): void;
  toAgent(line: string): void;
}

interface Running {
  readonly sessionId: unknown;
  readonly controller: AbortController;
}

/**
 * Stands between an ACP client (an editor) and its agent: requests for a person go to Holdpoint, everything else
 * passes unchanged, line by line.
 *
 * 1. A permission request or a form never reaches the editor, so that no setting of the editor can allow it.
 * 2. The agent is told that forms are possible, because it asks its questions only then.
 * 3. `session/cancel` of the editor and `$/cancel_request` of the agent take questions back.
 */
export class AcpProxy {
  readonly #ports: ProxyPorts;
  readonly #handlers: AcpHandlers;
  /** By the id of the agent's request, as JSON: 1 and "1" are two ids. */
  readonly #running = new Map<string, Running>();

  constructor(holdpoint: Holdpoint, ports: ProxyPorts, options: BridgeOptions = {}) {
    this.#ports = ports;
    this.#handlers = acpHandlers(holdpoint, options);
  }

  fromEditor(line: string): void {
    const message = parsedObject(line);
    if (message?.method === 'initialize') return this.#ports.toAgent(withElicitation(message));
    const { sessionId } = isObject(message?.params) ? message.params : {};
    if (message?.method === 'session/cancel') this.#abort((one) => one.sessionId === sessionId);
    this.#ports.toAgent(line);
  }

  fromAgent(line: string): void {
    const value = parsed(line);
    // ACP has no batches; a client that read one all the same could find a request in it.
    if (Array.isArray(value)) return this.#refuse(null, -32_600, 'ACP has no batches');
    const message = isObject(value) ? value : undefined;
    const { id, method } = message ?? {};
    const params = isObject(message?.params) ? message.params : {};
    if (method === '$/cancel_request') {
      const running = this.#running.get(JSON.stringify(params.requestId));
      if (running !== undefined) return running.controller.abort();
    }
    if (method !== 'session/request_permission' && method !== 'elicitation/create') {
      return this.#ports.toEditor(line);
    }
    if (id === undefined) return;
    void this.#answer(id, method, params);
  }

  async #answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    const key = JSON.stringify(id);
    this.#running.set(key, { sessionId: params.sessionId, controller });
    try {
      const { signal } = controller;
      const result =
        method === 'session/request_permission'
          ? await this.#handlers.requestPermission({ params: permissionOf(params), signal })
          : await this.#handlers.createElicitation({
              params: params as unknown as ElicitationRequest,
              signal,
            });
      this.#ports.toAgent(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (cause) {
      this.#refuse(id, -32_602, cause instanceof Error ? cause.message : 'Invalid parameters');
    } finally {
      this.#running.delete(key);
    }
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#ports.toAgent(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  #abort(isMeant: (one: Running) => boolean): void {
    for (const one of this.#running.values()) if (isMeant(one)) one.controller.abort();
  }
}

/** Throws if the request lacks what a decision is about. */
function permissionOf(params: JsonObject): PermissionRequest {
  const { sessionId, toolCall, options } = params;
  const isWhole =
    isText(sessionId) &&
    isObject(toolCall) &&
    isText(toolCall.toolCallId) &&
    Array.isArray(options) &&
    options.every(
      (option) =>
        isObject(option) && isText(option.optionId) && isText(option.name) && isText(option.kind),
    );
  if (!isWhole) throw new TypeError('The permission request is not one of ACP version 1');
  return params as unknown as PermissionRequest;
}

function withElicitation(message: JsonObject): string {
  const params = isObject(message.params) ? message.params : {};
  const capabilities = isObject(params.clientCapabilities) ? params.clientCapabilities : {};
  const elicitation = { form: {}, url: {} };
  return JSON.stringify({
    ...message,
    params: { ...params, clientCapabilities: { ...capabilities, elicitation } },
  });
}

function parsedObject(line: string): JsonObject | undefined {
  const value = parsed(line);
  return isObject(value) ? value : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
