/**
 * `holdpoint/langgraph`: interrupts of LangGraph are answered by people.
 *
 * ```ts
 * let result = await graph.invoke(input, config);
 * for (let resume; (resume = await answerInterrupts(holdpoint, result)); )
 *   result = await graph.invoke(new Command({ resume }), config);
 * ```
 *
 * Over 60 lines, because one interrupt has three conventions: reviews of `humanInTheLoopMiddleware`, requests of Agent
 * Inbox, and questions in any form. A value that a graph would take for an answer is never made up: if no person gave one and
 * the convention cannot express that, the call throws and the graph stays interrupted.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { type ApprovalOutcome, choicesByText } from '../../client/agent/outcomes.ts';
import {
  ASK_HUMAN,
  ASK_HUMAN_DESCRIPTION,
  askHumanParameters,
  readAskHuman,
} from '../ask-human.ts';
import { shownText } from '../claude/claude-sdk.ts';
import {
  type BridgeOptions,
  type NotAsked,
  optionsOfCall,
  orNotAsked,
  type Refused,
} from '../fail-closed.ts';
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';

export type { BridgeOptions } from '../fail-closed.ts';

/** The part of a state of a graph that the bridge reads. */
export interface Interrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
}

/** No person answered, and the interrupt has no value for that: the graph stays interrupted. */
export class NotAnswered extends Error {
  readonly outcome: Refused['outcome'];
  constructor({ outcome, message }: Refused, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotAnswered';
    this.outcome = outcome;
  }
}

/** The value of `resume` for all interrupts of the result, by their ids; undefined if the graph was not interrupted. */
export async function answerInterrupts(
  holdpoint: Holdpoint,
  result: object,
  options: BridgeOptions = {},
): Promise<Record<string, unknown> | undefined> {
  const interrupts = interruptsOf(result);
  if (interrupts.length === 0) return undefined;
  const answers = interrupts.map(async ({ id = '', value }): Promise<[string, unknown]> => {
    const times = timesAnswered(holdpoint, `${id} ${JSON.stringify(value)}`);
    const callId = times.before === 0 || id === '' ? id : `${id}.again-${times.before}`;
    const answer = await new Answering(holdpoint, callId, options).answer(value);
    times.count();
    return [id, answer];
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** `humanInTheLoopMiddleware` goes back to the model with the denial, and runs none of the other calls. */
const TOGETHER =
  'Decided together with the other calls of this message: one denial stops all of them.';

function joinDescriptions(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}\n\n${other}`;
}

const KEPT_ANSWERS = 1_000;
const answered = new WeakMap<Holdpoint, Map<string, number>>();

/**
 * Interrupts of one node have the same id, also when the node asks again because it did not like the answer. Without this
 * count the second question would find the first answer, and the graph would go round without end.
 */
function timesAnswered(holdpoint: Holdpoint, key: string) {
  const counts = answered.get(holdpoint) ?? new Map<string, number>();
  answered.set(holdpoint, counts);
  const before = counts.get(key) ?? 0;
  return {
    before,
    count() {
      counts.delete(key);
      counts.set(key, before + 1);
      const [oldest] = counts.keys();
      if (counts.size > KEPT_ANSWERS && oldest !== undefined) counts.delete(oldest);
    },
  };
}

function interruptsOf(result: object): readonly Interrupt[] {
  const found: unknown = Reflect.get(result, '__interrupt__');
  return Array.isArray(found) ? (found as readonly Interrupt[]) : [];
}

class Answering {
  readonly #holdpoint: Holdpoint;
  readonly #id: string;
  readonly #options: BridgeOptions;

  constructor(holdpoint: Holdpoint, id: string, options: BridgeOptions) {
    this.#holdpoint = holdpoint;
    this.#id = id;
    this.#options = options;
  }

  async answer(value: unknown): Promise<unknown> {
    const review = readReview(value);
    if (review !== undefined) {
      const together = review.length === 1 ? undefined : TOGETHER;
      const described = review.map((one) => ({
        ...one,
        description: joinDescriptions(one.description, together),
      }));
      return { decisions: await Promise.all(described.map((one, at) => this.#review(one, at))) };
    }
    const inbox = readInbox(value);
    if (inbox !== undefined) return Promise.all(inbox.map((one, at) => this.#inbox(one, at)));
    const questions = readAskHuman(value);
    if (questions === undefined) return this.#text(textOfValue(value), 0);
    const outcome = await orNotAsked(() => this.#holdpoint.ask(questions, this.#how(0)));
    if (outcome.outcome !== 'answered') throw notAnswered(outcome);
    return choicesByText(questions, outcome.answers);
  }

  async #review(action: ActionToReview, at: number) {
    const { name, args, allowed, argsSchema } = action;
    const outcome = await this.#approve(name, args, at, {
      allowEdit: allowed.includes('edit'),
      ...(argsSchema !== undefined && { inputSchema: argsSchema }),
      ...described(action.description),
    });
    if (outcome.outcome !== 'approved') {
      if (!allowed.includes('reject')) throw notAnswered(outcome);
      return { type: 'reject', message: outcome.message };
    }
    if (outcome.isEdited)
      return { type: 'edit', editedAction: { name, args: outcome.updatedInput } };
    if (allowed.includes('approve')) return { type: 'approve' };
    return { type: 'reject', message: 'The graph does not allow this to be approved as it is.' };
  }

  async #inbox(
    { action_request: { action, args }, config, description }: InboxRequest,
    at: number,
  ) {
    const { allow_accept, allow_edit, allow_respond, allow_ignore } = config;
    if (allow_respond === true && allow_accept !== true && allow_edit !== true) {
      const text = description ?? textOfValue(args);
      return { type: 'response', args: await this.#text(text, at) };
    }
    const outcome = await this.#approve(action, args, at, {
      allowEdit: allow_edit === true,
      ...described(description),
    });
    if (outcome.outcome === 'approved') {
      if (outcome.isEdited) return { type: 'edit', args: { action, args: outcome.updatedInput } };
      if (allow_accept === true) return { type: 'accept', args: null };
    }
    const message = 'message' in outcome ? outcome.message : 'This was not accepted as it is.';
    const hasReason = outcome.outcome === 'denied' && outcome.reason !== undefined;
    if (allow_ignore === true && !(hasReason && allow_respond === true)) {
      return { type: 'ignore', args: null };
    }
    if (allow_respond === true) return { type: 'response', args: message };
    throw outcome.outcome === 'approved' ? new Error(message) : notAnswered(outcome);
  }

  #approve(
    toolName: string,
    input: JsonObject,
    at: number,
    more: { allowEdit: boolean; inputSchema?: JsonObject; description?: string },
  ): Promise<ApprovalOutcome | NotAsked> {
    return orNotAsked(() => this.#holdpoint.approve({ toolName, input, ...more }, this.#how(at)));
  }

  /** A form with one field, because the person answers in their own words. */
  async #text(text: string, at: number): Promise<unknown> {
    const schema = {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', minLength: 1 } },
      required: ['answer'],
    };
    const outcome = await orNotAsked(() =>
      this.#holdpoint.form({ description: shownText(text), schema }, this.#how(at)),
    );
    if (outcome.outcome !== 'answered') throw notAnswered(outcome);
    return outcome.values.answer;
  }

  /** Several requests in one interrupt are several questions. */
  #how(at: number) {
    return optionsOfCall(
      at === 0 || this.#id === '' ? this.#id : `${this.#id}.${at}`,
      this.#options,
    );
  }
}

function described(description: string | undefined) {
  return description === undefined ? {} : { description: shownText(description) };
}

function notAnswered(outcome: Refused): NotAnswered {
  return new NotAnswered(outcome, 'cause' in outcome ? { cause: outcome.cause } : undefined);
}

/** Name, description and schema of a `tool` whose function interrupts with its input. */
export function askHumanFields() {
  return { name: ASK_HUMAN, description: ASK_HUMAN_DESCRIPTION, schema: askHumanParameters() };
}

/**
 * The values of interrupts in LangGraph, written out because `langchain` is no dependency: the reviews of
 * `humanInTheLoopMiddleware`, the requests of Agent Inbox, and questions.
 */
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
