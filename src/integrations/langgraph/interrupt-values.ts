/**
 * The values of interrupts in LangGraph, written out because `langchain` is no dependency: the reviews of
 * `humanInTheLoopMiddleware`, the requests of Agent Inbox, and questions.
 */
import { isObject, isText } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/types.ts';

export interface ActionToReview {
  readonly name: string;
  readonly args: JsonObject;
  readonly description: string | undefined;
  readonly allowed: readonly string[];
  readonly argsSchema: JsonObject | undefined;
}

export interface InboxRequest {
  readonly action_request: { readonly action: string; readonly args: JsonObject };
  readonly config: Readonly<
    Partial<Record<'allow_accept' | 'allow_edit' | 'allow_respond' | 'allow_ignore', boolean>>
  >;
  readonly description?: string;
}

/** Undefined if the value is no review of actions. */
export function readReview(value: unknown): ActionToReview[] | undefined {
  if (!isObject(value)) return undefined;
  const { actionRequests: actions, reviewConfigs: configs } = value;
  if (!Array.isArray(actions) || !Array.isArray(configs) || actions.length === 0) return undefined;
  const read = actions.map((action: unknown) => {
    if (!isObject(action) || !isText(action.name) || !isObject(action.args)) return undefined;
    const config: unknown = configs.find((one) => isObject(one) && one.actionName === action.name);
    const allowed = isObject(config) ? config.allowedDecisions : undefined;
    const schema = isObject(config) ? config.argsSchema : undefined;
    return {
      name: action.name,
      args: action.args,
      description: isText(action.description) ? action.description : undefined,
      allowed: Array.isArray(allowed) ? allowed.filter(isText) : [],
      argsSchema: isObject(schema) ? schema : undefined,
    };
  });
  return read.every((action) => action !== undefined) ? read : undefined;
}

/** Undefined if the value is no request of Agent Inbox, nor a list of them. */
export function readInbox(value: unknown): readonly InboxRequest[] | undefined {
  const requests: readonly unknown[] = Array.isArray(value) ? value : [value];
  return requests.length > 0 && requests.every(isInboxRequest) ? requests : undefined;
}

function isInboxRequest(value: unknown): value is InboxRequest {
  if (!isObject(value) || !isObject(value.action_request) || !isObject(value.config)) return false;
  const { action, args } = value.action_request;
  return isText(action) && isObject(args);
}

/** The text of any other value: itself, its `question`, or all of it as JSON. */
export function textOfValue(value: unknown): string {
  if (isText(value)) return value;
  if (isObject(value) && isText(value.question) && Object.keys(value).length === 1) {
    return value.question;
  }
  return JSON.stringify(value, null, 2) ?? 'The graph waits for an answer.';
}
