/**
 * Sessions in this process, behind the same interface as those of a server.
 *
 * ```ts
 * const holdpoint = new DirectTransport();
 * const agent = holdpoint.as({ subject: 'deploy-bot', scopes: ['agent', 'read'] });
 * const { id } = await agent.createSession({ title: 'Deploy' });
 * ```
 *
 * Each method says which command a call is and with which body, as the routes of `http/routes/` do;
 * the desk checks and copies. It decides nothing, and knows neither storage nor time.
 */
import * as z from 'zod';
import type { InboxSubscriber, InboxSubscription } from '../client/inbox-subscription.ts';
import { resolveDecision } from '../client/requests/late-answer.ts';
import { messageFollower } from '../client/message-stream/message-follower.ts';
import { messageStream } from '../client/message-stream/message-stream.ts';
import type { Subscriber, Subscription } from '../client/subscription.ts';
import type {
  AnswersByIndex,
  BatchDecision,
  BatchResult,
  Keyed,
  MessageStream,
  Opened,
  Patience,
  PlanDecision,
  Routed,
  Settled,
  Shown,
  ToolResult,
  Transport,
} from '../client/transport.ts';
import type {
  AppendedEvent,
  FileEntry,
  InboxPage,
  Interaction,
  InteractionRequest,
  JsonObject,
  PageAsk,
  PermissionMode,
  Rule,
  SessionChanges,
  SessionFile,
  SessionInput,
  SessionsPage,
  SessionView,
  Snapshot,
} from '../protocol/types.ts';
import { textHash } from '../core/digest.ts';
import { openCommand } from '../core/open-command.ts';
import { freshId } from '../platform/fresh-id.ts';
import { APPROVE, batchCommand, DENY, SUBMIT_ANSWERS } from '../core/short-forms.ts';
import {
  AppendEvents,
  CancelOne,
  DecideBatch,
  ToolResult as ToolResultSchema,
} from '../protocol/schema/command.ts';
import type { AppendedEvent as DraftEvent } from '../protocol/schema/event.ts';
import { JsonObjectSchema } from '../protocol/schema/interaction.ts';
import { CreateSession, UpdateSession } from '../protocol/schema/session.ts';
import { readFile, readFiles, readRules, readSnapshot } from '../session/reads.ts';
import { cancelOne, giveAnswer, recordsOf, sendText, submit } from './answering.ts';
import { batchAnswerOf, type OpenReply, openedOf } from './answers.ts';
import { check } from './border.ts';
import { Desk } from './desk.ts';
import { Host } from './host.ts';
import { identityOf, OWNER, type Role, RoleSchema } from './identity.ts';
import { type DirectOptions, settingsOf } from './options.ts';
import { outcomeOf } from './outcome.ts';
import { pageOf } from './page.ts';
import { subscribe } from './subscribe.ts';
import { subscribeInbox } from './subscribe-inbox.ts';

const RuleName = z.strictObject({ ruleId: z.string().max(128) });
const Waiting = z.strictObject({ waitSeconds: z.number().min(0) });

type One = { readonly interaction: Interaction };
type Count = { readonly cancelled: number };
type InSession = { readonly session: SessionView };

export class DirectTransport implements Transport {
  readonly #desk: Desk;
  readonly #isOwner: boolean;

  /** Whoever makes one may do everything in it, and makes the others from it, with `as`. */
  constructor(options: DirectOptions | Desk = {}) {
    this.#isOwner = !(options instanceof Desk);
    this.#desk = options instanceof Desk ? options : new Desk(new Host(settingsOf(options)), OWNER);
  }

  /** The same sessions for somebody who may do less: an agent, a person, a screen that only shows. */
  as(role: Role): DirectTransport {
    this.#desk.admit([], null);
    return new DirectTransport(new Desk(this.#desk.host, identityOf(check(RoleSchema, role))));
  }

  async createSession(input: SessionInput = {}, how: Keyed = {}): Promise<SessionView> {
    const request = { type: 'session.create', session: null, body: input, how } as const;
    const { body, context } = this.#desk.check({ ...request, schema: CreateSession });
    const { caller, idempotency } = context;
    // A repeated creation without an id must find the session it made the first time.
    const made =
      idempotency === undefined ? freshId() : textHash(`${caller.credential}|${idempotency.key}`);
    const { id = `ses_${made}`, ...settings } = body;
    const command = { type: 'session.create', id, ...settings } as const;
    return (await this.#desk.handle<InSession>(id, command, context, how)).session;
  }

  async sessions(page: PageAsk = {}): Promise<SessionsPage> {
    const { limit, cursor } = pageOf(page);
    return this.#desk.lookAround((workspace) => workspace.sessions({ limit, before: cursor }));
  }

  async snapshot(sessionId: string): Promise<Snapshot> {
    return this.#desk.read(sessionId, readSnapshot);
  }

  async updateSession(sessionId: string, changes: SessionChanges): Promise<SessionView> {
    return update(this.#desk, sessionId, changes);
  }

  async rename(sessionId: string, title: string): Promise<SessionView> {
    return update(this.#desk, sessionId, { title });
  }

  async setMode(sessionId: string, permissionMode: PermissionMode): Promise<SessionView> {
    return update(this.#desk, sessionId, { permissionMode });
  }

  async deleteSession(session: string): Promise<void> {
    const type = 'session.delete';
    await this.#desk.ask({ type, session, command: () => ({ type }) });
  }

  async clear(session: string, how?: Keyed): Promise<Count> {
    const type = 'session.clear';
    return this.#desk.ask({ type, session, how, command: () => ({ type }) });
  }

  async interrupt(session: string, how?: Keyed): Promise<Count> {
    const type = 'turn.interrupt';
    return this.#desk.ask({ type, session, how, command: () => ({ type }) });
  }

  async rules(sessionId: string): Promise<readonly Rule[]> {
    return this.#desk.read(sessionId, readRules);
  }

  async revokeRule(session: string, id: string): Promise<void> {
    const type = 'rule.revoke';
    const { ruleId } = check(RuleName, { ruleId: id });
    await this.#desk.ask({ type, session, command: () => ({ type, ruleId }) });
  }

  async files(sessionId: string): Promise<readonly FileEntry[]> {
    return this.#desk.read(sessionId, readFiles);
  }

  async file(sessionId: string, path: string): Promise<SessionFile> {
    return this.#desk.read(sessionId, (session) => readFile(session, path));
  }

  async retry(session: string, how?: Keyed): Promise<string> {
    const type = 'turn.retry';
    const command = () => ({ type }) as const;
    const { turnId } = await this.#desk.ask<{ turnId: string }>({ type, session, how, command });
    return turnId;
  }

  async removeQueued(session: string, messageId: string): Promise<void> {
    const type = 'message.remove';
    await this.#desk.ask({ type, session, command: () => ({ type, messageId }) });
  }

  subscribe(sessionId: string, subscriber: Subscriber, after = 0): Subscription {
    return subscribe(this.#desk, sessionId, subscriber, after);
  }

  sendMessage(
    sessionId: string,
    text: string,
    how: Keyed & { readonly replyTo?: string | undefined } = {},
  ): MessageStream {
    const { replyTo, signal } = how;
    return messageStream(
      {
        snapshot: () => this.snapshot(sessionId),
        send: () => sendText(this.#desk, sessionId, { text, replyTo }, how),
        subscribe: (subscriber, after) => this.subscribe(sessionId, subscriber, after),
        interaction: (interactionId) => this.interaction(sessionId, interactionId, { signal }),
        follower: async () => messageFollower,
      },
      text,
      signal,
    );
  }

  async answer(
    session: string,
    interaction: string,
    answer: JsonObject,
    how?: Keyed,
  ): Promise<Settled> {
    return giveAnswer(this.#desk, { session, interaction, answer, how });
  }

  async submitAnswers(
    session: string,
    toolCallId: string,
    answers: AnswersByIndex,
    { inputDigest }: Shown = {},
  ) {
    const body = { toolCallId, inputDigest, answers };
    return submit(this.#desk, SUBMIT_ANSWERS, { name: 'Submit answers', session, body });
  }

  async approveTool(session: string, toolCallId: string, { inputDigest }: Shown = {}) {
    const body = { toolCallId, inputDigest };
    return submit(this.#desk, APPROVE, { name: 'Approve', session, body });
  }

  async denyTool(
    session: string,
    toolCallId: string,
    reason?: string,
    { inputDigest }: Shown = {},
  ) {
    const body = { toolCallId, inputDigest, reason };
    return submit(this.#desk, DENY, { name: 'Deny', session, body });
  }

  async reviewPlan(
    sessionId: string,
    interactionId: string,
    decision: PlanDecision,
    feedback?: string,
  ): Promise<Settled> {
    const said = feedback === undefined ? {} : { feedback };
    return this.answer(sessionId, interactionId, { decision, ...said });
  }

  async submitForm(sessionId: string, interactionId: string, values: JsonObject): Promise<Settled> {
    return this.answer(sessionId, interactionId, { values });
  }

  async answerText(sessionId: string, replyTo: string, text: string): Promise<Routed> {
    return sendText(this.#desk, sessionId, { text, replyTo });
  }

  async decide(
    sessionId: string,
    decisions: readonly BatchDecision[],
  ): Promise<readonly BatchResult[]> {
    const request = {
      type: 'interaction.answer',
      session: sessionId,
      body: { decisions },
    } as const;
    const { body, context } = this.#desk.check({ ...request, schema: DecideBatch });
    const commands = body.decisions.map(batchCommand);
    const handled = await this.#desk.handleEach(sessionId, commands, context);
    const look = recordsOf(this.#desk, sessionId);
    return Promise.all(handled.map((one) => resolveDecision(batchAnswerOf(one), look)));
  }

  async extend(session: string, interaction: string): Promise<Interaction> {
    const type = 'interaction.extend';
    const command = () => ({ type, interactionId: interaction }) as const;
    return (await this.#desk.ask<One>({ type, session, interaction, command })).interaction;
  }

  async cancel(session: string, interaction: string, reason?: string): Promise<Settled> {
    return cancelOne(this.#desk, { session, interaction, reason });
  }

  async cancelAll(session: string, reason?: string): Promise<Count> {
    const type = 'interactions.cancel';
    return this.#desk.ask<Count, z.output<typeof CancelOne>>({
      type,
      session,
      body: { reason },
      schema: CancelOne,
      command: (body) => ({ type, ...body }),
    });
  }

  async open(session: string, request: InteractionRequest, how?: Keyed): Promise<Opened> {
    const reply = await this.#desk.ask<OpenReply, JsonObject>({
      type: 'interaction.open',
      session,
      how,
      body: request,
      schema: JsonObjectSchema,
      command: openCommand,
    });
    return openedOf(reply);
  }

  async interaction(
    sessionId: string,
    interactionId: string,
    { waitSeconds = 0, signal }: Patience & { readonly waitSeconds?: number | undefined } = {},
  ): Promise<Interaction> {
    check(Waiting, { waitSeconds });
    const waitMs = Math.ceil(waitSeconds * 1_000);
    return outcomeOf(this.#desk, { sessionId, interactionId, waitMs, signal });
  }

  async appendEvents(
    session: string,
    events: readonly AppendedEvent[],
    how?: Keyed,
  ): Promise<number> {
    const type = 'events.append';
    const reply = await this.#desk.ask<{ head: number }, { events: unknown }>({
      type,
      session,
      how,
      body: { events },
      schema: AppendEvents,
      command: (body) => ({ type, events: body.events as DraftEvent[] }),
    });
    return reply.head;
  }

  async postToolResult(
    session: string,
    toolCallId: string,
    result: ToolResult,
    how?: Keyed,
  ): Promise<number> {
    const type = 'tool.result';
    const reply = await this.#desk.ask<{ head: number }, z.output<typeof ToolResultSchema>>({
      type,
      session,
      toolCall: toolCallId,
      how,
      body: result,
      schema: ToolResultSchema,
      command: (body) => ({ type, toolCallId, ...body }),
    });
    return reply.head;
  }

  async inbox(page: PageAsk = {}): Promise<InboxPage> {
    const { limit, cursor } = pageOf(page);
    return this.#desk.lookAround((workspace) => workspace.inbox({ limit, after: cursor }));
  }

  subscribeInbox(subscriber: InboxSubscriber): InboxSubscription {
    return subscribeInbox(this.#desk, subscriber);
  }

  /** Closed by whoever made it, it ends for everybody it was given to, and lets go of its storage. */
  close(): void {
    this.#desk.close();
    if (this.#isOwner) this.#desk.host.close();
  }
}

async function update(desk: Desk, session: string, body: object): Promise<SessionView> {
  const type = 'session.update';
  const reply = await desk.ask<InSession, z.output<typeof UpdateSession>>({
    type,
    session,
    body,
    schema: UpdateSession,
    command: (changes) => ({ type, changes }),
  });
  return reply.session;
}
