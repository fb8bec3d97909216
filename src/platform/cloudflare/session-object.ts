/**
 * The Durable Object of one session: gives the session its ports, and names the methods that a stub can call.
 *
 * It decides nothing. The alarm never throws to the platform, which would drop it after six failures.
 */
import { DurableObject } from 'cloudflare:workers';
import type { SessionAddress } from '../../core/evolve.ts';
import { rejectDeletedId } from '../../core/rejections.ts';
import { KINDS } from '../../core/kinds/index.ts';
import type { Caller } from '../../protocol/caller.ts';
import type { Command, Context } from '../../protocol/schema/command.ts';
import type { Rejection } from '../../protocol/errors.ts';
import {
  openAndJoin,
  type AskAndWait,
  type JoinRequest,
  type WaitRequest,
  completeJoin,
  joinRejection,
} from '../../session/join.ts';
import { type AskReply, PendingCalls, type WaitReply } from '../../session/pending-calls.ts';
import {
  attachFile,
  type NewAttachedFile,
  readAttachedPart,
} from '../../session/attached-files.ts';
import { type HistoryLines, importHistoryPage, readHistoryPage } from '../../session/history.ts';
import { handleCommand, handleCommands } from '../../session/audiences.ts';
import { deleteIdleSession } from '../../session/delete-idle.ts';
import { receiveFrame } from '../../session/frames-in.ts';
import type { Attachment } from '../../session/ports.ts';
import { acknowledgeOutcome } from '../../session/acknowledge.ts';
import { reuseApproval } from '../../session/reuse-approval.ts';
import * as queries from '../../session/queries.ts';
import { searchLog, type SearchQuery } from '../../session/search-log.ts';
import { readResultMeta, type ResultText, writeResult } from '../../session/command-result.ts';
import { Session } from '../../session/session.ts';
import type { HandleResult } from '../../session/command-result.ts';
import { freshId } from '../fresh-id.ts';
import { hashNatively } from '../../protocol/history-digest.ts';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../sqlite/migrations.ts';
import { SqliteSessionStore } from '../sqlite/session-store.ts';
import { readUpgradeRequest, upgradeResponse } from './upgrade.ts';
import { AlarmPace } from './alarm-pace.ts';
import { type DurableAlarm, durableAlarm } from './durable-alarm.ts';
import { type CountingDatabase, durableDatabase } from '../sqlite/database.ts';
import { type Env, sessionAddress } from './env.ts';
import { HibernatingSockets, replyCloseCode } from './hibernating-sockets.ts';
import { agentPorts } from './agent-ports.ts';
import { audienceCache } from './audience-cache.ts';
import { frameLimit } from './rate-limits.ts';
import { logUnknownSchema, warn } from './log.ts';

/** Of all sessions in this isolate. An alarm with a deadline is around two milliseconds of work: half of the time is left. */
const pace = new AlarmPace({ spacingMs: 4, burst: 8 });

export class SessionObject extends DurableObject<Env> {
  readonly #database: CountingDatabase;
  readonly #sockets: HibernatingSockets<Attachment>;
  #alarm!: DurableAlarm;
  #begun: Session | undefined;
  #waiting: PendingCalls | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    this.#database = durableDatabase(ctx.storage);
    this.#sockets = new HibernatingSockets(ctx);
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await durableAlarm(ctx.storage, warn);
    });
  }

  /**
   * Read from disk at its first use, and not when the platform makes the object: thousands of alarms that are due together
   * make thousands of objects at once, before any request of others.
   */
  get #session(): Session {
    this.#begun ??= logUnknownSchema(`the session ${this.ctx.id.name}`, () => this.#begin());
    return this.#begun;
  }

  get #address(): SessionAddress {
    return sessionAddress(this.ctx.id.name ?? '');
  }

  get #calls(): PendingCalls {
    this.#waiting ??= new PendingCalls(this.#session, {
      hold: (waiter) => this.#sockets.hold(waiter),
      timer: runLater,
    });
    return this.#waiting;
  }

  #begin(): Session {
    const address = this.#address;
    return new Session(address, KINDS, {
      store: new SqliteSessionStore(this.#database, SESSION_MIGRATIONS, NEW_SESSION),
      sockets: this.#sockets,
      alarm: this.#alarm,
      workspace: {
        report: (report) => this.env.WORKSPACE.getByName(report.workspace).applyReport(report),
      },
      agent: agentPorts(this.env),
      readAudiences: () => audienceCache(this.env).get(address.workspace),
      readVoters: async (voters) => this.env.WORKSPACE.getByName(address.workspace).voters(voters),
      countFrame: frameLimit(this.env),
      now: Date.now,
      freshId,
      hash: hashNatively,
      later: runLater,
      // A timer of 0 ms takes one, and a turn has several. `queueMicrotask` enters the platform for each.
      soon: (work) => void Promise.resolve().then(work),
      warn,
    });
  }

  /** The billed writes since this object woke, for tests and the benchmark. */
  costs() {
    return { rowsWritten: this.#database.rowsWritten, alarmMoves: this.#alarm.moves };
  }

  /** Of all connections and waiting calls, for tests. */
  attachments(): Attachment[] {
    return this.#sockets.all().map(({ attachment }) => attachment);
  }

  async handle(command: Command, context: Context): Promise<ResultText | Rejection> {
    if (command.type === 'session.create' && (await this.#wasDeleted())) {
      return rejectDeletedId(this.#address.id);
    }
    return this.#result(await handleCommand(this.#session, command, context));
  }

  /** Where the process died while the file was exchanged for an empty one, only the workspace knows that the id was used. */
  async #wasDeleted(): Promise<boolean> {
    if (this.#session.current() !== null) return false;
    const { workspace, id } = this.#address;
    return this.env.WORKSPACE.getByName(workspace).wasSessionDeleted(id);
  }

  async #result(handled: HandleResult): Promise<ResultText | Rejection> {
    await this.#reportFirst(handled);
    return writeResult(handled);
  }

  async #reportFirst(handled: HandleResult): Promise<void> {
    if (handled.ok && handled.mustReportFirst) await this.#session.waitForReport();
  }

  handleEach(commands: readonly Command[], context: Context): Promise<HandleResult[]> {
    return handleCommands(this.#session, commands, context);
  }

  snapshot() {
    return queries.readSnapshot(this.#session);
  }

  interaction(interactionId: string, caller: Caller) {
    return queries.readInteraction(this.#session, interactionId, caller);
  }

  acknowledge(interactionId: string, toolCallId: string, caller: Caller) {
    return acknowledgeOutcome(this.#session, interactionId, toolCallId, caller);
  }

  reuseApproval(interactionId: string, caller: Caller) {
    return reuseApproval(this.#session, interactionId, caller);
  }

  interactions(ask: Parameters<typeof queries.listInteractions>[1], caller: Caller) {
    return queries.listInteractions(this.#session, ask, caller);
  }

  inputPart(interactionId: string, part: number) {
    return queries.readInputPart(this.#session, interactionId, part);
  }

  attach(file: NewAttachedFile, base64: string, caller: Caller) {
    return attachFile(this.#session, file, base64, caller);
  }

  attachedPart(attachmentId: string, part: number) {
    return readAttachedPart(this.#session, attachmentId, part);
  }

  agentSettings() {
    return queries.readAgentSettings(this.#session);
  }

  rules() {
    return queries.readRules(this.#session);
  }

  search(asked: SearchQuery, caller: Caller) {
    return searchLog(this.#session, asked, caller);
  }

  files() {
    return queries.readFiles(this.#session);
  }

  file(path: string) {
    return queries.readStoredFile(this.#session, path);
  }

  events(after: number, limit: number, caller: Caller) {
    return queries.readEvents(this.#session, after, limit, caller);
  }

  importHistory(page: HistoryLines, context: Context) {
    return importHistoryPage(this.#session, page, context);
  }

  history(after: string | undefined, limit: number) {
    return readHistoryPage(this.#session, after, limit);
  }

  /** Called by the alarm of the workspace, when the alarm of the session seems lost. */
  async poke(): Promise<void> {
    await this.#session.poke();
  }

  /** Called by the retention of the workspace. */
  deleteIdle(head: number): boolean {
    return deleteIdleSession(this.#session, head);
  }

  connectedAgents(): string[] {
    return this.#session.subscribers.connectedAgents();
  }

  async revoke(credential: string): Promise<void> {
    this.#session.subscribers.revoke(credential);
  }

  /** Only connections arrive as requests. A refusal, and an outcome that is there, are plain responses. */
  override async fetch(request: Request): Promise<Response> {
    const { request: call, subprotocol } = readUpgradeRequest<JoinRequest>(request);
    const { pendingCall } = call.to === 'outcome' ? call : {};
    const taken = pendingCall === undefined ? undefined : this.#calls.take(pendingCall);
    if (taken !== undefined && 'frame' in taken) return new Response(taken.frame);
    const refused = taken === undefined ? joinRejection(this.#session, call) : undefined;
    if (refused !== undefined) return Response.json(refused);
    const { 0: client, 1: server } = new WebSocketPair();
    const socket = this.#sockets.accept(server, taken?.attachment ?? call.attachment);
    if (taken === undefined) completeJoin(this.#session, socket, call);
    return upgradeResponse(client, { subprotocol });
  }

  /** The only frame of a wait; undefined if its caller must connect. */
  async waitForOutcome(id: string, request: WaitRequest): Promise<WaitReply> {
    return joinRejection(this.#session, request) ?? this.#calls.wait(id, request);
  }

  async askAndWait(id: string, call: AskAndWait): Promise<AskReply> {
    const joined = await openAndJoin(this.#session, call, (waiter) =>
      joinRejection(this.#session, waiter) === undefined ? this.#calls.wait(id, waiter) : undefined,
    );
    const { handled, connection, interactionId } = joined;
    if (!handled.ok || connection === undefined) return this.#result(handled);
    const [frame] = await Promise.all([connection, this.#reportFirst(handled)]);
    return { ok: true, interactionId, frame, ...readResultMeta(handled) };
  }

  leaveWait(id: string): void {
    this.#calls.leave(id);
  }

  override async webSocketMessage(webSocket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    await receiveFrame(this.#session, this.#sockets.socketFor(webSocket), data);
  }

  /** Without a close frame in return, the peer waits until it times out. */
  override webSocketClose(webSocket: WebSocket, code: number): void {
    this.#session.subscribers.remove(this.#sockets.remove(webSocket));
    webSocket.close(replyCloseCode(code));
  }

  override webSocketError(webSocket: WebSocket): void {
    this.#session.subscribers.remove(this.#sockets.remove(webSocket));
  }

  override async alarm(): Promise<void> {
    this.#alarm.markFiring(Date.now());
    const pauseMs = pace.take(performance.now());
    if (pauseMs > 0) await scheduler.wait(pauseMs);
    // A session that this version cannot read throws here: the platform tries again, with growing pauses.
    const session = this.#session;
    this.#alarm.markFired();
    try {
      await session.wake();
    } catch (cause) {
      warn('The alarm of a session failed and will be tried again', cause);
      this.#alarm.arm(Date.now() + 5_000);
    }
  }
}

function runLater(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
