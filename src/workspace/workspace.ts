/**
 * One workspace: what spans its sessions, behind one door.
 *
 * Sessions are the truth; this is what they told, kept so that a person finds everything that is open
 * in one place, and so that somebody notices when a session slept through a deadline. Everything here
 * runs to its end without waiting, but for the calls to sessions, which follow after the write.
 */
import type { AnotherLog, Report } from '../core/report.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { KeyView, Policy, Settings } from '../protocol/schema/workspace.ts';
import { activitiesOf } from './activity.ts';
import { type AuditPage, listAudit } from './audit.ts';
import { applyReport, listSessions } from './session-index.ts';
import type { InboxPage, SessionsPage } from '../protocol/types.ts';
import { listInbox } from './inbox.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { InboxSubscribers } from './inbox-subscribers.ts';
import type {
  CreateKeyInput,
  InboxSubscriber,
  InboxAttachment,
  NewToken,
  PageQuery,
  WorkspacePorts,
} from './ports.ts';
import type { ReadResult } from '../protocol/result.ts';
import { revokeToken, addWatchers } from './revocations.ts';
import { Maintenance } from './maintenance.ts';
import { readSettings, updateSettings } from './settings.ts';
import { InboxShares } from './inbox-shares.ts';
import { listTokens, recordToken, type TokensPage } from './tokens.ts';

const REVOKED_CREDENTIAL = reject('unauthenticated', 'This credential was revoked');

export class Workspace {
  readonly #ports: WorkspacePorts;
  readonly #maintenance: Maintenance;
  readonly #inboxSubscribers: InboxSubscribers;
  readonly #shares = new InboxShares();
  /** Counted once and then kept, because counting reads the whole inbox. */
  #openCount: number | null = null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    this.#maintenance = new Maintenance(ports);
    this.#inboxSubscribers = new InboxSubscribers(ports);
  }

  /** The head to which the session's log is known now; lower than told means "tell me from there". */
  applyReport(report: Report): number | AnotherLog {
    const { warn } = this.#ports;
    const heard = this.#applyOrReset(report);
    if ('knows' in heard) return heard.knows;
    if (heard.replacedLog !== undefined) {
      const message = `The file of session ${report.sessionId} was exchanged; what it says counts`;
      warn(message, { known: heard.replacedLog.head, head: report.head });
    }
    if (this.#openCount !== null) this.#openCount += heard.opened;
    this.#maintenance.arm(heard.isNew ? 'new-session' : undefined);
    if (heard.inboxChange !== undefined && this.#inboxSubscribers.hasAny) {
      this.#inboxSubscribers.sendChange({ ...heard.inboxChange, ...this.#inboxTotals() });
    }
    const { showActivity } = this.#ports;
    const { announcements: announced = [], problem } = heard.announcements ?? {};
    if (problem !== undefined) warn(`${report.sessionId} announces what cannot be read`, problem);
    if (showActivity !== undefined) {
      for (const activity of activitiesOf(report, announced)) showActivity(activity);
    }
    return heard.head;
  }

  #applyOrReset(report: Report): ReturnType<typeof applyReport> {
    const { store, now } = this.#ports;
    try {
      return applyReport(store, report, now(), this.#shares);
    } catch (cause) {
      this.#shares.reset();
      throw cause;
    }
  }

  sessions(page: PageQuery): ReadResult<SessionsPage> {
    return listSessions(this.#ports.store, page);
  }

  inbox(page: PageQuery): ReadResult<InboxPage> {
    return listInbox(this.#ports.store, page, this.#inboxTotals());
  }

  /** The refusal, or undefined: the connection may be accepted, and then `listen` must be called. */
  findSubscribeRejection(listening: InboxAttachment): Rejection | undefined {
    const { store } = this.#ports;
    if (listening.chain.some((credential) => store.revocations.has(credential)))
      return REVOKED_CREDENTIAL;
    return this.#inboxSubscribers.findCapacityRejection(listening);
  }

  /** In the same breath as accepting it, so that nothing happens in between. */
  subscribe(listener: InboxSubscriber): void {
    const page = this.inbox({});
    if (page.ok) this.#inboxSubscribers.sendFirstPage(listener, page.value);
  }

  rejectFrame(listener: InboxSubscriber): void {
    this.#inboxSubscribers.rejectFrame(listener);
  }

  #inboxTotals(): { total: number; now: number } {
    const { store, now } = this.#ports;
    this.#openCount ??= store.inbox.count();
    return { total: this.#openCount, now: now() };
  }

  audit(page: PageQuery): ReadResult<AuditPage> {
    return listAudit(this.#ports.store, page, this.#ports.warn);
  }

  /** `name` makes a repeated request find the key it made the first time. */
  createKey(wanted: CreateKeyInput, by: Settler, name?: string): KeyView | Rejection {
    const { store, freshId, now } = this.#ports;
    return createKey(store, wanted, by, { id: name ?? freshId(), now: now() });
  }

  listKeys(): KeyView[] {
    return listKeys(this.#ports.store);
  }

  /** Resolves when every session that can be reached has closed the connections of this key. */
  async revokeKey(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    const revoked = revokeKey(this.#ports.store, id, by, this.#ports.now());
    if (!revoked.ok) return revoked;
    this.#inboxSubscribers.closeRevoked(id);
    await this.#maintenance.pushRevocations();
    return revoked;
  }

  /** Nothing of it may be handed out before this. */
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): { ok: true } | Rejection {
    const { store, now } = this.#ports;
    const recorded = recordToken(store, token, by, { now: now(), isAdmin });
    if (recorded.ok) this.#maintenance.arm();
    return recorded;
  }

  tokens(page: PageQuery): ReadResult<TokensPage> {
    return listTokens(this.#ports.store, page, this.#ports.now());
  }

  /** The same for a session token or a person token; none is good for longer than `longest`. */
  async revoke(credential: string, longest: number | null, by: Settler): Promise<void> {
    const { store, now } = this.#ports;
    revokeToken(store, credential, longest, by, now());
    this.#inboxSubscribers.closeRevoked(credential);
    await this.#maintenance.pushRevocations();
  }

  /** Whether one of them is revoked; the session asks after it has attached the socket. */
  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null): boolean {
    return addWatchers(this.#ports.store, credentials, sessionId, expiresAt);
  }

  policy(): Policy {
    const { store, now } = this.#ports;
    return { revoked: store.revocations.list(now()), settings: readSettings(store) };
  }

  settings(): Settings {
    return readSettings(this.#ports.store);
  }

  updateSettings(settings: Settings, by: Settler): Settings {
    return updateSettings(this.#ports.store, settings, by, this.#ports.now());
  }

  alarm(): Promise<void> {
    return this.#maintenance.alarm();
  }
}
