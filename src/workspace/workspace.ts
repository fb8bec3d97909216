/**
 * One workspace: the state that spans its sessions, and its only writer.
 *
 * Sessions are the truth. The workspace keeps their reports, so that a person finds every open interaction in one
 * place, and so that a session that slept through a deadline is found. No method awaits anything before its write; calls
 * to sessions follow the write. `credentials`, `directory` and `receivers` write their own part.
 */
import type { LogConflict, Report, ReportReply } from '../core/report.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { CliName } from '../protocol/cli-sessions.ts';
import { type Rejection, reject, type ReadResult } from '../protocol/errors.ts';
import type { AudiencePolicy, GroupView, VoterStanding } from '../protocol/schema/audience-rule.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { CreateRule, CreateWorkspaceRule, Rule } from '../protocol/schema/rule.ts';
import type { Policy, RuleTrial, Settings } from '../protocol/schema/workspace.ts';
import { activitiesOf } from './activity.ts';
import * as audit from './audit.ts';
import type { Retention, RetentionPreview } from '../protocol/schema/retention.ts';
import type { WorkspaceEntry } from '../protocol/schema/workspace-list.ts';
import * as cliSessions from './list-sessions.ts';
import { listSessions, pinSession, type SessionsQuery, unpinSession } from './list-sessions.ts';
import { applyReport } from './session-index.ts';
import type { DecisionsPage, InboxPage, SessionsPage } from '../protocol/types.ts';
import { listInbox, InboxShares, searchInbox, listDecisions } from './inbox.ts';
import { CredentialEnds } from './credential-ends.ts';
import { Directory } from './directory.ts';
import { noteEntryKey, type NotedKey } from './entry-keys.ts';
import { IssuedCredentials, recordKeyUses } from './keys.ts';
import { Receivers } from './receivers.ts';
import { Groups } from './groups.ts';
import { PersonalHours } from './quiet-hours.ts';
import { InboxSubscribers } from './inbox-subscribers.ts';
import type {
  Decider,
  InboxQuery,
  InboxSocket,
  InboxAttachment,
  KeyUse,
  PageQuery,
  WorkspacePorts,
} from './ports.ts';
import { Maintenance } from './maintenance.ts';
import { type RulesPage, WorkspaceRules } from './rules.ts';
import { readWorkspaceSettings, updateSettings } from './settings.ts';
import { openStatus, wholeStatus } from './status.ts';
import { previewRetention } from './retention.ts';
import { TargetOutbox } from './target-outbox.ts';
import { standingOf } from './voters.ts';
import { createWorkspace, listWorkspaces, renameWorkspace } from './workspace-list.ts';

const REVOKED_CREDENTIAL = reject('unauthenticated', 'This credential was revoked');

export class Workspace {
  readonly #ports: WorkspacePorts;
  readonly #maintenance: Maintenance;
  readonly #outbox: TargetOutbox;
  readonly #groups: Groups;
  readonly #rules: WorkspaceRules;
  readonly #quietHours: PersonalHours;
  readonly #inboxSubscribers: InboxSubscribers;
  readonly credentials: IssuedCredentials;
  readonly directory: Directory;
  readonly receivers: Receivers;
  readonly #shares = new InboxShares();
  /** Counted once and then kept, because counting reads the whole inbox. */
  #openCount: number | null = null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    const groups = new Groups(ports);
    this.#groups = groups;
    this.#rules = new WorkspaceRules(ports);
    this.#quietHours = new PersonalHours(ports);
    const outbox = new TargetOutbox(ports, { groups, quietHours: this.#quietHours });
    this.#outbox = outbox;
    const maintenance = new Maintenance(ports, outbox);
    this.#maintenance = maintenance;
    const inboxSubscribers = new InboxSubscribers(ports);
    this.#inboxSubscribers = inboxSubscribers;
    const receivers = new Receivers({ ...ports, outbox, maintenance });
    this.receivers = receivers;
    const ends = new CredentialEnds({ ...ports, outbox, receivers, maintenance, inboxSubscribers });
    this.credentials = new IssuedCredentials({ ...ports, ends, maintenance });
    this.directory = new Directory({ ...ports, groups, ends });
  }

  /** Applies a report, and says whether someone follows the inbox. */
  receiveReport(report: Report): ReportReply {
    const reply = this.applyReport(report);
    const isWatched = report.readsWatched === true && this.#inboxSubscribers.hasAny;
    return typeof reply === 'number' && isWatched ? { head: reply, isWatched } : reply;
  }

  /** Asked for a session whose file is empty: it is new, or was deleted and has lost what says so. */
  wasSessionDeleted(sessionId: string): boolean {
    return this.#ports.store.sessions.find(sessionId)?.deletedAt != null;
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
    this.#maintenance.armAfterReport({ ...applied, isAnnounced: touched.size > 0 });
    this.receivers.send(touched);
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
    const { store, now, showActivity } = this.#ports;
    let touched: ReadonlySet<string> = new Set();
    const isAnnounced = this.#outbox.targets().length > 0 || showActivity !== undefined;
    const addAnnouncements = (announcements: readonly Announcement[]) => {
      touched = this.#outbox.addAnnouncements(report, announcements);
    };
    try {
      const applied = applyReport(store, report, now(), {
        shares: this.#shares,
        addRules: (known, isDeleted) => this.#rules.applyReport(report, known, isDeleted),
        addAnnouncements: isAnnounced ? addAnnouncements : undefined,
      });
      return { applied, touched };
    } catch (cause) {
      this.#shares.reset();
      this.#rules.reset();
      this.#outbox.reset();
      throw cause;
    }
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

  audit(query: audit.AuditQuery): ReadResult<audit.AuditListPage> {
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
  noteWorkspaceKey(key: NotedKey, by: Settler): { ok: true } | Rejection {
    return noteEntryKey(this.#ports.store, key, by, this.#ports.now());
  }

  policy(uses: readonly KeyUse[] = []): Policy {
    const { store, now } = this.#ports;
    recordKeyUses(store, uses, now());
    return { revoked: store.revocations.list(now()), settings: readWorkspaceSettings(store) };
  }

  /** What sessions keep a copy of. */
  audiencePolicy(): AudiencePolicy {
    const { audiences: rules = [], prices = [] } = readWorkspaceSettings(this.#ports.store);
    const named = this.#outbox.targets().flatMap(({ id, name }) => (name ? [[id, name]] : []));
    const targetNames = Object.fromEntries(named);
    const gateRules = this.#rules.own();
    return { rules, groups: this.#groups.list(), targetNames, gateRules, prices };
  }

  /** Those who voted, as they stand now. */
  voters(voters: readonly Settler[]): VoterStanding[] {
    const { store } = this.#ports;
    const ports = { store, groups: this.#groups, directory: this.directory, outbox: this.#outbox };
    return voters.map((voter) => standingOf(ports, voter));
  }

  rules(page: PageQuery): ReadResult<RulesPage> {
    return this.#rules.list(page);
  }

  createRule(wanted: CreateWorkspaceRule, by: Settler): ReadResult<Rule> {
    return this.#rules.create(wanted, by);
  }

  deleteRule(id: string, by: Settler): { ok: true } | Rejection {
    return this.#rules.remove(id, by);
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
    const set = this.#outbox.orReset(() => this.#quietHours.set(subject, hours, to));
    if (set.ok) this.receivers.handOver(set.targets);
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

  alarm(): Promise<void> {
    return this.#maintenance.alarm();
  }
}
