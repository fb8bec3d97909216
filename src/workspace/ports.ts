/** The world as a workspace sees it. Each port is implemented in `platform/` and faked in tests. */
import type * as z from 'zod';
import type { Activity } from './activity.ts';
import type { CreateKey, KeyView, TokenView } from '../protocol/schema/workspace.ts';

/** Which part of a list; `before` and `after` are cursors that a page before this one gave out. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export type CreateKeyInput = z.output<typeof CreateKey>;

/** Where among all an open interaction stands. */
export interface InboxStanding {
  /** Behind all that is within somebody's share. */
  readonly beyondShare: boolean;
  readonly dueAt: number;
}

/** Where an open interaction stands: the inbox and the sweep read these in order, from the front. */
export interface InboxKey extends InboxStanding {
  readonly sessionId: string;
  readonly interactionId: string;
}

export interface OpenInteractionRow extends InboxKey {
  readonly entry: string;
  readonly sessionTitle: string | null;
}

/** What the workspace knows of one session. */
export interface SessionIndexRow {
  readonly id: string;
  readonly title: string | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly head: number;
  readonly reportedAt: number;
  /** Which file of it was heard last. */
  readonly incarnation: string;
  /** What is open in it, and where each stands in the inbox. */
  readonly open: ReadonlyMap<string, InboxStanding>;
}

/** A session row with its place in the order of creation. */
export interface NumberedSession extends SessionIndexRow {
  readonly number: number;
}

/** `source` is the session that told it, or empty for what happened in the workspace itself. */
export interface AuditKey {
  readonly at: number;
  readonly source: string;
  readonly seq: number;
}

export interface AuditRow extends AuditKey {
  readonly entry: string;
}

export interface StoredKey extends Omit<KeyView, 'scopes'> {
  readonly scopes: readonly string[];
}

/** A token that is about to be handed out. */
export interface NewToken extends Omit<TokenView, 'createdAt' | 'createdBy' | 'revokedAt'> {
  /** The root of the credential it is made with. */
  readonly maker: string;
  /** Whose revocation ends it; its own id first. */
  readonly chain: readonly string[];
}

export interface StoredToken extends Pick<NewToken, 'id' | 'expiresAt' | 'maker' | 'chain'> {
  /** The rest of what is shown, as text. */
  readonly entry: string;
}

/** A session that may have live sockets of a credential. */
export interface Watcher {
  readonly credential: string;
  readonly sessionId: string;
}

export interface SessionTable {
  find(id: string): NumberedSession | undefined;
  add(row: SessionIndexRow): void;
  /** The id and the creation time of a session never change. */
  update(number: number, row: SessionIndexRow): void;
  /** Newest first, without deleted sessions. */
  list(limit: number, before?: number): NumberedSession[];
}

export interface InboxTable {
  /** Writes nothing when the same entry is stored already. */
  put(key: InboxKey, root: string, entry: string): void;
  /** The root that opened the interaction; undefined when no row has this key. */
  remove(key: InboxKey): string | undefined;
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
  /** Does nothing when an entry with this key is stored. */
  add(row: AuditRow): void;
  /** A `seq` that no entry of this source has at this time. */
  freeSeq(at: number, source: string): number;
  /** Newest first. */
  list(limit: number, before?: AuditKey): AuditRow[];
}

export interface KeyTable {
  add(key: KeyView): void;
  remove(id: string): void;
  find(id: string): StoredKey | undefined;
  /** Newest first. */
  list(): StoredKey[];
}

export interface TokenTable {
  add(token: StoredToken): void;
  find(id: string): StoredToken | undefined;
  /** Newest first, without tokens that expired by `now`. */
  list(limit: number, now: number, before?: string): StoredToken[];
  /** Whether this maker has at least `count` tokens that expire after `now`. */
  hasAtLeast(count: number, maker: string, now: number): boolean;
  earliestExpiry(): number | null;
  /** Removes expired tokens, the earliest expiry first, and returns how many. */
  removeExpired(now: number, limit: number): number;
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

export interface WorkspaceStore {
  readonly sessions: SessionTable;
  readonly inbox: InboxTable;
  readonly audit: AuditTable;
  readonly keys: KeyTable;
  readonly tokens: TokenTable;
  readonly revocations: RevocationTable;
  /** Writes everything, or nothing when `work` throws. Every change of a row happens in here. */
  write<Result>(work: () => Result): Result;
  settings(): string | undefined;
  saveSettings(text: string): void;
}

/** Settled when the session has done it; a rejection means that it is to be tried again. */
export interface SessionCalls {
  /** Look at your deadlines, and tell what you have not told. */
  poke(sessionId: string): Promise<void>;
  /** End the connections of this credential, and of those minted from it. */
  revoke(sessionId: string, credential: string): Promise<void>;
}

/** What a connection to the inbox carries through hibernation. */
export interface InboxAttachment {
  /** The credential and those it was minted from: revoking any of them ends the connection. */
  readonly chain: readonly string[];
  readonly expiresAt: number | null;
  /** A stream held for somebody by the stateless worker; counted apart from real sockets. */
  readonly held: boolean;
}

export interface InboxSubscriber {
  readonly attachment: InboxAttachment;
  /** Throws when the other side is gone; nothing else is known about delivery. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

interface AllInboxSubscribers {
  all(): readonly InboxSubscriber[];
}

export interface WorkspaceAlarm {
  /** When it is set to fire, if it is; null while it is going off. */
  readonly armedAt: number | null;
  arm(at: number): void;
}

export interface WorkspacePorts {
  readonly store: WorkspaceStore;
  readonly sessions: SessionCalls;
  /** Who has the inbox open. */
  readonly subscribers: AllInboxSubscribers;
  readonly alarm: WorkspaceAlarm;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly warn: (message: string, evidence: unknown) => void;
  /** Where somebody watches the requests come and go; left out, nobody does. */
  readonly showActivity?: ((activity: Activity) => void) | undefined;
}
