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
import { hear, listSessions } from './session-index.ts';
import type { InboxPage, SessionsPage } from '../protocol/types.ts';
import { listInbox } from './inbox.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { Listeners } from './inbox-subscribers.ts';
import type {
  CreateKeyInput,
  Listener,
  Listening,
  NewToken,
  Page,
  WorkspacePorts,
} from './ports.ts';
import type { ReadResult } from '../protocol/result.ts';
import { revoke, watch } from './revocations.ts';
import { Rounds } from './maintenance.ts';
import { readSettings, updateSettings } from './settings.ts';
import { Shares } from './inbox-shares.ts';
import { listTokens, recordToken, type TokensPage } from './tokens.ts';

const REVOKED = reject('unauthenticated', 'This credential was revoked');

export class Workspace {
  readonly #ports: WorkspacePorts;
  readonly #rounds: Rounds;
  readonly #listeners: Listeners;
  readonly #shares = new Shares();
  /** Counted once and then kept, because counting reads the whole inbox. */
  #openCount: number | null = null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    this.#rounds = new Rounds(ports);
    this.#listeners = new Listeners(ports);
  }

  /** The head to which the session's log is known now; lower than told means "tell me from there". */
  hear(report: Report): number | AnotherLog {
    const { warn } = this.#ports;
    const heard = this.#take(report);
    if ('knows' in heard) return heard.knows;
    if (heard.startedOver !== undefined) {
      const message = `The file of session ${report.sessionId} was exchanged; what it says counts`;
      warn(message, { known: heard.startedOver.head, head: report.head });
    }
    if (this.#openCount !== null) this.#openCount += heard.opened;
    this.#rounds.arm(heard.isNew ? 'new-session' : undefined);
    if (heard.change !== undefined && this.#listeners.isAnybodyThere) {
      this.#listeners.tell({ ...heard.change, ...this.#present() });
    }
    const { showActivity } = this.#ports;
    const { announced = [], problem } = heard.announced ?? {};
    if (problem !== undefined) warn(`${report.sessionId} announces what cannot be read`, problem);
    if (showActivity !== undefined) {
      for (const activity of activitiesOf(report, announced)) showActivity(activity);
    }
    return heard.head;
  }

  #take(report: Report): ReturnType<typeof hear> {
    const { store, now } = this.#ports;
    try {
      return hear(store, report, now(), this.#shares);
    } catch (cause) {
      this.#shares.forget();
      throw cause;
    }
  }

  sessions(page: Page): ReadResult<SessionsPage> {
    return listSessions(this.#ports.store, page);
  }

  inbox(page: Page): ReadResult<InboxPage> {
    return listInbox(this.#ports.store, page, this.#present());
  }

  /** The refusal, or undefined: the connection may be accepted, and then `listen` must be called. */
  mayListen(listening: Listening): Rejection | undefined {
    const { store } = this.#ports;
    if (listening.chain.some((credential) => store.revocations.has(credential))) return REVOKED;
    return this.#listeners.full(listening);
  }

  /** In the same breath as accepting it, so that nothing happens in between. */
  listen(listener: Listener): void {
    const page = this.inbox({});
    if (page.ok) this.#listeners.welcome(listener, page.value);
  }

  heardFrom(listener: Listener): void {
    this.#listeners.refuse(listener);
  }

  #present(): { total: number; now: number } {
    const { store, now } = this.#ports;
    this.#openCount ??= store.inbox.count();
    return { total: this.#openCount, now: now() };
  }

  audit(page: Page): ReadResult<AuditPage> {
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
    this.#listeners.revoke(id);
    await this.#rounds.push();
    return revoked;
  }

  /** Nothing of it may be handed out before this. */
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): { ok: true } | Rejection {
    const { store, now } = this.#ports;
    const recorded = recordToken(store, token, by, { now: now(), isAdmin });
    if (recorded.ok) this.#rounds.arm();
    return recorded;
  }

  tokens(page: Page): ReadResult<TokensPage> {
    return listTokens(this.#ports.store, page, this.#ports.now());
  }

  /** The same for a session token or a person token; none is good for longer than `longest`. */
  async revoke(credential: string, longest: number | null, by: Settler): Promise<void> {
    const { store, now } = this.#ports;
    revoke(store, credential, longest, by, now());
    this.#listeners.revoke(credential);
    await this.#rounds.push();
  }

  /** Whether one of them is revoked; the session asks after it has attached the socket. */
  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null): boolean {
    return watch(this.#ports.store, credentials, sessionId, expiresAt);
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
    return this.#rounds.alarm();
  }
}
