/**
 * Sessions of a Holdpoint server: requests over fetch, and sessions followed through WebSockets, or
 * through server-sent events where those do not get through. It is long because the interface is: a
 * method for each thing, and in each no more than its route.
 *
 * ```ts
 * const transport = new HttpTransport({ url: 'https://holdpoint.example', token });
 * const { id } = await transport.createSession({ title: 'Deploy' });
 * ```
 */
import type { ReadFrame, Stream } from './connection/state.ts';
import { Driver, type DriverOptions } from './connection/driver.ts';
import { readFrame } from './connection/frames.ts';
import { at, Calls, part } from './requests/http-calls.ts';
import type { Reply } from './requests/request.ts';
import type { InboxStream } from './connection/inbox-frames.ts';
import type {
  InboxSubscriber,
  InboxSubscription,
  Subscriber,
  Subscription,
} from './subscription.ts';
import {
  type BatchAnswer,
  resolveDecision,
  resolveRouted,
  resolveSettled,
  resolveSubmission,
} from './requests/late-answer.ts';
import { messageStream } from './message-stream/message-stream.ts';
import type { Timing } from './backoff.ts';
import { closedError } from './errors.ts';
import { type SocketClass, openWebSocketLink } from './connection/websocket-link.ts';
import { type Token, TokenSource } from './token-source.ts';
import type {
  AnswersByIndex,
  BatchDecision,
  BatchResult,
  WriteOptions,
  MessageStream,
  Opened,
  RequestOptions,
  PlanDecision,
  Routed,
  Settled,
  Shown,
  ToolResult,
  Transport,
} from './transport.ts';
import type {
  AppendedEvent,
  FileEntry,
  InboxPage,
  Interaction,
  InteractionRequest,
  JsonObject,
  PageOptions,
  PermissionMode,
  Rule,
  SessionChanges,
  SessionFile,
  SessionInput,
  SessionsPage,
  SessionView,
  Snapshot,
} from '../protocol/types.ts';
import { thisEnvironment, type Environment } from './environment.ts';

export interface HttpTransportOptions {
  /** Where the server is, without `/v1`; in a browser it may be relative to the page. */
  readonly url: string;
  readonly token: Token;
  readonly fetch?: typeof globalThis.fetch;
  /** Default: the one there is. False follows sessions through server-sent events alone. */
  readonly WebSocket?: SocketClass | false;
  /** What a subscriber threw. Default: `reportError` where there is one, as browsers have it. */
  readonly onError?: (cause: unknown) => void;
  readonly pace?: Timing;
  /** Closes the transport when it is aborted. */
  readonly signal?: AbortSignal;
  /** For tests: clock, chance, and a page that is hidden or offline. */
  readonly world?: Environment;
}

/** What a subscription follows: where it is said, and in which words. */
interface Followed<Carried extends Stream> {
  readonly socket: (after: number) => string;
  readonly stream: string;
  readonly read: () => ReadFrame<Carried> | Promise<ReadFrame<Carried>>;
}

interface Around {
  readonly location?: { readonly href: string };
  readonly WebSocket?: SocketClass;
  readonly reportError?: (cause: unknown) => void;
}

type Short = Promise<{ readonly ok: true }>;

export class HttpTransport implements Transport {
  readonly #calls: Calls;
  readonly #tokens: TokenSource;
  readonly #world: Environment;
  readonly #options: HttpTransportOptions;
  readonly #base: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #Socket: SocketClass | false;
  readonly #subscriptions = new Set<{ close(): void }>();
  readonly #end = new AbortController();

  constructor(options: HttpTransportOptions) {
    const around = globalThis as unknown as Around;
    const base = new URL(options.url, around.location?.href).href.replace(/\/+$/, '');
    // Called as a method of anything else, a browser's fetch refuses.
    const fetch = options.fetch ?? ((...ask) => globalThis.fetch(...ask));
    this.#base = base;
    this.#fetch = fetch;
    this.#Socket = options.WebSocket ?? around.WebSocket ?? false;
    this.#options = options;
    this.#world = options.world ?? thisEnvironment();
    this.#tokens = new TokenSource(options.token);
    this.#calls = new Calls({
      base,
      fetch,
      tokens: this.#tokens,
      chance: () => this.#world.chance(),
      closing: this.#end.signal,
    });
    options.signal?.addEventListener('abort', () => this.close(), { signal: this.#end.signal });
  }

  async createSession(input: SessionInput = {}, how?: WriteOptions): Promise<SessionView> {
    return part(await this.#calls.post('/v1/sessions', input, how), 'session');
  }

  async sessions({ limit, cursor }: PageOptions = {}): Promise<SessionsPage> {
    const answer = await this.#calls.get('/v1/sessions', { limit, before: cursor });
    part(answer, 'sessions');
    return answer.body as unknown as SessionsPage;
  }

  async snapshot(sessionId: string, how?: RequestOptions): Promise<Snapshot> {
    const answer = await this.#calls.get(at(sessionId), {}, how);
    part(answer, 'session');
    return answer.body as unknown as Snapshot;
  }

  async updateSession(sessionId: string, changes: SessionChanges): Promise<SessionView> {
    return part(await this.#calls.change('PATCH', at(sessionId), changes), 'session');
  }

  async rename(sessionId: string, title: string): Promise<SessionView> {
    return this.updateSession(sessionId, { title });
  }

  async setMode(sessionId: string, permissionMode: PermissionMode): Promise<SessionView> {
    return this.updateSession(sessionId, { permissionMode });
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#calls.change('DELETE', at(sessionId));
  }

  async clear(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }> {
    return cancelledBy(await this.#calls.post(at(sessionId, 'clear'), undefined, how));
  }

  async interrupt(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }> {
    return cancelledBy(await this.#calls.post(at(sessionId, 'interrupt'), undefined, how));
  }

  async rules(sessionId: string): Promise<readonly Rule[]> {
    return part(await this.#calls.get(at(sessionId, 'rules')), 'rules');
  }

  async revokeRule(sessionId: string, ruleId: string): Promise<void> {
    await this.#calls.change('DELETE', at(sessionId, 'rules', ruleId));
  }

  async files(sessionId: string): Promise<readonly FileEntry[]> {
    return part(await this.#calls.get(at(sessionId, 'files')), 'files');
  }

  async file(sessionId: string, path: string): Promise<SessionFile> {
    return part(await this.#calls.get(at(sessionId, 'files'), { path }), 'file');
  }

  async retry(sessionId: string, how?: WriteOptions): Promise<string> {
    return part(await this.#calls.post(at(sessionId, 'retry'), undefined, how), 'turnId');
  }

  async removeQueued(sessionId: string, messageId: string): Promise<void> {
    await this.#calls.change('DELETE', at(sessionId, 'queued', messageId));
  }

  subscribe(sessionId: string, subscriber: Subscriber, after = 0): Subscription {
    return this.#follow(
      {
        socket: (cursor) => `${at(sessionId, 'socket')}?after=${cursor}`,
        stream: at(sessionId, 'events'),
        read: () => readFrame,
      },
      subscriber,
      after,
    );
  }

  subscribeInbox(subscriber: InboxSubscriber): InboxSubscription {
    return this.#follow<InboxStream>(
      {
        socket: () => '/v1/inbox/socket',
        stream: '/v1/inbox',
        read: async () => (await import('./connection/inbox-frames.ts')).readInboxFrame,
      },
      {
        welcome: ({ page }) => subscriber.inbox?.(page),
        delta: (change) => subscriber.changed?.(change),
        status: (status) => subscriber.status?.(status),
      },
    );
  }

  sendMessage(
    sessionId: string,
    text: string,
    how: WriteOptions & { readonly replyTo?: string | undefined } = {},
  ): MessageStream {
    const { replyTo, signal } = how;
    let isOld = false;
    return messageStream(
      {
        snapshot: () => this.snapshot(sessionId, how),
        send: async () => {
          const sent = await this.#message(sessionId, { text, replyTo }, how);
          isOld = sent.isOld;
          return sent.routed;
        },
        isOld: () => isOld,
        subscribe: (subscriber, after) => this.subscribe(sessionId, subscriber, after),
        interaction: (interactionId) => this.interaction(sessionId, interactionId, how),
        follower: async () =>
          (await import('./message-stream/message-follower.ts')).messageFollower,
      },
      text,
      signal,
    );
  }

  answer(
    sessionId: string,
    interactionId: string,
    answer: JsonObject,
    how?: WriteOptions,
  ): Promise<Settled> {
    const path = at(sessionId, 'interactions', interactionId, 'answer');
    return this.#settled(sessionId, interactionId, this.#calls.post(path, answer, how));
  }

  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: AnswersByIndex,
    shown?: Shown,
  ): Short {
    const body = { ...shown, toolCallId, answers };
    return this.#short('Submit answers', sessionId, 'submit-answers', body);
  }

  approveTool(sessionId: string, toolCallId: string, shown?: Shown): Short {
    return this.#short('Approve', sessionId, 'approve', { ...shown, toolCallId });
  }

  denyTool(sessionId: string, toolCallId: string, reason?: string, shown?: Shown): Short {
    return this.#short('Deny', sessionId, 'deny', { ...shown, toolCallId, reason });
  }

  reviewPlan(
    sessionId: string,
    interactionId: string,
    decision: PlanDecision,
    feedback?: string,
  ): Promise<Settled> {
    const answer = { decision, ...(feedback !== undefined && { feedback }) };
    return this.answer(sessionId, interactionId, answer);
  }

  submitForm(sessionId: string, interactionId: string, values: JsonObject): Promise<Settled> {
    return this.answer(sessionId, interactionId, { values });
  }

  async answerText(sessionId: string, interactionId: string, text: string): Promise<Routed> {
    return (await this.#message(sessionId, { text, replyTo: interactionId })).routed;
  }

  async decide(
    sessionId: string,
    decisions: readonly BatchDecision[],
  ): Promise<readonly BatchResult[]> {
    const answer = await this.#calls.post(at(sessionId, 'interactions', 'decide'), { decisions });
    const results = part<readonly BatchAnswer[]>(answer, 'results');
    const look = this.#look(sessionId);
    return Promise.all(results.map((one) => resolveDecision(one, look)));
  }

  async extend(sessionId: string, interactionId: string): Promise<Interaction> {
    const path = at(sessionId, 'interactions', interactionId, 'extend');
    return part(await this.#calls.post(path), 'interaction');
  }

  async cancel(sessionId: string, interactionId: string, reason?: string): Promise<Settled> {
    const path = at(sessionId, 'interactions', interactionId);
    const body = reason === undefined ? undefined : { reason };
    return this.#settled(sessionId, interactionId, this.#calls.change('DELETE', path, body));
  }

  async cancelAll(sessionId: string, reason?: string): Promise<{ readonly cancelled: number }> {
    return cancelledBy(await this.#calls.post(at(sessionId, 'interactions', 'cancel'), { reason }));
  }

  async open(sessionId: string, request: InteractionRequest, how?: WriteOptions): Promise<Opened> {
    const answer = await this.#calls.post(at(sessionId, 'interactions'), request, how);
    const { decision } = answer.body;
    if (decision !== undefined) return { type: 'decided', decision: decision as JsonObject };
    return { type: 'interaction', interaction: part(answer, 'interaction') };
  }

  async interaction(
    sessionId: string,
    interactionId: string,
    how: RequestOptions & { readonly waitSeconds?: number | undefined } = {},
  ): Promise<Interaction> {
    const path = at(sessionId, 'interactions', interactionId);
    if (!how.waitSeconds) return part(await this.#calls.get(path, {}, how), 'interaction');
    return (await import('./requests/wait-for-outcome.ts')).interactionAfter(
      this.#calls,
      path,
      how,
    );
  }

  async appendEvents(
    sessionId: string,
    events: readonly AppendedEvent[],
    how?: WriteOptions,
  ): Promise<number> {
    return part(await this.#calls.post(at(sessionId, 'events'), { events }, how), 'head');
  }

  async postToolResult(
    sessionId: string,
    toolCallId: string,
    result: ToolResult,
    how?: WriteOptions,
  ): Promise<number> {
    const path = at(sessionId, 'tool-calls', toolCallId, 'result');
    return part(await this.#calls.post(path, result, how), 'head');
  }

  async inbox({ limit, cursor }: PageOptions = {}): Promise<InboxPage> {
    const answer = await this.#calls.get('/v1/inbox', { limit, after: cursor });
    part(answer, 'interactions');
    return answer.body as unknown as InboxPage;
  }

  close(): void {
    this.#end.abort(closedError());
    for (const subscription of this.#subscriptions) subscription.close();
  }

  #follow<Carried extends Stream>(
    { socket, stream, read }: Followed<Carried>,
    subscriber: DriverOptions<Carried>['subscriber'],
    after = 0,
  ): Driver<Carried> {
    if (this.#end.signal.aborted) throw closedError();
    const around = globalThis as unknown as Around;
    const { pace, onError = (cause) => around.reportError?.(cause) } = this.#options;
    const Socket = this.#Socket;
    const url = this.#base;
    const subscription = new Driver({
      after,
      subscriber,
      tokens: this.#tokens,
      world: this.#world,
      stream: async () => {
        const { openSseLink: streamCarrier } = await import('./connection/sse-link.ts');
        return streamCarrier({ fetch: this.#fetch, url: url + stream, read: await read() });
      },
      socket: Socket
        ? async () => openWebSocketLink(Socket, (cursor) => url + socket(cursor), await read())
        : undefined,
      pace,
      onError,
      onClosed: () => this.#subscriptions.delete(subscription),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async #message(
    sessionId: string,
    said: { readonly text: string; readonly replyTo?: string | undefined },
    how?: WriteOptions,
  ): Promise<{ routed: Routed; isOld: boolean }> {
    return resolveRouted(said.replyTo, this.#said(sessionId, said, how));
  }

  async #said(sessionId: string, said: object, how?: WriteOptions) {
    const answer = await this.#calls.post(at(sessionId, 'messages'), said, how);
    const { body, isOld } = answer;
    const routed =
      body.routed === undefined
        ? { routed: 'command' as const, ...cancelledBy(answer) }
        : (body as unknown as Routed);
    return { routed, isOld };
  }

  #short(name: string, sessionId: string, form: string, body: object): Short {
    return resolveSubmission(name, this.#calls.post(at(sessionId, form), body));
  }

  #settled(sessionId: string, interactionId: string, asked: Promise<Reply>): Promise<Settled> {
    const interaction = asked.then((answer) => part<Interaction>(answer, 'interaction'));
    return resolveSettled(interactionId, interaction, this.#look(sessionId));
  }

  #look(sessionId: string): (interactionId: string) => Promise<Interaction> {
    return (interactionId) => this.interaction(sessionId, interactionId);
  }
}

function cancelledBy(answer: Reply): { readonly cancelled: number } {
  return { cancelled: part(answer, 'cancelled') };
}
