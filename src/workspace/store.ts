/**
 * The rows of a workspace: what each table holds, and what can be read and written of it. `platform/` implements the tables
 * over SQL and in memory.
 */
import type { TargetConfig, OutgoingAnnouncement } from '../delivery/ports.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Labels } from '../protocol/schema/audience.ts';
import type { SurfaceSettings } from '../protocol/schema/surfaces/index.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import type { TargetFields } from '../protocol/schema/target.ts';
import type { KeyView, SessionAbout, TokenView } from '../protocol/schema/workspace.ts';

/** A target as the workspace stores it: the fields of its view, and those that its object needs. */
export interface StoredTarget extends TargetFields {
  readonly surface: SurfaceSettings;
  readonly workspace: string;
  readonly origin: string | undefined;
  readonly secrets: TargetConfig['secrets'];
  readonly maker: TargetConfig['maker'];
  readonly enabledCount: number;
  /** It may show requests that its filter does not fit any more, which must be retired all the same. */
  readonly isFilterChanged?: true;
}

/** Null: only the settings of the target are handed over, or its deletion. */
export interface OutboxEntry {
  readonly targetId: string;
  readonly announcement: OutgoingAnnouncement | null;
}

export interface StoredOutboxEntry extends OutboxEntry {
  /** Names the row of the target, which is used again. */
  readonly slot: number;
  readonly number: number;
}

/** The position of an open interaction in the inbox, without its ids. */
export interface InboxStanding {
  /** Sorts after every interaction that is within a share. */
  readonly beyondShare: boolean;
  readonly dueAt: number;
}

/** The key of an open interaction; the inbox and the sweep read the keys in order. */
export interface InboxKey extends InboxStanding {
  readonly sessionId: string;
  readonly interactionId: string;
}

export interface OpenInteractionRow extends InboxKey {
  readonly entry: string;
  readonly sessionTitle: string | null;
}

/** The workspace's knowledge of one session. */
export interface SessionIndexRow {
  readonly id: string;
  readonly title: string | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly head: number;
  readonly reportedAt: number;
  /** The file of the session that reported last. */
  readonly incarnation: string;
  /** The open interactions of the session, with their positions in the inbox. */
  readonly open: ReadonlyMap<string, InboxStanding>;
  /** The order of the list by activity: the last activity, at most a minute late. */
  readonly activeAt: number;
  readonly isArchived: boolean;
  readonly about: SessionAbout & { readonly labels?: Labels };
  /** Requests that passed its gate and are not in `gatedRequests` yet: an array as JSON. */
  readonly gated: string;
}

/** A session row with its number in the order of creation. */
export interface NumberedSession extends SessionIndexRow {
  readonly number: number;
}

/** The event of an entry, among the entries of its source. */
export interface AuditKey {
  readonly at: number;
  readonly seq: number;
}

/** The last entry; without a hash it is from before there was a chain. */
export interface AuditEnd {
  readonly number: number;
  readonly recordedAt: number;
  readonly hash: string | null;
}

/** `source` is the reporting session, or empty for a change in the workspace itself. */
export interface AuditRow extends AuditKey, AuditEnd {
  readonly source: string;
  readonly entry: string;
}

/** With the hash of the entry before it, if there is one. */
export interface LinkedAuditRow extends AuditRow {
  readonly previous: string | null;
}

/** The numbers from `downTo` to below `before`; `parts` are texts that the stored entry must hold. */
export interface AuditWindow {
  readonly before: number;
  readonly downTo: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly parts: readonly string[];
}

export interface StoredKey extends Omit<KeyView, 'scopes'> {
  readonly scopes: readonly string[];
  /** Null: never, or before uses were recorded. */
  readonly usedAt: number | null;
}

/** A token before it is returned to its caller. */
export interface NewToken extends Omit<TokenView, 'createdAt' | 'createdBy' | 'revokedAt'> {
  /** The root of the credential that creates the token. */
  readonly maker: string;
  /** The credentials whose revocation ends the token; its own id first. */
  readonly chain: readonly string[];
}

export interface StoredToken extends Pick<NewToken, 'id' | 'expiresAt' | 'maker' | 'chain'> {
  /** The other fields of the view, as JSON. */
  readonly entry: string;
}

/** A session that may have live sockets of a credential. */
export interface Watcher {
  readonly credential: string;
  readonly sessionId: string;
}

/** The position of a session in the list by activity. */
export interface ActivityKey {
  readonly activeAt: number;
  readonly number: number;
}

export interface SessionTable {
  find(id: string): NumberedSession | undefined;
  add(row: SessionIndexRow): void;
  /** The id and the creation time of a session never change; it may be listed elsewhere, or not at all any more. */
  update(number: number, row: SessionIndexRow, how: { readonly isListedElsewhere: boolean }): void;
  /** Newest first, without deleted sessions. */
  list(limit: number, before?: number): NumberedSession[];
  /** Idle since before this time, the longest idle first, without deleted sessions. */
  listIdle(before: number, limit: number, after?: ActivityKey): NumberedSession[];
  /** The last active first, without deleted sessions. */
  listByActivity(isArchived: boolean, limit: number, before?: ActivityKey): NumberedSession[];
}

/** The sessions that people pinned, by subject. */
export interface PinTable {
  list(subject: string): string[];
  /** Does nothing when it is there. */
  add(subject: string, sessionId: string, at: number): void;
  remove(subject: string, sessionId: string): void;
  /** Whether a person has pinned it. */
  has(sessionId: string): boolean;
  /** Those of all people. */
  removeOf(sessionId: string): void;
}

/** Up to which event sessions were exported. */
export interface ExportTable {
  /** 0: never. */
  headOf(sessionId: string): number;
  /** Does nothing when a later event was exported. */
  put(sessionId: string, head: number, at: number): void;
  removeOf(sessionId: string): void;
}

export interface RemovedInteraction {
  /** Who opened it. */
  readonly root: string;
  /** Null when its entry cannot be read. */
  readonly openedAt: number | null;
}

export interface InboxTable {
  /** Writes nothing when the same entry is stored already. */
  put(key: InboxKey, root: string, entry: string): void;
  /** Undefined when no row has this key. */
  remove(key: InboxKey): RemovedInteraction | undefined;
  /** Looks at a thousand interactions with a deadline and all without; null when nothing is open. */
  oldestOpenedAt(): number | null;
  list(limit: number, after?: InboxKey): OpenInteractionRow[];
  count(): number;
  /** For each root, the number of its interactions within its share. */
  countWithinShares(): Map<string, number>;
  earliestDue(): number | null;
  /** Interactions due at `dueBy` or earlier, in the order of the inbox. */
  overdue(dueBy: number, limit: number, after?: InboxKey): InboxKey[];
  /** Where a sweep stopped before it had reached every overdue interaction. */
  sweptTo(): InboxKey | undefined;
  saveSweptTo(key: InboxKey | undefined): void;
}

export interface AuditTable {
  append(row: AuditRow): void;
  setHash(number: number, hash: string): void;
  head(): AuditEnd | undefined;
  /** All entries of a source. It reads the whole table: for the rare log that replaces another one. */
  keysOf(source: string): AuditKey[];
  /** Newest first. */
  list(window: AuditWindow, limit: number): LinkedAuditRow[];
  /** Oldest first, after a number. */
  readFrom(after: number, limit: number): LinkedAuditRow[];
  /** The first number that arrived at this time or later; behind the last one if none did. */
  firstRecordedFrom(time: number): number;
}

export interface KeyTable {
  add(key: KeyView): void;
  remove(id: string): void;
  find(id: string): StoredKey | undefined;
  /** Newest first. */
  list(): StoredKey[];
  setUsed(id: string, at: number): void;
}

export interface TokenTable {
  add(token: StoredToken): void;
  find(id: string): StoredToken | undefined;
  /** Newest first, without tokens that expired by `now`. */
  list(limit: number, now: number, before?: string): StoredToken[];
  /** Whether this maker has at least `count` tokens that expire after `now`. */
  hasAtLeast(count: number, maker: string, now: number): boolean;
  /** How many tokens that expire after `now` each maker has. */
  countByMaker(now: number): ReadonlyMap<string, number>;
  earliestExpiry(): number | null;
  /** Removes expired tokens, the earliest expiry first, and returns how many. */
  removeExpired(now: number, limit: number): number;
}

export interface CliSessionTable {
  /** The session that has this CLI session. */
  find(provider: string, cliSessionId: string): string | undefined;
  add(provider: string, cliSessionId: string, sessionId: string): void;
  remove(provider: string, cliSessionId: string): void;
  removeOf(sessionId: string): void;
}

export interface RevocationTable {
  /** Of two expiries the later one counts; null is the latest. */
  add(credential: string, at: number, expiresAt: number | null): void;
  has(credential: string): boolean;
  /** When the first of these credentials was revoked; null when none is. */
  firstAt(credentials: readonly string[]): number | null;
  /** Revoked credentials that have not expired by `now`. */
  list(now: number): string[];
  /** Of two expiries the later one counts; null is the latest. */
  addWatcher(watcher: Watcher, expiresAt: number | null): void;
  removeWatcher(watcher: Watcher): void;
  /** Watchers of revoked credentials: sessions that have not confirmed a revocation. */
  unconfirmed(limit: number, after?: Watcher): Watcher[];
  /** Removes revocations and watchers that have expired. */
  removeExpired(now: number): void;
}

/** The session of a rule of the workspace itself: no session has the empty id. */
export const OF_WORKSPACE = '';

export interface RuleKey {
  readonly sessionId: string;
  readonly id: string;
}

export interface StoredRule extends RuleKey {
  readonly entry: string;
}

export interface RuleTable {
  /** Oldest id first. */
  of(sessionId: string): StoredRule[];
  put(rule: StoredRule): void;
  remove(key: RuleKey): void;
  removeOf(sessionId: string): void;
  /** Those of the workspace first, then by session. */
  list(limit: number, after?: RuleKey): StoredRule[];
}

/** Some requests of one session: an array as JSON. */
export interface StoredGatedRequests {
  readonly number: number;
  readonly sessionId: string;
  readonly entry: string;
}

/** The slots of `GatedRequestTable`: each holds two requests or more. */
export const GATED_SLOTS = LIMITS.triedRequests / 2;

export interface GatedRequestTable {
  /** Overwrites what the slot of this number holds. */
  put(requests: StoredGatedRequests): void;
  /** Of the newest; 0 if there is none. */
  lastNumber(): number;
  /** Newest first. */
  list(): StoredGatedRequests[];
  removeOf(sessionId: string): void;
}

export interface TargetTable {
  list(): StoredTarget[];
  /** Adds or replaces. */
  put(target: StoredTarget): void;
  remove(id: string): void;
}

export interface TargetOutboxTable {
  /** In the order of their numbers. */
  list(): StoredOutboxEntry[];
  /** Replaces what the slot holds. */
  put(entry: StoredOutboxEntry): void;
  remove(targetId: string, slot: number): void;
}

/** The people of the workspace, each as JSON; they are few and read together. */
export interface PersonTable {
  list(): string[];
  put(subject: string, entry: string): void;
  remove(subject: string): void;
}

export interface StoredSignIn {
  readonly subject: string;
  readonly id: string;
  readonly expiresAt: number;
  /** The other fields of the view, as JSON. */
  readonly entry: string;
}

/** In the order of their ids, which is that of their creation. */
export interface SignInTable {
  list(): StoredSignIn[];
  listOf(subject: string): StoredSignIn[];
  put(signIn: StoredSignIn): void;
  remove(subject: string, id: string): void;
  removeExpired(now: number): void;
}

export type StoredListName = 'groups' | 'quiet-hours' | 'answer-times' | 'workspaces';

export interface WorkspaceStore {
  /** Undefined until the first write of a workspace whose platform passes no name. */
  name(): string | undefined;
  readonly sessions: SessionTable;
  readonly pins: PinTable;
  readonly inbox: InboxTable;
  readonly audit: AuditTable;
  readonly exports: ExportTable;
  readonly keys: KeyTable;
  readonly tokens: TokenTable;
  readonly revocations: RevocationTable;
  readonly cliSessions: CliSessionTable;
  readonly targets: TargetTable;
  readonly targetOutbox: TargetOutboxTable;
  readonly people: PersonTable;
  readonly signIns: SignInTable;
  readonly rules: RuleTable;
  readonly gatedRequests: GatedRequestTable;
  /** Writes everything, or nothing when `work` throws. Every change of a row happens in here. */
  write<Result>(work: () => Result): Result;
  settings(): string | undefined;
  saveSettings(text: string): void;
  /** The keys by which push services know this workspace. */
  vapidKeys(): VapidKeys | undefined;
  saveVapidKeys(keys: VapidKeys): void;
  /** A small list that is read and written as a whole. */
  list(name: StoredListName): string | undefined;
  saveList(name: StoredListName, text: string): void;
}
