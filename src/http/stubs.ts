/**
 * The stubs of sessions, workspaces, targets and the inbox: a method for each request to their objects, which may be on
 * another machine.
 */
import type { NotedKey } from '../workspace/entry-keys.ts';
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import type { FileEntry, StoredFile } from '../agent/tools/ports.ts';
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { AudiencePolicy, GroupView } from '../protocol/schema/audience-rule.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Command, Context } from '../protocol/schema/command.ts';
import type { InteractionView } from '../protocol/schema/interaction.ts';
import type { CreateRule, CreateWorkspaceRule, Rule } from '../protocol/schema/rule.ts';
import type { CreateDevice, DeviceView } from '../protocol/schema/device.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import type {
  DeliveryView,
  RedeliverSince,
  Redelivered,
  TargetView,
} from '../protocol/schema/target.ts';
import type { Retention, RetentionPreview } from '../protocol/schema/retention.ts';
import type { WorkspaceEntry } from '../protocol/schema/workspace-list.ts';
import type { Status } from '../protocol/schema/status.ts';
import type {
  KeyView,
  ListedKey,
  Policy,
  RuleTrial,
  Settings,
  TokenView,
} from '../protocol/schema/workspace.ts';
import type { RulesPage } from '../workspace/rules.ts';
import type { AnswerResult } from '../delivery/ports.ts';
import type { InboundMessage } from '../delivery/receiver-answer.ts';
import type { ReceivedMessage } from '../delivery/surface-message.ts';
import type { SurfaceMessage } from '../delivery/surfaces/surface.ts';
import type { DeliveriesPage } from '../delivery/target.ts';
import type { FilePart, NewAttachedFile } from '../session/attached-files.ts';
import type { HistoryLines } from '../session/history.ts';
import type { AskAndWait, JoinRequest, WaitRequest } from '../session/join.ts';
import type { InteractionPage, listInteractions, readInputPart } from '../session/queries.ts';
import type { SearchPage } from '../protocol/schema/search.ts';
import type { SearchQuery } from '../session/search-log.ts';
import type { ResultMeta, ResultText } from '../session/command-result.ts';
import type { HandleResult } from '../session/command-result.ts';
import type { DecisionsPage, InboxPage, SessionsPage, Snapshot } from '../protocol/types.ts';
import type { CliName } from '../protocol/cli-sessions.ts';
import type { CliSessionOwner, SessionsQuery } from '../workspace/list-sessions.ts';
import type { DeviceOwner } from '../workspace/devices.ts';
import type {
  AuditExportPage,
  AuditListPage,
  AuditQuery,
  ExportQuery,
} from '../workspace/audit.ts';
import type { AdmissionRights, NewSignIn, SignInPlace } from '../workspace/sign-ins.ts';
import type { GrantedRoles, VerifiedPerson } from '../workspace/people.ts';
import type {
  InvitePerson,
  Member,
  PersonEnds,
  PersonView,
  SignInView,
  UpdatePerson,
} from '../protocol/schema/person.ts';
import type {
  CreateKeyInput,
  CreateTargetInput,
  Decider,
  InboxQuery,
  InboxAttachment,
  KeyUse,
  PageQuery,
  TargetChanges,
  TargetMaker,
} from '../workspace/ports.ts';
import type { NewToken } from '../workspace/store.ts';
import type { CreatedTarget } from '../workspace/targets.ts';
import type { TokensPage } from '../workspace/keys.ts';

export interface SessionStub {
  handle(command: Command, context: Context): Promise<ResultText | Rejection>;
  handleEach(commands: readonly Command[], context: Context): Promise<HandleResult[]>;
  snapshot(): Promise<ReadResult<Snapshot>>;
  interaction(interactionId: string, caller: Caller): Promise<ReadResult<InteractionView>>;
  acknowledge(
    interactionId: string,
    toolCallId: string,
    caller: Caller,
  ): Promise<ReadResult<InteractionView>>;
  /** Whether this call has the approval of an earlier hook: the first one does (HOOK-1). */
  reuseApproval(interactionId: string, caller: Caller): Promise<ReadResult<boolean>>;
  interactions(
    ask: Parameters<typeof listInteractions>[1],
    caller: Caller,
  ): Promise<ReadResult<InteractionPage>>;
  /** A part of the exact input, from 0. */
  inputPart(interactionId: string, part: number): Promise<ReturnType<typeof readInputPart>>;
  /** `base64`: the bytes of the file. */
  attach(file: NewAttachedFile, base64: string, caller: Caller): Promise<ReadResult<AttachedFile>>;
  /** A part of an attached file, from 0. */
  attachedPart(attachmentId: string, part: number): Promise<ReadResult<FilePart>>;
  agentSettings(): Promise<ReadResult<AgentSettings | null>>;
  rules(): Promise<ReadResult<readonly Rule[]>>;
  search(asked: SearchQuery, caller: Caller): Promise<ReadResult<SearchPage>>;
  files(): Promise<ReadResult<readonly FileEntry[]>>;
  file(path: string): Promise<ReadResult<StoredFile>>;
  /** A page of the log, as the text of its response. */
  events(after: number, limit: number, caller: Caller): Promise<ReadResult<string>>;
  importHistory(page: HistoryLines, context: Context): Promise<ResultText | Rejection>;
  /** A page of imported history, as the text of its response. */
  history(after: string | undefined, limit: number): Promise<ReadResult<string>>;
}

export interface SessionConnections {
  connect(
    request: Exclude<JoinRequest, WaitRequest>,
    subprotocol?: string,
  ): Promise<AcceptedUpgrade | Rejection>;
  /** Stays pending for the first seconds of the interaction. The signal ends it, without a frame. */
  waitForOutcome(request: WaitRequest, signal: AbortSignal): Promise<OutcomeWaiting | Rejection>;
  /** Asks, and then waits in the same way if there is something to wait for. */
  askAndWait(
    request: AskAndWait,
    signal: AbortSignal,
  ): Promise<AskedAndWaiting | ResultText | Rejection>;
}

/** The record came while the call was pending, or it comes over the socket. Without either the wait has ended. */
export type OutcomeWaiting =
  | { readonly ok: true; readonly frame: OutcomeFrame | undefined }
  | { readonly ok: true; readonly socket: ClientSocket };

export type AskedAndWaiting = OutcomeWaiting & ResultMeta & { readonly interactionId: string };

/** The one frame that a waiter receives. */
export type OutcomeFrame =
  | { readonly type: 'settled'; readonly interaction: InteractionView }
  | { readonly type: 'error'; readonly error: Omit<Rejection, 'ok'> };

/** A connection to a session or the inbox: for the client itself, or for this Worker on its behalf. */
export interface AcceptedUpgrade {
  readonly ok: true;
  /** Makes it the client's connection. */
  readonly response: Response;
  readonly socket: ClientSocket;
}

export interface ClientSocket {
  /** Starts receiving; `ended` is called once, whichever end closes the socket. */
  listen(received: (text: string) => void, ended: () => void): void;
  close(code: number, reason: string): void;
}

export interface FoundSession {
  readonly ok: true;
  readonly session: SessionStub;
  readonly connections: SessionConnections;
}

export interface WorkspaceStub {
  /** `subject` is the person whose pins are shown. */
  sessions(query: SessionsQuery, subject: string): Promise<ReadResult<SessionsPage>>;
  pinSession(subject: string, sessionId: string): Promise<{ ok: true } | Rejection>;
  unpinSession(subject: string, sessionId: string): Promise<void>;
  inbox(page: InboxQuery): Promise<ReadResult<InboxPage>>;
  /** Without a decider, what everyone decided. */
  decisions(page: PageQuery, decider?: Decider): Promise<ReadResult<DecisionsPage>>;
  audit(query: AuditQuery): Promise<ReadResult<AuditListPage>>;
  /** A part of the list in the order of its chain. */
  exportAudit(query: ExportQuery): Promise<AuditExportPage>;
  openStatus(): Promise<Pick<Status, 'now' | 'open' | 'oldestOpenedAt'>>;
  status(): Promise<Omit<Status, 'targets'>>;
  previewRetention(retention: Retention): Promise<RetentionPreview>;
  /** An administrator has exported a session up to this event. */
  noteExport(sessionId: string, head: number): Promise<void>;
  workspaces(): Promise<readonly WorkspaceEntry[]>;
  createWorkspace(
    wanted: { readonly name: string; readonly title?: string | undefined },
    by: Settler,
  ): Promise<ReadResult<WorkspaceEntry>>;
  renameWorkspace(name: string, title: string, by: Settler): Promise<ReadResult<WorkspaceEntry>>;
  /** A key of another workspace is about to be made; refused where the credential that makes it has ended. */
  noteWorkspaceKey(key: NotedKey, by: Settler): Promise<{ ok: true } | Rejection>;
  createKey(input: CreateKeyInput, by: Settler, name?: string): Promise<KeyView | Rejection>;
  listKeys(): Promise<readonly ListedKey[]>;
  revokeKey(id: string, by: Settler): Promise<{ ok: true } | Rejection>;
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): Promise<{ ok: true } | Rejection>;
  tokens(page: PageQuery): Promise<ReadResult<TokensPage>>;
  revoke(credential: string, longest: number | null, by: Settler): Promise<void>;
  /** The first session that claims a CLI session has it; a repeat succeeds. */
  claimCliSession(cli: CliName, sessionId: string): Promise<{ ok: true } | Rejection>;
  releaseCliSession(cli: CliName, sessionId: string): Promise<void>;
  findCliSession(cli: CliName): Promise<ReadResult<CliSessionOwner>>;
  createTarget(
    input: CreateTargetInput,
    maker: TargetMaker,
    name?: string,
  ): Promise<ReadResult<CreatedTarget>>;
  targets(): Promise<readonly TargetView[]>;
  target(id: string): Promise<ReadResult<TargetView>>;
  /** Who enables a target that a revoked credential made is its maker from then on. */
  updateTarget(
    id: string,
    changes: TargetChanges,
    by: Settler,
    maker: TargetMaker['maker'],
  ): Promise<ReadResult<TargetView>>;
  rotateTargetSecret(id: string, by: Settler): Promise<ReadResult<CreatedTarget>>;
  deleteTarget(id: string, by: Settler): Promise<{ ok: true } | Rejection>;
  createDevice(
    input: CreateDevice,
    owner: DeviceOwner,
    vapid: VapidKeys,
  ): Promise<ReadResult<DeviceView>>;
  devices(subject: string): Promise<readonly DeviceView[]>;
  /** Rejected for the device of another person. */
  device(id: string, subject: string): Promise<{ ok: true } | Rejection>;
  removeDevice(id: string, by: Settler): Promise<{ ok: true } | Rejection>;
  vapidKeys(): Promise<VapidKeys>;
  /** Also takes down which keys were used since. */
  policy(uses?: readonly KeyUse[]): Promise<Policy>;
  audiencePolicy(): Promise<AudiencePolicy>;
  rules(page: PageQuery): Promise<ReadResult<RulesPage>>;
  createRule(wanted: CreateWorkspaceRule, by: Settler): Promise<ReadResult<Rule>>;
  deleteRule(id: string, by: Settler): Promise<{ ok: true } | Rejection>;
  tryRule(wanted: CreateRule): Promise<ReadResult<RuleTrial>>;
  groups(): Promise<readonly GroupView[]>;
  putGroup(name: string, subjects: readonly string[], by: Settler): Promise<ReadResult<GroupView>>;
  deleteGroup(name: string, by: Settler): Promise<{ ok: true } | Rejection>;
  quietHours(subject: string): Promise<QuietHours | null>;
  /** Null removes them. */
  setQuietHours(
    subject: string,
    hours: QuietHours | null,
    by: Settler,
  ): Promise<{ ok: true } | Rejection>;
  people(): Promise<readonly PersonView[]>;
  person(subject: string): Promise<ReadResult<{ person: PersonView; ends: PersonEnds }>>;
  invitePerson(input: InvitePerson, by: Settler): Promise<ReadResult<PersonView>>;
  updatePerson(
    subject: string,
    changes: UpdatePerson,
    by: Settler,
  ): Promise<ReadResult<PersonView>>;
  removePerson(subject: string, by: Settler): Promise<ReadResult<PersonEnds>>;
  /** The active people; isolates keep a copy. */
  members(): Promise<readonly Member[]>;
  /** The names of people by their subjects, of those who have one. */
  names(): Promise<Readonly<Record<string, string>>>;
  signIn(
    verified: VerifiedPerson,
    granted: AdmissionRights,
    where: SignInPlace,
  ): Promise<ReadResult<NewSignIn>>;
  /** Lets a person in whom another service has signed in. */
  admit(verified: VerifiedPerson, granted: GrantedRoles): Promise<ReadResult<Member>>;
  acceptInvitation(invitation: string, subject: string): Promise<ReadResult<Member>>;
  /** The member as the directory has them now, never a copy; null without access. */
  checkMember(
    subject: string,
    signInId: string | null,
    place: string | null,
  ): Promise<Member | null>;
  /** Of one person, or of all with null. */
  signIns(subject: string | null): Promise<readonly SignInView[]>;
  endSignIn(id: string, subject: string | null, by: Settler): Promise<{ ok: true } | Rejection>;
  endOtherSignIns(subject: string, kept: string, by: Settler): Promise<number>;
  /** The tokens of a person that are in force. */
  ownTokens(subject: string): Promise<readonly TokenView[]>;
  updateSettings(settings: Settings, by: Settler): Promise<Settings>;
  /** Records that these credentials have a live socket there; true when one of them is revoked. */
  watch(
    credentials: readonly string[],
    sessionId: string,
    expiresAt: number | null,
  ): Promise<boolean>;
}

export interface TargetStub {
  /** Sends a test, and resolves with what became of it. */
  test(): Promise<ReadResult<DeliveryView>>;
  deliveries(page: PageQuery): Promise<ReadResult<DeliveriesPage>>;
  redeliver(id: string): Promise<ReadResult<DeliveryView>>;
  redeliverSince(what: RedeliverSince): Promise<ReadResult<Redelivered>>;
  answer(deliveryId: string, message: InboundMessage): Promise<AnswerResult>;
  /** Whether it is enabled and this is its audience: its answer links end with either. */
  answersAs(subject: string): Promise<boolean>;
  /** A message in the form of the surface of the target. */
  receiveMessage(message: SurfaceMessage): Promise<ReceivedMessage | Rejection>;
}

export interface InboxStub {
  connect(listening: InboxAttachment, subprotocol?: string): Promise<AcceptedUpgrade | Rejection>;
}
