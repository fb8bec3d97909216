/**
 * One workspace: the state that spans its sessions, and its only writer.
 *
 * Sessions are the truth. The workspace keeps their reports, so that a person finds every open interaction in one
 * place, and so that a session that slept through a deadline is found. No method awaits anything before its write; calls
 * to sessions follow the write. The file is long because every change of the workspace passes this one writer.
 */
import type { LogConflict, Report } from '../core/report.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { CliName } from '../protocol/cli-sessions.ts';
import { type Rejection, reject, type ReadResult } from '../protocol/errors.ts';
import type { DisabledState } from '../delivery/ports.ts';
import type { CreateDevice, DeviceView } from '../protocol/schema/device.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import type { AudiencePolicy, GroupView } from '../protocol/schema/audience-rule.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { CreateRule, CreateWorkspaceRule, Rule } from '../protocol/schema/rule.ts';
import type { TargetView } from '../protocol/schema/target.ts';
import type {
  KeyView,
  ListedKey,
  Policy,
  RuleTrial,
  Settings,
} from '../protocol/schema/workspace.ts';
import { activitiesOf } from './activity.ts';
import * as audit from './audit.ts';
import type { Retention, RetentionPreview } from '../protocol/schema/retention.ts';
import type { WorkspaceEntry } from '../protocol/schema/workspace-list.ts';
import { listSessions, pinSession, type SessionsQuery, unpinSession } from './list-sessions.ts';
import { applyReport } from './session-index.ts';
import type { DecisionsPage, InboxPage, SessionsPage } from '../protocol/types.ts';
import { listInbox, InboxShares } from './inbox.ts';
import { searchInbox } from './search-inbox.ts';
import { listDecisions } from './decisions.ts';
import * as cliSessions from './cli-sessions.ts';
import * as devices from './devices.ts';
import { type CredentialEnds, Directory } from './directory.ts';
import { Groups } from './groups.ts';
import { PersonalHours } from './quiet-hours.ts';
import { createKey, listKeys, recordKeyUses, revokeKey } from './keys.ts';
import { InboxSubscribers } from './inbox-subscribers.ts';
import type {
  CreateKeyInput,
  CreateTargetInput,
  Decider,
  InboxQuery,
  InboxSocket,
  InboxAttachment,
  KeyUse,
  NewToken,
  PageQuery,
  TargetChanges,
  TargetMaker,
  WorkspacePorts,
} from './ports.ts';
import { revokeToken, addWatchers } from './revocations.ts';
import { Maintenance } from './maintenance.ts';
import { type RulesPage, WorkspaceRules } from './rules.ts';
import { readWorkspaceSettings, updateSettings } from './settings.ts';
import { openStatus, wholeStatus } from './status.ts';
import { previewRetention } from './retention.ts';
import { TargetOutbox } from './target-outbox.ts';
import * as targets from './targets.ts';
import { createWorkspace, listWorkspaces, renameWorkspace } from './workspace-list.ts';
import { listTokens, recordToken, type TokensPage } from './tokens.ts';

const REVOKED_CREDENTIAL = reject('unauthenticated', 'This credential was revoked');

export class Workspace {
  readonly #ports: WorkspacePorts;
  readonly #maintenance: Maintenance;
  readonly #outbox: TargetOutbox;
  readonly #groups: Groups;
  readonly #rules: WorkspaceRules;
  readonly #quietHours: PersonalHours;
  readonly #inboxSubscribers: InboxSubscribers;
  /** Who may sign in, and the end of it. */
  readonly directory: Directory;
  readonly #shares = new InboxShares();
  /** Counted once and then kept, because counting reads the whole inbox. */
  #openCount: number | null = null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    this.#groups = new Groups(ports);
    this.#rules = new WorkspaceRules(ports);
    this.#quietHours = new PersonalHours(ports);
    this.#outbox = new TargetOutbox(ports, { groups: this.#groups, quietHours: this.#quietHours });
    this.#maintenance = new Maintenance(ports, this.#outbox);
    this.#inboxSubscribers = new InboxSubscribers(ports);
    this.directory = new Directory({
      ...ports,
      groups: this.#groups,
      ends: this.#credentialEnds(),
    });
  }

  /** Returns the last event that is known now; below the head of the report, the session reports again from there. */
  applyReport(report: Report): number | LogConflict {
    const { warn } = this.#ports;
    const { applied, touched } = this.#applyOrReset(report);
    if ('otherLog' in applied) return applied.otherLog;
    if (applied.replacedLog !== undefined) {
      const message = `The file of session ${report.sessionId} was exchanged; its new log replaces the known one`;
      warn(message, { known: applied.replacedLog.head, head: report.head });
    }
    if (this.#openCount !== null) this.#openCount += applied.opened;
    this.#maintenance.arm(applied.isNew ? 'new-session' : undefined);
    for (const targetId of touched) this.#handOver(targetId);
    if (applied.inboxChange !== undefined && this.#inboxSubscribers.hasAny) {
      this.#inboxSubscribers.sendChange({ ...applied.inboxChange, ...this.#inboxTotals() });
    }
    const { showActivity } = this.#ports;
    const { announcements = [], problem } = applied.announcements ?? {};
    if (problem !== undefined)
      warn(`An announcement of ${report.sessionId} cannot be read`, problem);
    if (showActivity !== undefined) {
      for (const activity of activitiesOf(report, announcements)) showActivity(activity);
    }
    return applied.head;
  }

  #applyOrReset(report: Report) {
    const { store, now } = this.#ports;
    let touched: ReadonlySet<string> = new Set();
    try {
      const applied = applyReport(store, report, now(), {
        shares: this.#shares,
        addRules: (known, isDeleted) => this.#rules.applyReport(report, known, isDeleted),
        addAnnouncements: (announcements) => {
          touched = this.#outbox.addAnnouncements(report, announcements);
        },
      });
      return { applied, touched };
    } catch (cause) {
      this.#shares.reset();
      this.#rules.reset();
      this.#outbox.reset();
      throw cause;
    }
  }

  /** No session waits for it. What fails, the alarm tries again. */
  #handOver(targetId: string): void {
    void this.#outbox.send(targetId).then((isSent) => {
      if (!isSent) this.#maintenance.retryHandover();
    });
  }

  sessions(query: SessionsQuery, subject?: string): ReadResult<SessionsPage> {
    return listSessions(this.#ports.store, query, subject);
  }

  pinSession(subject: string, sessionId: string): { ok: true } | Rejection {
    const { store, now } = this.#ports;
    return pinSession(store, subject, { sessionId, at: now() });
  }

  unpinSession(subject: string, sessionId: string): void {
    unpinSession(this.#ports.store, subject, sessionId);
  }

  claimCliSession(cli: CliName, sessionId: string): { ok: true } | Rejection {
    return cliSessions.claimCliSession(this.#ports.store, cli, sessionId);
  }

  releaseCliSession(cli: CliName, sessionId: string): void {
    cliSessions.releaseCliSession(this.#ports.store, cli, sessionId);
  }

  findCliSession(cli: CliName): ReadResult<cliSessions.CliSessionOwner> {
    return cliSessions.findCliSession(this.#ports.store, cli);
  }

  inbox({ search, ...page }: InboxQuery): ReadResult<InboxPage> {
    const { store } = this.#ports;
    const totals = this.#inboxTotals();
    if (search === undefined) return listInbox(store, page, totals);
    const { subject } = search.reader;
    const groups = this.#groups.namesOf(subject, { withFormer: false });
    return searchInbox(store, page, totals, { ...search, groups });
  }

  /** Undefined when the connection may be accepted; `subscribe` must follow. */
  findSubscribeRejection(attachment: InboxAttachment): Rejection | undefined {
    const { store } = this.#ports;
    if (attachment.chain.some((credential) => store.revocations.has(credential)))
      return REVOKED_CREDENTIAL;
    return this.#inboxSubscribers.findCapacityRejection(attachment);
  }

  /** Call it without an await after accepting the connection, so that no change falls between. */
  subscribe(subscriber: InboxSocket): void {
    const page = this.inbox({});
    if (page.ok) this.#inboxSubscribers.sendFirstPage(subscriber, page.value);
  }

  rejectFrame(subscriber: InboxSocket): void {
    this.#inboxSubscribers.rejectFrame(subscriber);
  }

  #inboxTotals(): { total: number; now: number } {
    const { store, now } = this.#ports;
    this.#openCount ??= store.inbox.count();
    return { total: this.#openCount, now: now() };
  }

  decisions(page: PageQuery, decider?: Decider): ReadResult<DecisionsPage> {
    return listDecisions(this.#ports.store, page, decider, this.#ports.warn);
  }

  audit(query: audit.AuditQuery): ReadResult<audit.AuditPage> {
    return audit.listAudit(this.#ports.store, query, this.#ports.warn);
  }

  /** A part of the list in the order of its chain. */
  exportAudit(query: audit.ExportQuery): audit.AuditExportPage {
    const { store, now } = this.#ports;
    return audit.exportAudit(store, query, now());
  }

  openStatus() {
    return openStatus(this.#ports, this.#inboxTotals().total);
  }

  status() {
    return wholeStatus(this.#ports, this.#inboxTotals().total);
  }

  previewRetention(retention: Retention): RetentionPreview {
    return previewRetention(this.#ports.store, retention, this.#ports.now());
  }

  /** An administrator has exported a session up to this event. */
  noteExport(sessionId: string, head: number): void {
    const { store, now } = this.#ports;
    if (store.exports.headOf(sessionId) >= head || store.sessions.find(sessionId) === undefined)
      return;
    store.write(() => store.exports.put(sessionId, head, now()));
  }

  /** Of the whole deployment; in its first workspace alone. */
  workspaces(): WorkspaceEntry[] {
    return listWorkspaces(this.#ports.store);
  }

  createWorkspace(
    wanted: { readonly name: string; readonly title?: string | undefined },
    by: Settler,
  ): ReadResult<WorkspaceEntry> {
    return createWorkspace(this.#ports.store, wanted, by, this.#ports.now());
  }

  renameWorkspace(name: string, title: string, by: Settler): ReadResult<WorkspaceEntry> {
    const { store, now } = this.#ports;
    return renameWorkspace(store, name, title, { by, now: now() });
  }

  /** A key of another workspace is about to be made. */
  noteWorkspaceKey(workspace: string, { name, scopes }: CreateKeyInput, by: Settler): void {
    const { store, now } = this.#ports;
    const entry = { what: 'workspace', workspace, change: 'key created', named: name } as const;
    store.write(() => audit.addOwnAudit(store, by, { at: now(), ...entry, scopes: [...scopes] }));
  }

  /** With the same `name`, a repeated request finds the key that the first one created. */
  createKey(wanted: CreateKeyInput, by: Settler, name?: string): KeyView | Rejection {
    const { store, freshId, now } = this.#ports;
    return createKey(store, wanted, by, { id: name ?? freshId(), now: now() });
  }

  listKeys(): ListedKey[] {
    return listKeys(this.#ports.store, this.#ports.now());
  }

  /** Resolves when every reachable session has closed the connections of this key. */
  async revokeKey(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    const revoked = this.#revoke(id, by, (endDevices) =>
      revokeKey(this.#ports.store, id, by, { now: this.#ports.now(), endDevices }),
    );
    if (!revoked.ok) return revoked;
    this.#inboxSubscribers.closeRevoked(id);
    await this.#maintenance.pushRevocations();
    return revoked;
  }

  /** Must precede the response that holds the token. */
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): { ok: true } | Rejection {
    const { store, now } = this.#ports;
    const recorded = recordToken(store, token, by, { now: now(), isAdmin });
    if (recorded.ok) this.#maintenance.arm();
    return recorded;
  }

  tokens(page: PageQuery): ReadResult<TokensPage> {
    return listTokens(this.#ports.store, page, this.#ports.now());
  }

  /** Revokes a session token or a person token; no token lives longer than `longest`. */
  async revoke(credential: string, longest: number | null, by: Settler): Promise<void> {
    const { store, now } = this.#ports;
    this.#revoke(credential, by, (endDevices) =>
      revokeToken(store, credential, longest, by, { at: now(), endDevices }),
    );
    this.#inboxSubscribers.closeRevoked(credential);
    await this.#maintenance.pushRevocations();
  }

  /** Whether one of the credentials is revoked. A session calls it after it has attached the socket. */
  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null): boolean {
    return addWatchers(this.#ports.store, credentials, sessionId, expiresAt);
  }

  policy(uses: readonly KeyUse[] = []): Policy {
    const { store, now } = this.#ports;
    recordKeyUses(store, uses, now());
    return { revoked: store.revocations.list(now()), settings: readWorkspaceSettings(store) };
  }

  /** What sessions keep a copy of. */
  audiencePolicy(): AudiencePolicy {
    const { audiences: rules = [] } = readWorkspaceSettings(this.#ports.store);
    const named = this.#outbox.targets().flatMap(({ id, name }) => (name ? [[id, name]] : []));
    const targetNames = Object.fromEntries(named);
    return { rules, groups: this.#groups.list(), targetNames, gateRules: this.#rules.own() };
  }

  rules(page: PageQuery): ReadResult<RulesPage> {
    return this.#rules.list(page);
  }

  createRule(wanted: CreateWorkspaceRule, by: Settler): ReadResult<Rule> {
    return this.#orReset(() => this.#rules.create(wanted, by));
  }

  deleteRule(id: string, by: Settler): { ok: true } | Rejection {
    return this.#orReset(() => this.#rules.remove(id, by));
  }

  tryRule(wanted: CreateRule): ReadResult<RuleTrial> {
    return this.#rules.tryOut(wanted);
  }

  groups(): GroupView[] {
    return this.#groups.list();
  }

  putGroup(name: string, subjects: readonly string[], by: Settler): ReadResult<GroupView> {
    return this.#groups.put(name, subjects, by);
  }

  deleteGroup(name: string, by: Settler): { ok: true } | Rejection {
    return this.#groups.delete(name, by);
  }

  quietHours(subject: string): QuietHours | null {
    return this.#quietHours.of(subject) ?? null;
  }

  setQuietHours(subject: string, hours: QuietHours | null, by: Settler): { ok: true } | Rejection {
    const to = { by, outbox: this.#outbox };
    const set = this.#orReset(() => this.#quietHours.set(subject, hours, to));
    if (set.ok) this.#handOverChanges(set.targets);
    return set.ok ? { ok: true } : set;
  }

  settings(): Settings {
    return readWorkspaceSettings(this.#ports.store);
  }

  updateSettings(settings: Settings, by: Settler): Settings {
    const updated = updateSettings(this.#ports.store, settings, by, this.#ports.now());
    this.#maintenance.restartRetention();
    return updated;
  }

  /** With the same id, a repeated request finds the target that the first one created. */
  async createTarget(
    input: CreateTargetInput,
    maker: TargetMaker,
    name?: string,
  ): Promise<ReadResult<targets.CreatedTarget>> {
    const id = `tgt_${name ?? this.#ports.freshId()}`;
    return this.#changeTarget(id, () =>
      targets.createTarget(this.#ports, this.#outbox, input, { maker, id }),
    );
  }

  targets(): TargetView[] {
    return this.#outbox.targets().map(targets.viewTarget);
  }

  target(id: string): ReadResult<TargetView> {
    return targets.findTarget(this.#outbox, id);
  }

  updateTarget(id: string, changes: TargetChanges, by: Settler): Promise<ReadResult<TargetView>> {
    return this.#changeTarget(id, () =>
      targets.updateTarget(this.#ports, this.#outbox, id, { changes, by }),
    );
  }

  rotateTargetSecret(id: string, by: Settler): Promise<ReadResult<targets.CreatedTarget>> {
    return this.#changeTarget(id, () =>
      targets.rotateTargetSecret(this.#ports, this.#outbox, id, by),
    );
  }

  deleteTarget(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    return this.#changeTarget(id, () => targets.deleteTarget(this.#ports, this.#outbox, id, by));
  }

  disableFailedTarget(id: string, disabled: Omit<DisabledState, 'isReported'>): void {
    targets.disableFailedTarget(this.#ports, this.#outbox, id, disabled);
    this.#maintenance.arm();
    this.#handOver(id);
  }

  createDevice(
    input: CreateDevice,
    owner: devices.DeviceOwner,
    vapid: VapidKeys,
  ): Promise<ReadResult<DeviceView>> {
    const id = `tgt_${this.#ports.freshId()}`;
    const made = { owner, vapid, id };
    return this.#changeTarget(id, () =>
      devices.createDevice(this.#ports, this.#outbox, input, made),
    );
  }

  devices(subject: string): DeviceView[] {
    return devices.listDevices(this.#outbox, subject);
  }

  /** Rejected for the device of another person, as if it did not exist. */
  device(id: string, subject: string): { ok: true } | Rejection {
    const found = devices.findDevice(this.#outbox, id, subject);
    return found.ok ? { ok: true } : found;
  }

  removeDevice(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    return this.#changeTarget(id, () => {
      const found = devices.findDevice(this.#outbox, id, by.subject);
      if (!found.ok) return found;
      devices.removeDevice(this.#ports, this.#outbox, found.value, {
        by,
        change: 'device removed',
      });
      return { ok: true as const };
    });
  }

  /** Made at the first use, and then the same for good: a subscription is bound to the public key. */
  vapidKeys(): Promise<VapidKeys> {
    return devices.findVapidKeys(this.#ports);
  }

  /** The object of the target has the change before the response, unless it is out of reach. */
  async #changeTarget<Result extends { readonly ok: boolean }>(
    id: string,
    change: () => Result,
  ): Promise<Result> {
    const result = this.#orReset(change);
    if (!result.ok) return result;
    this.#maintenance.arm();
    if (!(await this.#outbox.send(id))) this.#maintenance.retryHandover();
    return result;
  }

  /** A revocation ends the devices of the credential in the same transaction. */
  #revoke<Result>(
    credential: string,
    by: Settler,
    revoke: (endDevices: () => void) => Result,
  ): Result {
    let ended: readonly string[] = [];
    const result = this.#orReset(() =>
      revoke(() => {
        ended = devices.dropDevicesOf(this.#ports, this.#outbox, {
          credentials: [credential],
          by,
        });
      }),
    );
    this.#handOverChanges(ended);
    return result;
  }

  /** What the directory ends when a person signs out, changes the role or leaves. */
  #credentialEnds(): CredentialEnds {
    const dropped = new Set<string>();
    return {
      dropDevices: (credentials, subject, by) => {
        const which = { credentials, subject, by };
        for (const id of devices.dropDevicesOf(this.#ports, this.#outbox, which)) dropped.add(id);
      },
      countDevices: (subject) => devices.listDevices(this.#outbox, subject).length,
      closeConnections: async (credentials) => {
        this.#handOverChanges([...dropped]);
        dropped.clear();
        for (const credential of credentials) this.#inboxSubscribers.closeRevoked(credential);
        await this.#maintenance.pushRevocations();
      },
      reset: () => {
        dropped.clear();
        this.#outbox.reset();
      },
    };
  }

  #handOverChanges(targetIds: readonly string[]): void {
    if (targetIds.length > 0) this.#maintenance.arm();
    for (const id of targetIds) this.#handOver(id);
  }

  #orReset<Result>(change: () => Result): Result {
    try {
      return change();
    } catch (cause) {
      this.#outbox.reset();
      this.#rules.reset();
      throw cause;
    }
  }

  alarm(): Promise<void> {
    return this.#maintenance.alarm();
  }
}
