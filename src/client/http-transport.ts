/**
 * Sessions of a Holdpoint server: requests over `fetch`, and subscriptions over WebSockets, or over server-sent events
 * where WebSockets do not get through. The file is long because each route has a method.
 *
 * ```ts
 * const transport = new HttpTransport({ url: 'https://holdpoint.example', token });
 * const { id } = await transport.createSession({ title: 'Deploy' });
 * ```
 */
import type * as cli from './requests/history-calls.ts';
import {
  cancelledBy,
  sessionPath,
  type HttpCalls,
  readPart,
  readWhole,
} from './requests/http-calls.ts';
import { sendText } from './requests/send-text.ts';
import type { HttpReply } from './requests/request.ts';
import type * as api from './transport.ts';
import * as late from './requests/late-answer.ts';
import { messageStream } from './message-stream/message-stream.ts';
import { closedError } from './errors.ts';
import {
  type Subscriptions,
  type HttpTransportOptions,
  reachServer,
} from './connection/subscriptions.ts';
import type { InboxFilter } from '../protocol/inbox-filter.ts';
import type * as wire from '../protocol/types.ts';

type Submitted = Promise<{ readonly ok: true }>;
type Settling = Promise<api.Settled>;
type Recorded = Promise<wire.Interaction>;
type CancelledCount = Promise<{ readonly cancelled: number }>;

/** Few pages show a conversation of a command-line agent. */
const cliCalls = () => import('./requests/history-calls.ts');
const fileCalls = () => import('./requests/file-calls.ts');

export class HttpTransport implements api.Transport {
  readonly #calls: HttpCalls;
  readonly #subscriptions: Subscriptions;
  readonly #end = new AbortController();

  constructor(options: HttpTransportOptions) {
    const closing = this.#end.signal;
    const { calls, subscriptions } = reachServer(options, closing);
    this.#calls = calls;
    this.#subscriptions = subscriptions;
    options.signal?.addEventListener('abort', () => this.close(), { signal: closing });
  }

  async createSession(
    input: wire.SessionInput = {},
    how?: api.WriteOptions,
  ): Promise<wire.SessionView> {
    return readPart(await this.#calls.post('/v1/sessions', input, how), 'session');
  }

  async sessions({
    cursor: before,
    archived,
    pinned,
    ...query
  }: wire.SessionsOptions = {}): Promise<wire.SessionsPage> {
    const reply = await this.#calls.get('/v1/sessions', {
      ...query,
      before,
      archived: archived?.toString(),
      pinned: pinned && 'true',
    });
    return readWhole(reply, 'sessions');
  }

  async snapshot(sessionId: string, how?: api.RequestOptions): Promise<wire.Snapshot> {
    return readWhole(await this.#calls.get(sessionPath(sessionId), {}, how), 'session');
  }

  async updateSession(sessionId: string, changes: wire.SessionChanges): Promise<wire.SessionView> {
    return readPart(await this.#calls.change('PATCH', sessionPath(sessionId), changes), 'session');
  }

  async rename(sessionId: string, title: string): Promise<wire.SessionView> {
    return this.updateSession(sessionId, { title });
  }

  async setMode(sessionId: string, permissionMode: wire.PermissionMode): Promise<wire.SessionView> {
    return this.updateSession(sessionId, { permissionMode });
  }

  async archive(sessionId: string, archived: boolean): Promise<wire.SessionView> {
    return this.updateSession(sessionId, { archived });
  }

  async pin(sessionId: string, isPinned: boolean): Promise<void> {
    const path = `/v1/me/pins/${encodeURIComponent(sessionId)}`;
    await this.#calls.change(isPinned ? 'PUT' : 'DELETE', path);
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#calls.change('DELETE', sessionPath(sessionId));
  }

  async clear(sessionId: string, how?: api.WriteOptions): CancelledCount {
    return cancelledBy(await this.#calls.post(sessionPath(sessionId, 'clear'), undefined, how));
  }

  async interrupt(sessionId: string, how?: api.WriteOptions): CancelledCount {
    return cancelledBy(await this.#calls.post(sessionPath(sessionId, 'interrupt'), undefined, how));
  }

  async rules(sessionId: string): Promise<readonly wire.Rule[]> {
    return readPart(await this.#calls.get(sessionPath(sessionId, 'rules')), 'rules');
  }

  async revokeWorkspaceRule(ruleId: string): Promise<void> {
    await this.#calls.change('DELETE', `/v1/rules/${encodeURIComponent(ruleId)}`);
  }

  async revokeRule(sessionId: string, ruleId: string): Promise<void> {
    await this.#calls.change('DELETE', sessionPath(sessionId, 'rules', ruleId));
  }

  async search(sessionId: string, q: string, before?: number): Promise<wire.SearchPage> {
    const path = sessionPath(sessionId, 'search');
    return readWhole(await this.#calls.get(path, { q, before }), 'events');
  }

  async retry(sessionId: string, how?: api.WriteOptions): Promise<string> {
    const path = sessionPath(sessionId, 'retry');
    return readPart(await this.#calls.post(path, undefined, how), 'turnId');
  }

  async restoreConversation(sessionId: string, seq: number, how?: api.WriteOptions): Promise<void> {
    await this.#calls.post(sessionPath(sessionId, 'conversation', 'restore'), { seq }, how);
  }

  async removeQueued(sessionId: string, messageId: string): Promise<void> {
    await this.#calls.change('DELETE', sessionPath(sessionId, 'queued', messageId));
  }

  async events(
    sessionId: string,
    page: Parameters<api.Transport['events']>[1],
    how?: api.RequestOptions,
  ): Promise<wire.EventsPage> {
    return readWhole(await this.#calls.get(sessionPath(sessionId, 'events'), page, how), 'events');
  }

  subscribe(sessionId: string, subscriber: api.Subscriber, after = 0): api.Subscription {
    return this.#subscriptions.session(sessionId, subscriber, after);
  }

  subscribeInbox(subscriber: api.InboxSubscriber): api.InboxSubscription {
    return this.#subscriptions.inbox(subscriber);
  }

  sendMessage(
    sessionId: string,
    text: string,
    how: api.WriteOptions & api.WithAttachments & { readonly replyTo?: string | undefined } = {},
  ): api.MessageStream {
    const { replyTo, attachments, signal } = how;
    let isOld = false;
    return messageStream(
      {
        snapshot: () => this.snapshot(sessionId, how),
        send: async () => {
          const message = { text, replyTo, attachments };
          const sent = await sendText(this.#calls, sessionId, message, how);
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

  readonly attach: api.Transport['attach'] = async (...of) =>
    (await fileCalls()).attach(this.#calls, ...of);
  readonly attachedFile: api.Transport['attachedFile'] = async (...of) =>
    (await fileCalls()).readAttachedFile(this.#calls, ...of);

  readonly files: api.Transport['files'] = async (...of) =>
    (await fileCalls()).listAgentFiles(this.#calls, ...of);
  readonly file: api.Transport['file'] = async (...of) =>
    (await fileCalls()).readAgentFile(this.#calls, ...of);

  readonly mapCliSession: cli.Map = async (...of) =>
    (await cliCalls()).mapCliSession(this.#calls, ...of);
  readonly findCliSession: cli.Find = async (...of) =>
    (await cliCalls()).findSessionByCli(this.#calls, ...of);
  readonly importHistory: cli.Import = async (...of) =>
    (await cliCalls()).importHistory(this.#calls, ...of);
  readonly history: cli.Read = async (...of) => (await cliCalls()).readHistory(this.#calls, ...of);

  answer(
    sessionId: string,
    interactionId: string,
    answer: wire.JsonObject,
    how?: api.WriteOptions,
  ): Settling {
    const path = sessionPath(sessionId, 'interactions', interactionId, 'answer');
    return this.#settled(sessionId, interactionId, this.#calls.post(path, answer, how));
  }

  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: api.AnswersByIndex,
    shown?: api.Shown,
  ): Submitted {
    const body = { ...shown, toolCallId, answers };
    return this.#submit('Submit answers', sessionId, 'submit-answers', body);
  }

  approveTool(sessionId: string, toolCallId: string, shown?: api.Shown): Submitted {
    return this.#submit('Approve', sessionId, 'approve', { ...shown, toolCallId });
  }

  denyTool(sessionId: string, toolCallId: string, reason?: string, shown?: api.Shown): Submitted {
    return this.#submit('Deny', sessionId, 'deny', { ...shown, toolCallId, reason });
  }

  reviewPlan(
    sessionId: string,
    interactionId: string,
    decision: api.PlanDecision,
    feedback?: string,
  ): Settling {
    const answer = { decision, ...(feedback !== undefined && { feedback }) };
    return this.answer(sessionId, interactionId, answer);
  }

  submitForm(sessionId: string, interactionId: string, values: wire.JsonObject): Settling {
    return this.answer(sessionId, interactionId, { values });
  }

  readonly answerText: api.Transport['answerText'] = async (sessionId, replyTo, text, how) =>
    (await sendText(this.#calls, sessionId, { text, replyTo, ...how })).routed;

  async decide(
    sessionId: string,
    decisions: readonly api.BatchDecision[],
  ): Promise<readonly api.BatchResult[]> {
    const path = sessionPath(sessionId, 'interactions', 'decide');
    return this.#decide(path, decisions, () => sessionId);
  }

  decideInbox(decisions: readonly api.InboxDecision[]): Promise<readonly api.BatchResult[]> {
    return this.#decide('/v1/inbox/decide', decisions, ({ sessionId }) => sessionId);
  }

  async #decide<Decision>(
    path: string,
    decisions: readonly Decision[],
    sessionOf: (decision: Decision) => string,
  ): Promise<readonly api.BatchResult[]> {
    const reply = await this.#calls.post(path, { decisions });
    const results = readPart<readonly late.BatchAnswer[]>(reply, 'results');
    return late.resolveDecisions(results, (at) =>
      this.#lookUp(sessionOf(decisions[at] as Decision)),
    );
  }

  extend(sessionId: string, interactionId: string): Recorded {
    return this.#act(sessionId, interactionId, 'extend');
  }

  claim(sessionId: string, interactionId: string, how?: { readonly release?: true }): Recorded {
    return this.#act(sessionId, interactionId, 'claim', how);
  }

  handOver(
    sessionId: string,
    interactionId: string,
    to: { readonly audience: wire.Audience; readonly note?: string },
  ): Recorded {
    return this.#act(sessionId, interactionId, 'handover', to);
  }

  withdraw(sessionId: string, interactionId: string, how?: api.WriteOptions): Recorded {
    return this.#act(sessionId, interactionId, 'withdraw', undefined, how);
  }

  undo(sessionId: string, interactionId: string, how?: api.WriteOptions): Recorded {
    return this.#act(sessionId, interactionId, 'undo', undefined, how);
  }

  async cancel(sessionId: string, interactionId: string, why?: api.Cancellation): Settling {
    const path = sessionPath(sessionId, 'interactions', interactionId);
    return this.#settled(sessionId, interactionId, this.#calls.change('DELETE', path, why));
  }

  async cancelAll(sessionId: string, why?: Pick<api.Cancellation, 'reason'>): CancelledCount {
    const path = sessionPath(sessionId, 'interactions', 'cancel');
    return cancelledBy(await this.#calls.post(path, why));
  }

  async open(
    sessionId: string,
    request: wire.InteractionRequest,
    how?: api.WriteOptions,
  ): Promise<api.Opened> {
    const reply = await this.#calls.post(sessionPath(sessionId, 'interactions'), request, how);
    const { decision } = reply.body;
    if (decision !== undefined) return { type: 'decided', decision: decision as wire.JsonObject };
    return { type: 'interaction', interaction: readPart(reply, 'interaction') };
  }

  async openAll(...[sessionId, requests, how]: Parameters<api.Transport['openAll']>) {
    const { length } = requests;
    const path = sessionPath(sessionId, 'interactions', 'batch');
    // The body is written before anything is awaited: an agent may change its inputs while it waits.
    const reply = await this.#calls.post(path, { requests }, how);
    return (await import('./requests/read-batch.ts')).readBatch(reply, length);
  }

  async interaction(sessionId: string, interactionId: string, how: api.WaitOptions = {}): Recorded {
    const path = sessionPath(sessionId, 'interactions', interactionId);
    if (!how.waitSeconds) return readPart(await this.#calls.get(path, {}, how), 'interaction');
    const { interactionAfter } = await import('./requests/wait-for-outcome.ts');
    return interactionAfter(this.#calls, path, how);
  }

  acknowledge(
    sessionId: string,
    interactionId: string,
    toolCallId: string,
    how?: api.RequestOptions,
  ): Recorded {
    return this.#act(sessionId, interactionId, 'acknowledge', { toolCallId }, how);
  }

  complete(sessionId: string, interactionId: string, how?: api.WriteOptions): Recorded {
    return this.#act(sessionId, interactionId, 'complete', undefined, how);
  }

  async wholeInput(sessionId: string, interactionId: string): Promise<string> {
    const path = sessionPath(sessionId, 'interactions', interactionId, 'input');
    return (await this.#calls.get(path)).text;
  }

  async appendEvents(
    sessionId: string,
    events: readonly wire.AppendedEvent[],
    how?: api.WriteOptions,
  ): Promise<number> {
    const path = sessionPath(sessionId, 'events');
    return readPart(await this.#calls.post(path, { events }, how), 'head');
  }

  async postToolResult(
    sessionId: string,
    toolCallId: string,
    result: api.ToolResult,
    how?: api.WriteOptions,
  ): Promise<number> {
    const path = sessionPath(sessionId, 'tool-calls', toolCallId, 'result');
    return readPart(await this.#calls.post(path, result, how), 'head');
  }

  async inbox({
    cursor: after,
    ...query
  }: wire.PageOptions & InboxFilter = {}): Promise<wire.InboxPage> {
    const reply = await this.#calls.get('/v1/inbox', { ...query, after });
    return readWhole(reply, 'interactions');
  }

  async decisions({
    cursor: before,
    ...query
  }: wire.PageOptions & wire.DecisionsQuery = {}): Promise<wire.DecisionsPage> {
    const reply = await this.#calls.get('/v1/decisions', { ...query, before });
    return readWhole(reply, 'decisions');
  }

  close(): void {
    this.#end.abort(closedError());
    this.#subscriptions.close();
  }

  async #act(
    sessionId: string,
    interactionId: string,
    verb: string,
    body?: object,
    how?: api.WriteOptions,
  ): Recorded {
    const path = sessionPath(sessionId, 'interactions', interactionId, verb);
    return readPart(await this.#calls.post(path, body, how), 'interaction');
  }

  #submit(name: string, sessionId: string, form: string, body: object): Submitted {
    return late.resolveSubmission(name, this.#calls.post(sessionPath(sessionId, form), body));
  }

  #settled(sessionId: string, interactionId: string, posted: Promise<HttpReply>): Settling {
    const interaction = posted.then((reply) => readPart<wire.Interaction>(reply, 'interaction'));
    return late.resolveSettled(interactionId, interaction, this.#lookUp(sessionId));
  }

  #lookUp(sessionId: string): (interactionId: string) => Promise<wire.Interaction> {
    return (interactionId) => this.interaction(sessionId, interactionId);
  }
}
