/**
 * The Durable Object of one workspace: gives the workspace its ports, and names the methods that a stub can call.
 *
 * It decides nothing. It returns refusals and throws none: an error loses its fields on the way to another object. The file
 * is long because a stub calls methods by their names, and each has its line here.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Report } from '../../core/report.ts';
import type { DisabledState } from '../../delivery/ports.ts';
import type { CreateRule, CreateWorkspaceRule } from '../../protocol/schema/rule.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import type { CreateDevice } from '../../protocol/schema/device.ts';
import type { QuietHours } from '../../protocol/schema/quiet-hours.ts';
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';
import type { Retention } from '../../protocol/schema/retention.ts';
import type { Settings } from '../../protocol/schema/workspace.ts';
import type { AuditQuery, ExportQuery } from '../../workspace/audit.ts';
import type { InvitePerson, UpdatePerson } from '../../protocol/schema/person.ts';
import type { AdmissionRights, SignInPlace } from '../../workspace/sign-ins.ts';
import type { VerifiedPerson } from '../../workspace/people.ts';
import type { DeviceOwner } from '../../workspace/devices.ts';
import type { CliName } from '../../protocol/cli-sessions.ts';
import type { SessionsQuery } from '../../workspace/list-sessions.ts';
import type { NotedKey } from '../../workspace/entry-keys.ts';
import type * as ports from '../../workspace/ports.ts';
import { ReportQueue } from '../../workspace/report-queue.ts';
import type { NewToken } from '../../workspace/store.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { freshId } from '../fresh-id.ts';
import { freshSecret } from '../webhook-ports.ts';
import { freshVapidKeys } from '../web-push/encrypt-push.ts';
import { SqliteWorkspaceStore } from '../sqlite/workspace-store.ts';
import { upgradeResponse, readUpgradeRequest } from './upgrade.ts';
import { type DurableAlarm, durableAlarm } from './durable-alarm.ts';
import { type CountingDatabase, durableDatabase } from '../sqlite/database.ts';
import { type Env, sessionName } from './env.ts';
import { HibernatingSockets, replyCloseCode } from './hibernating-sockets.ts';
import { WORKSPACE_MIGRATIONS } from '../sqlite/migrations.ts';
import { logActivity, logUnknownSchema, warn } from './log.ts';

export class WorkspaceObject extends DurableObject<Env> {
  readonly #database: CountingDatabase;
  readonly #store: SqliteWorkspaceStore;
  readonly #subscribers: HibernatingSockets<ports.InboxAttachment>;
  #alarm!: DurableAlarm;
  #workspace!: Workspace;
  readonly #reports = new ReportQueue({
    apply: (report) => this.#workspace.receiveReport(report),
    later: (ms, work) => setTimeout(work, ms),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    this.#subscribers = new HibernatingSockets(ctx);
    this.#database = durableDatabase(ctx.storage);
    this.#store = logUnknownSchema(
      `the workspace ${ctx.id.name}`,
      () => new SqliteWorkspaceStore(this.#database, WORKSPACE_MIGRATIONS, ctx.id.name),
    );
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await durableAlarm(ctx.storage, warn);
      this.#workspace = this.#begin();
    });
  }

  #begin(): Workspace {
    return new Workspace({
      store: this.#store,
      sessions: {
        poke: (sessionId) => this.#session(sessionId).poke(),
        revoke: (sessionId, credential) => this.#session(sessionId).revoke(credential),
        deleteIdle: (sessionId, head) => this.#session(sessionId).deleteIdle(head),
        connectedAgents: async (sessionId) => this.#session(sessionId).connectedAgents(),
      },
      workspaces: {
        endKey: (workspace, keyId, holdsTargets) =>
          this.env.WORKSPACE.getByName(workspace).endKey(keyId, holdsTargets),
      },
      targets: {
        receive: (targetId, config, announcements) =>
          this.env.TARGET.getByName(targetId).receive(config, announcements),
      },
      allowPrivateTargets: this.env.HOLDPOINT_PRIVATE_TOOLS === '1',
      freshSecret,
      freshVapidKeys,
      subscribers: this.#subscribers,
      alarm: this.#alarm,
      now: Date.now,
      freshId,
      warn,
      showActivity: this.env.HOLDPOINT_ACTIVITY === '1' ? logActivity : undefined,
    });
  }

  #session(id: string) {
    // An object that its alarm woke may not know its name: https://github.com/cloudflare/partykit/issues/390
    const workspace = this.#store.name();
    if (workspace === undefined) throw new Error('This workspace does not know its name');
    return this.env.SESSION.getByName(sessionName(workspace, id));
  }

  /** The billed writes since this object woke, for tests and the benchmark. */
  costs() {
    return { rowsWritten: this.#database.rowsWritten, alarmMoves: this.#alarm.moves };
  }

  applyReport(report: Report) {
    return this.#reports.receive(report);
  }

  wasSessionDeleted(sessionId: string): boolean {
    return this.#workspace.wasSessionDeleted(sessionId);
  }

  sessions(query: SessionsQuery, subject: string) {
    return this.#workspace.sessions(query, subject);
  }

  pinSession(subject: string, sessionId: string) {
    return this.#workspace.pinSession(subject, sessionId);
  }

  unpinSession(subject: string, sessionId: string) {
    this.#workspace.unpinSession(subject, sessionId);
  }

  claimCliSession(cli: CliName, sessionId: string) {
    return this.#workspace.claimCliSession(cli, sessionId);
  }

  releaseCliSession(cli: CliName, sessionId: string) {
    this.#workspace.releaseCliSession(cli, sessionId);
  }

  findCliSession(cli: CliName) {
    return this.#workspace.findCliSession(cli);
  }

  inbox(page: ports.InboxQuery) {
    return this.#workspace.inbox(page);
  }

  decisions(page: ports.PageQuery, decider?: ports.Decider) {
    return this.#workspace.decisions(page, decider);
  }

  audit(query: AuditQuery) {
    return this.#workspace.audit(query);
  }

  exportAudit(query: ExportQuery) {
    return this.#workspace.exportAudit(query);
  }

  openStatus() {
    return this.#workspace.openStatus();
  }

  status() {
    return this.#workspace.status();
  }

  previewRetention(retention: Retention) {
    return this.#workspace.previewRetention(retention);
  }

  noteExport(sessionId: string, head: number) {
    this.#workspace.noteExport(sessionId, head);
  }

  workspaces() {
    return this.#workspace.workspaces();
  }

  createWorkspace(wanted: { name: string; title?: string | undefined }, by: Settler) {
    return this.#workspace.createWorkspace(wanted, by);
  }

  renameWorkspace(name: string, title: string, by: Settler) {
    return this.#workspace.renameWorkspace(name, title, by);
  }

  noteWorkspaceKey(key: NotedKey, by: Settler) {
    return this.#workspace.noteWorkspaceKey(key, by);
  }

  /** Called by the workspace whose administrator made it. */
  endKey(id: string, holdsTargets: boolean) {
    return this.#workspace.credentials.endKey(id, holdsTargets);
  }

  createKey(input: ports.CreateKeyInput, by: Settler, name?: string) {
    return this.#workspace.credentials.createKey(input, by, name);
  }

  listKeys() {
    return this.#workspace.credentials.listKeys();
  }

  revokeKey(id: string, by: Settler) {
    return this.#workspace.credentials.revokeKey(id, by);
  }

  recordToken(token: NewToken, by: Settler, isAdmin: boolean) {
    return this.#workspace.credentials.recordToken(token, by, isAdmin);
  }

  tokens(page: ports.PageQuery) {
    return this.#workspace.credentials.tokens(page);
  }

  revoke(credential: string, longest: number | null, by: Settler) {
    return this.#workspace.credentials.revoke(credential, longest, by);
  }

  /** Called by a session with those who voted before. */
  voters(voters: readonly Settler[]) {
    return this.#workspace.voters(voters);
  }

  createTarget(input: ports.CreateTargetInput, maker: ports.TargetMaker, name?: string) {
    return this.#workspace.receivers.createTarget(input, maker, name);
  }

  targets() {
    return this.#workspace.receivers.targets();
  }

  target(id: string) {
    return this.#workspace.receivers.target(id);
  }

  updateTarget(
    id: string,
    changes: ports.TargetChanges,
    by: Settler,
    maker: ports.TargetMaker['maker'],
  ) {
    return this.#workspace.receivers.updateTarget(id, changes, by, maker);
  }

  rotateTargetSecret(id: string, by: Settler) {
    return this.#workspace.receivers.rotateTargetSecret(id, by);
  }

  deleteTarget(id: string, by: Settler) {
    return this.#workspace.receivers.deleteTarget(id, by);
  }

  createDevice(input: CreateDevice, owner: DeviceOwner, vapid: VapidKeys) {
    return this.#workspace.receivers.createDevice(input, owner, vapid);
  }

  devices(subject: string) {
    return this.#workspace.receivers.devices(subject);
  }

  device(id: string, subject: string) {
    return this.#workspace.receivers.device(id, subject);
  }

  removeDevice(id: string, by: Settler) {
    return this.#workspace.receivers.removeDevice(id, by);
  }

  vapidKeys() {
    return this.#workspace.receivers.vapidKeys();
  }

  disableFailedTarget(id: string, disabled: Omit<DisabledState, 'isReported'>) {
    return this.#workspace.receivers.disableFailedTarget(id, disabled);
  }

  policy(uses?: readonly ports.KeyUse[]) {
    return this.#workspace.policy(uses);
  }

  audiencePolicy() {
    return this.#workspace.audiencePolicy();
  }

  rules(page: ports.PageQuery) {
    return this.#workspace.rules(page);
  }

  createRule(wanted: CreateWorkspaceRule, by: Settler) {
    return this.#workspace.createRule(wanted, by);
  }

  deleteRule(id: string, by: Settler) {
    return this.#workspace.deleteRule(id, by);
  }

  tryRule(wanted: CreateRule) {
    return this.#workspace.tryRule(wanted);
  }

  groups() {
    return this.#workspace.groups();
  }

  putGroup(name: string, subjects: readonly string[], by: Settler) {
    return this.#workspace.putGroup(name, subjects, by);
  }

  deleteGroup(name: string, by: Settler) {
    return this.#workspace.deleteGroup(name, by);
  }

  quietHours(subject: string) {
    return this.#workspace.quietHours(subject);
  }

  setQuietHours(subject: string, hours: QuietHours | null, by: Settler) {
    return this.#workspace.setQuietHours(subject, hours, by);
  }

  people() {
    return this.#workspace.directory.list();
  }

  person(subject: string) {
    return this.#workspace.directory.person(subject);
  }

  invitePerson(input: InvitePerson, by: Settler) {
    return this.#workspace.directory.invite(input, by);
  }

  updatePerson(subject: string, changes: UpdatePerson, by: Settler) {
    return this.#workspace.directory.update(subject, changes, by);
  }

  removePerson(subject: string, by: Settler) {
    return this.#workspace.directory.remove(subject, by);
  }

  members() {
    return this.#workspace.directory.members();
  }

  names() {
    return this.#workspace.directory.names();
  }

  signIn(verified: VerifiedPerson, granted: AdmissionRights, where: SignInPlace) {
    return this.#workspace.directory.signIns.begin(verified, granted, where);
  }

  admit(verified: VerifiedPerson, granted: AdmissionRights) {
    return this.#workspace.directory.signIns.admit(verified, granted);
  }

  acceptInvitation(invitation: string, subject: string) {
    return this.#workspace.directory.signIns.acceptInvitation(invitation, subject);
  }

  checkMember(subject: string, signInId: string | null, place: string | null) {
    return this.#workspace.directory.signIns.checkMember(subject, signInId, place);
  }

  signIns(subject: string | null) {
    return this.#workspace.directory.signIns.list(subject);
  }

  endSignIn(id: string, subject: string | null, by: Settler) {
    return this.#workspace.directory.signIns.end(id, subject, by);
  }

  endOtherSignIns(subject: string, kept: string, by: Settler) {
    return this.#workspace.directory.signIns.endOthers(subject, kept, by);
  }

  ownTokens(subject: string) {
    return this.#workspace.directory.ownTokens(subject);
  }

  settings() {
    return this.#workspace.settings();
  }

  updateSettings(settings: Settings, by: Settler) {
    return this.#workspace.updateSettings(settings, by);
  }

  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null) {
    return this.#workspace.credentials.watch(credentials, sessionId, expiresAt);
  }

  /** Only connections to the inbox arrive as requests. A refusal is a plain response. */
  override async fetch(request: Request): Promise<Response> {
    const { request: attachment, subprotocol } = readUpgradeRequest<ports.InboxAttachment>(request);
    const refused = this.#workspace.findSubscribeRejection(attachment);
    if (refused !== undefined) return Response.json(refused);
    const { 0: client, 1: server } = new WebSocketPair();
    this.#workspace.subscribe(this.#subscribers.accept(server, attachment));
    return upgradeResponse(client, { subprotocol });
  }

  override webSocketMessage(webSocket: WebSocket): void {
    this.#workspace.rejectFrame(this.#subscribers.socketFor(webSocket));
  }

  /** Without a close frame in return, the peer waits until it times out. */
  override webSocketClose(webSocket: WebSocket, code: number): void {
    this.#subscribers.remove(webSocket);
    webSocket.close(replyCloseCode(code));
  }

  override webSocketError(webSocket: WebSocket): void {
    this.#subscribers.remove(webSocket);
  }

  override async alarm(): Promise<void> {
    this.#alarm.markFired();
    await this.#workspace.alarm();
  }
}
