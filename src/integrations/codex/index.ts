/**
 * `holdpoint/codex`: the server requests of `codex app-server` are answered by people.
 *
 * ```ts
 * const people = codexPeople(connect());
 * // for each message of the app-server:
 * people(message).then((reply) => reply && send(reply));
 * ```
 *
 * Codex names four decisions, which a person chooses among; its approvals cannot carry an edit, so none is offered. Over 60
 * lines, because five methods ask in five forms, and a file change is described by an earlier notification.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import type { ApprovalOutcome } from '../../client/agent/outcomes.ts';
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { shownText } from '../claude/claude-sdk.ts';
import {
  actionOf,
  type BridgeOptions,
  type NotAsked,
  optionsOfCall,
  orNotAsked,
} from '../fail-closed.ts';
import type { Question } from '../../client/agent/requests.ts';

export type { BridgeOptions } from '../fail-closed.ts';

/** A reply to the app-server, to be written as one line. */
export interface CodexReply {
  readonly id: string | number;
  readonly result: object;
}

type CodexOutcome = ApprovalOutcome | NotAsked;
type CodexDecision = 'accept' | 'acceptForSession' | 'decline' | 'cancel';

const CHOICES = [
  { id: 'accept', label: 'Allow', decision: 'approve', tone: 'primary' },
  {
    id: 'acceptForSession',
    label: 'Allow for this Codex session',
    decision: 'approve',
    tone: 'neutral',
  },
  { id: 'decline', label: 'Deny', decision: 'deny', tone: 'neutral' },
  { id: 'cancel', label: 'Deny and stop the turn', decision: 'deny', tone: 'danger', stop: true },
] as const;

/** What names a request, and not what it is about. */
const NAMES: ReadonlySet<string> = new Set([
  'threadId',
  'turnId',
  'itemId',
  'approvalId',
  'startedAtMs',
  'reason',
  // What Codex would remember or offer; nothing of it runs.
  'commandActions',
  'availableDecisions',
  'proposedExecpolicyAmendment',
  'proposedNetworkPolicyAmendments',
]);

/**
 * Takes every message of the app-server, also notifications: one of them has the changes that a request asks about. Resolves
 * with undefined for a message that asks no person.
 */
export function codexPeople(
  holdpoint: Holdpoint,
  options: BridgeOptions = {},
): (message: unknown) => Promise<CodexReply | undefined> {
  const people = new CodexPeople(holdpoint, options);
  return (message) => people.take(message);
}

class CodexPeople {
  readonly #holdpoint: Holdpoint;
  readonly #options: BridgeOptions;
  /** The changes of items that run, by thread and item. */
  readonly #changes = new Map<string, JsonObject>();
  /** Requests that wait for a person, and the items that they are about. */
  readonly #waiting = new Map<unknown, { readonly item: string; readonly over: AbortController }>();

  constructor(holdpoint: Holdpoint, options: BridgeOptions) {
    this.#holdpoint = holdpoint;
    this.#options = options;
  }

  async take(message: unknown): Promise<CodexReply | undefined> {
    if (!isObject(message) || !isText(message.method)) return undefined;
    const { id, method } = message;
    const params = isObject(message.params) ? message.params : {};
    if (isText(id) || typeof id === 'number') return this.#reply(id, method, params);
    this.#note(method, params);
    return undefined;
  }

  #note(method: string, params: JsonObject): void {
    const { item, requestId, changes } = params;
    if (method === 'serverRequest/resolved') this.#waiting.get(requestId)?.over.abort();
    if (method === 'item/fileChange/patchUpdated') {
      const updated = idOf(params);
      this.#changes.set(updated, { changes: changes ?? [] });
      // What a person looks at is no longer what would be written.
      for (const { item, over } of this.#waiting.values()) if (item === updated) over.abort();
    }
    if (!isObject(item) || item.type !== 'fileChange') return;
    const key = idOf({ ...params, itemId: item.id ?? '' });
    if (method === 'item/started') this.#changes.set(key, { changes: item.changes ?? [] });
    if (method === 'item/completed') this.#changes.delete(key);
  }

  async #reply(
    id: string | number,
    method: string,
    params: JsonObject,
  ): Promise<CodexReply | undefined> {
    const over = new AbortController();
    this.#waiting.set(id, { item: idOf(params), over });
    try {
      const { signal = over.signal } = this.#options;
      const either = AbortSignal.any([signal, over.signal]);
      const result = await this.#answer(method, params, { ...this.#options, signal: either });
      return result && { id, result };
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #answer(
    method: string,
    params: JsonObject,
    options: BridgeOptions,
  ): Promise<object | undefined> {
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return { decision: decisionOf(await this.#approve('command', params, params, options)) };
      case 'item/fileChange/requestApproval': {
        const changes = this.#changes.get(idOf(params));
        // A change that the person could not see is not allowed by them.
        if (changes === undefined) return { decision: 'decline' };
        const input = { ...params, ...changes };
        return { decision: decisionOf(await this.#approve('file_change', params, input, options)) };
      }
      case 'item/permissions/requestApproval': {
        const decision = decisionOf(await this.#approve('permissions', params, params, options));
        const isGranted = decision === 'accept' || decision === 'acceptForSession';
        const scope = decision === 'acceptForSession' ? 'session' : 'turn';
        return { permissions: isGranted ? withoutNullFields(params.permissions) : {}, scope };
      }
      case 'item/tool/requestUserInput':
        return this.#ask(params, options);
      case 'mcpServer/elicitation/request':
        return this.#elicit(params, options);
      default:
        return undefined;
    }
  }

  #approve(
    toolName: string,
    params: JsonObject,
    input: JsonObject,
    options: BridgeOptions,
  ): Promise<CodexOutcome> {
    const { reason } = params;
    const call = {
      toolName,
      input: Object.fromEntries(
        Object.entries(input).filter(([name, value]) => !NAMES.has(name) && value !== null),
      ),
      ...(isText(reason) && { description: shownText(reason) }),
      choices: CHOICES,
    };
    return orNotAsked(() => this.#holdpoint.approve(call, optionsOfCall(idOf(params), options)));
  }

  async #ask(params: JsonObject, options: BridgeOptions): Promise<object> {
    const asked = readUserInput(params.questions);
    if (asked === undefined) return { answers: {} };
    const outcome = await orNotAsked(() =>
      this.#holdpoint.ask(asked.questions, optionsOfCall(idOf(params), options)),
    );
    // Without an answer Codex gets none, which it tells its model.
    if (outcome.outcome !== 'answered') return { answers: {} };
    const answers = asked.ids.map((id, index) => {
      const answer = outcome.answers[String(index)] ?? [];
      return [id, { answers: typeof answer === 'string' ? [answer] : answer }] as const;
    });
    return { answers: Object.fromEntries(answers) };
  }

  async #elicit(
    { mode, message, requestedSchema, serverName, url, elicitationId }: JsonObject,
    options: BridgeOptions,
  ): Promise<object> {
    const nothing = { content: null, _meta: null };
    if (mode === 'url' && isText(url)) {
      const id = isText(elicitationId) ? elicitationId : '';
      const link = {
        url,
        message: shownText(isText(message) ? message : url),
        ...(id !== '' && { elicitationId: id }),
      };
      const opened = await orNotAsked(() => this.#holdpoint.link(link, optionsOfCall(id, options)));
      return { action: actionOf(opened), ...nothing };
    }
    if (mode !== 'form' || !isObject(requestedSchema)) return { action: 'cancel', ...nothing };
    const form = {
      schema: requestedSchema,
      ...(isText(message) && { description: shownText(message) }),
      ...(isText(serverName) && { title: shownText(serverName, LIMITS.formTitleChars) }),
    };
    const outcome = await orNotAsked(() => this.#holdpoint.form(form, optionsOfCall('', options)));
    const action = actionOf(outcome);
    if (outcome.outcome !== 'answered') return { action, ...nothing };
    return { action, content: outcome.values, _meta: null };
  }
}

function decisionOf(outcome: CodexOutcome): CodexDecision {
  if (outcome.outcome === 'approved') {
    return outcome.choice === 'acceptForSession' ? 'acceptForSession' : 'accept';
  }
  const isStop = outcome.outcome === 'denied' && outcome.stop === true;
  return isStop || outcome.outcome === 'cancelled' ? 'cancel' : 'decline';
}

/** Several requests may be about one item; then each has an id of its own. */
function idOf({ threadId, itemId, approvalId }: JsonObject): string {
  return [threadId, itemId, approvalId].filter(isText).join(':');
}

function withoutNullFields(permissions: unknown): object {
  if (!isObject(permissions)) return {};
  return Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== null));
}

export interface UserInput {
  /** Of Codex, in the order of the questions. */
  readonly ids: readonly string[];
  readonly questions: readonly Question[];
}

/** Undefined if they are no questions, too many for one card, or ask for a secret, which every reader of the log would see. */
export function readUserInput(questions: unknown): UserInput | undefined {
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  if (questions.length > LIMITS.questions) return undefined;
  const read = questions.map(readQuestion);
  if (!read.every((one) => one !== undefined)) return undefined;
  return { ids: read.map(({ id }) => id), questions: read.map(({ question }) => question) };
}

function readQuestion(value: unknown): { id: string; question: Question } | undefined {
  if (!isObject(value) || value.isSecret === true) return undefined;
  const { id, header, question, options } = value;
  if (!isText(id) || !isText(question)) return undefined;
  const choices = Array.isArray(options) ? options.filter(isObject).flatMap(readOption) : [];
  return {
    id,
    question: {
      question: shownText(question, LIMITS.questionChars),
      ...(isText(header) &&
        header.trim() !== '' && { header: shownText(header, LIMITS.questionHeaderChars) }),
      ...(choices.length > 0 && { options: choices }),
    },
  };
}

function readOption({ label, description }: JsonObject) {
  if (!isText(label)) return [];
  return [
    {
      label: shownText(label, LIMITS.optionLabelChars),
      ...(isText(description) && {
        description: shownText(description, LIMITS.optionDescriptionChars),
      }),
    },
  ];
}
