/**
 * One execution of a task of A2A that asks people.
 *
 * 1. While a person is asked the task is `INPUT_REQUIRED` with the request in its message, and `execute` stays pending. The SDK
 *    ends every request and stream there, and saves nothing that follows, so the outcome comes as a message to its own
 *    handler: what the agent publishes after it is saved, streamed and pushed like the rest.
 * 2. A task that has ended, or that cannot be loaded, takes no message; then the call rejects, and nothing runs.
 * 3. Messages of clients that come during the execution are answers to the request, or are refused with a text. They never
 *    reach the executor, which would begin the work a second time.
 * 4. The message of a status holds one request, so the requests of a task are asked one after the other.
 *
 * Over 300 lines, because each of these depends on the same few facts: what is shown, what listens, and what was cancelled.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import { abortedError } from '../../client/errors.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Transport } from '../../client/transport.ts';
import { utcTime } from '../../client/utc-time.ts';
import type { Interaction } from '../../protocol/types.ts';
import { type BridgeOptions, optionsOfCall } from '../fail-closed.ts';
import {
  type A2aBus,
  type A2aEvent,
  type A2aHandler,
  type A2aMessage,
  type A2aPart,
  type A2aRequest,
  type A2aStatus,
  isLast,
  ROLE,
  STATE,
  a2aStatusOf,
} from './a2a-types.ts';
import { answerRequest } from './client-answer.ts';
import {
  type AskedOutcome,
  readClientReply,
  readRequestPart,
  requestParts,
  textPart,
  wordsOfOutcome,
} from './message-parts.ts';

export interface A2aOptions<Request> extends BridgeOptions {
  /** The request handler that runs this executor. */
  readonly handler: () => A2aHandler;
  /**
   * The credential with which the sender of a message answers: with `read` and `answer`, for words also `send`, and never that of
   * the agent. Undefined for a sender who may not. Default: clients answer nothing here.
   */
  readonly answers?: ((request: Request) => Transport | undefined) | undefined;
  /** The address of the chat in which people answer, for the request and for refusals. */
  readonly page?: string | undefined;
}

interface TaskOptions<Request> extends A2aOptions<Request> {
  readonly bus: A2aBus;
  /** The message that began the execution. */
  readonly request: Request;
}

interface QuestionShown {
  readonly sessionId: string;
  record: Interaction;
}

export class AskedTask<Request extends A2aRequest> {
  readonly #holdpoint: Holdpoint;
  readonly #options: TaskOptions<Request>;
  readonly #how: BridgeOptions;
  readonly #cancelling = new AbortController();
  /** Ends what was cancelled only after the task has its last status. */
  #cancelled: Promise<void> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #asking: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;
  #shown: QuestionShown | undefined;
  /** The ids of the requests that this task has shown, as far as the bridge itself knows them. */
  readonly #asked = new Set<string>();
  /** The same in the history, to which clients write. */
  readonly #inHistory: readonly string[];
  #status: A2aStatus | undefined;
  /** The requests of the SDK that save and pass on what is published. */
  #listeners = 0;
  /** Messages of this task to its own handler, until they have come. */
  readonly #sent = new Map<string, () => void>();
  /** Why the answer that began this execution did not count. */
  #refusal: string | undefined;

  constructor(holdpoint: Holdpoint, options: TaskOptions<Request>) {
    this.#holdpoint = holdpoint;
    this.#options = options;
    const { handler: _handler, answers: _answers, page: _page, bus: _bus, ...rest } = options;
    const { request, ...how } = rest;
    this.#how = how;
    const { status, history = [] } = request.task ?? {};
    this.#status = status;
    this.#inHistory = history.flatMap((message) => readRequestPart(message)?.interactionId ?? []);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  async run(execute: () => Promise<void>): Promise<void> {
    const { bus } = this.#options;
    let end = () => {};
    this.#running = new Promise((resolve) => (end = resolve));
    this.#listeners = 1;
    const listen = (event: A2aEvent) => this.#listen(event);
    bus.on('event', listen);
    try {
      await this.#answerLeftBehind();
      await execute();
    } finally {
      bus.off('event', listen);
      // What the executor did not wait for must not stay open.
      this.#cancelling.abort(new Error('The task has ended'));
      this.#running = undefined;
      end();
    }
  }

  /** A message that came during the execution. It ends with the execution, because the SDK closes the bus with it. */
  async receive(request: Request): Promise<void> {
    this.#listeners += 1;
    const ended = this.#running;
    const arrive = this.#sent.get(request.userMessage.messageId);
    if (arrive === undefined) await this.#reply(request);
    else arrive();
    await ended;
  }

  async ask<Result extends AskedOutcome>(
    asking: (how: AskOptions) => Promise<Result>,
    how?: AskOptions,
  ): Promise<Result> {
    const asked = this.#turn.then(() => this.#ask(asking, how));
    this.#turn = asked.catch(() => undefined);
    return asked;
  }

  /** The request is taken back before the task has its last status, and the agent continues after it. */
  async cancel(end: () => Promise<void>): Promise<void> {
    let release = () => {};
    this.#cancelled = new Promise((resolve) => (release = resolve));
    this.#cancelling.abort(new Error('The task was cancelled'));
    try {
      await this.#asking;
      await end();
    } finally {
      release();
    }
  }

  publish(state: number, parts: readonly A2aPart[]): void {
    const { taskId, contextId } = this.#options.request;
    const message = parts.length === 0 ? undefined : this.#message(ROLE.agent, parts);
    const status = { state, message, timestamp: utcTime() };
    const data = { taskId, contextId, status, metadata: undefined };
    this.#options.bus.publish({ kind: 'statusUpdate', data });
  }

  async #ask<Result extends AskedOutcome>(
    asking: (how: AskOptions) => Promise<Result>,
    { signal, onOpened, toolCallId, ...how }: AskOptions = {},
  ): Promise<Result> {
    const cancelling = this.#cancelling;
    const signals = [cancelling.signal, signal, this.#how.signal];
    let showing = Promise.resolve();
    const result = asking({
      ...optionsOfCall(this.#callIdOf(toolCallId), this.#how),
      ...how,
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
      onOpened: (record) => {
        (onOpened ?? this.#how.onOpened)?.(record);
        showing = this.#show(record);
        // What no client can be shown must not stay open.
        showing.catch((cause: unknown) => cancelling.abort(cause));
      },
    });
    this.#asking = result.then(
      () => undefined,
      () => undefined,
    );
    await this.#asking;
    if (cancelling.signal.aborted) await this.#cancelled;
    else await showing.then(() => this.#goOn(result));
    if (cancelling.signal.aborted) throw abortedError(cancelling.signal.reason);
    return result;
  }

  async #show(record: Interaction): Promise<void> {
    const sessionId = await this.#holdpoint.session();
    await this.#attach('The request was asked anew.');
    this.#shown = { sessionId, record };
    this.#asked.add(record.interactionId);
    this.#publishRequest(this.#refusal);
    this.#refusal = undefined;
  }

  async #goOn(result: Promise<AskedOutcome>): Promise<void> {
    if (this.#shown === undefined) return;
    const words = await result.then(wordsOfOutcome, () => 'The agent no longer waits for this.');
    try {
      await this.#attach(words);
    } finally {
      this.#shown = undefined;
    }
    if (!this.#cancelling.signal.aborted) this.publish(STATE.working, [textPart(words)]);
  }

  /** Until something listens, what is published is lost. */
  async #attach(text: string): Promise<void> {
    if (this.#listeners > 0) return;
    const { handler, request } = this.#options;
    const message = this.#message(ROLE.user, [textPart(text)]);
    const arrived = new Promise<void>((resolve) => this.#sent.set(message.messageId, resolve));
    const configuration = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: true,
    };
    const params = { tenant: '', message, configuration, metadata: undefined };
    const sent = handler().sendMessage(params, request.context);
    try {
      // After the arrival the SDK itself reports what fails.
      await Promise.race([arrived, sent]);
    } finally {
      this.#sent.delete(message.messageId);
      sent.catch(() => undefined);
    }
  }

  /** A refusal must not throw: the SDK would end the task of the other client as failed. */
  async #reply(request: Request): Promise<void> {
    const shown = this.#shown;
    // A stream of the SDK begins with its task, and breaks if another follows.
    if (shown !== undefined && request.task !== undefined && this.#listeners === 1) {
      const data = { ...request.task, status: this.#status };
      this.#options.bus.publish({ kind: 'task', data });
    }
    const refusal = await this.#answer(request, shown && { ...shown, ...shown.record });
    if (refusal === undefined || this.#running === undefined) return;
    if (this.#shown !== undefined && this.#shown.record.status === 'open')
      this.#publishRequest(refusal);
    else this.publish(STATE.working, [textPart(refusal)]);
  }

  async #answerLeftBehind(): Promise<void> {
    const { request } = this.#options;
    const left = readRequestPart(request.task?.status?.message);
    const { interactionId } = readClientReply(request.userMessage);
    if (left === undefined) return;
    this.#asked.add(left.interactionId);
    if (left.interactionId !== interactionId) return;
    this.#refusal = await this.#answer(request, left);
  }

  /** Undefined if the answer counted, and the request is over by it. */
  async #answer(
    request: Request,
    shown: Parameters<typeof answerRequest>[1],
  ): Promise<string | undefined> {
    const { answers, page } = this.#options;
    const read = (sessionId: string, id: string) =>
      this.#holdpoint.transport.interaction(sessionId, id);
    const isOnly = new Set([...this.#inHistory, ...this.#asked]).size <= 1;
    const result = await answerRequest(readClientReply(request.userMessage), shown, {
      answers: () => answers?.(request),
      page,
      wasShown: (id) => this.#asked.has(id),
      isPlain: isOnly && this.#shown?.record.wholeInput === undefined,
      session: () => this.#holdpoint.session(),
      read,
    });
    if (typeof result === 'string') return result;
    if (this.#shown?.record.interactionId === result.interactionId) this.#shown.record = result;
    return result.status === 'open' ? 'The answer counts, and more is asked.' : undefined;
  }

  #publishRequest(refusal: string | undefined): void {
    if (this.#shown === undefined) return;
    const { sessionId, record } = this.#shown;
    const before = refusal === undefined ? [] : [textPart(refusal)];
    const parts = requestParts(sessionId, record, this.#options.page);
    this.publish(STATE.inputRequired, [...before, ...parts]);
  }

  #listen(event: A2aEvent): void {
    if (isLast(event)) this.#listeners = 0;
    if (event.kind === 'task' || event.kind === 'statusUpdate')
      this.#status = a2aStatusOf(event.data);
  }

  /** Ids of two tasks in one session may be the same. Without one every call is a new request, also of a repeated message. */
  #callIdOf(toolCallId: string | undefined): string {
    if (toolCallId === undefined || toolCallId === '') return '';
    return `${this.#options.request.taskId}:${toolCallId}`;
  }

  #message(role: number, parts: readonly A2aPart[]): A2aMessage {
    const { taskId, contextId } = this.#options.request;
    const ids = { messageId: freshKey(), contextId, taskId };
    return { ...ids, role, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
  }
}
