/** The world as a workspace sees it. Each port is implemented in `platform/` and faked in tests. */
import type * as z from 'zod';
import type { Activity } from './activity.ts';
import type { CreateKey, KeyView, TokenView } from '../protocol/schema/workspace.ts';

/** Which part of a list; `before` and `after` are cursors that a page before this one gave out. */
export interface Page {
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

export interface InboxRow extends InboxKey {
  readonly entry: string;
  readonly sessionTitle: string | null;
}

/** What the workspace knows of one session. */
export interface SessionRow {
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
export interface NumberedSession extends SessionRow {
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

export interface WorkspaceStore {
  /** All of it is written, or nothing when `work` throws; whatever changes a row is called in here. */
  write<Result>(work: () => Result): Result;

  session(id: string): NumberedSession | undefined;
  addSession(row: SessionRow): void;
  /** The id and the time of creation of a session never change. */
  updateSession(number: number, row: SessionRow): void;
  /** Newest first, without deleted ones. */
  sessions(limit: number, before?: number): NumberedSession[];

  /** Writes nothing when the same entry stands there already. */
  putOpen(key: InboxKey, root: string, entry: string): void;
  /** The root that had asked; undefined when nothing stood there. */
  removeOpen(key: InboxKey): string | undefined;
  inbox(limit: number, after?: InboxKey): InboxRow[];
  openCount(): number;
  /** How many of each root are within its share. */
  sharesTaken(): Map<string, number>;
  earliestDue(): number | null;
  /** What was due at `dueBy` or earlier, in the order of the inbox. */
  overdue(dueBy: number, limit: number, after?: InboxKey): InboxKey[];
  /** Where a round of the sweep stopped before it had reached everything. */
  sweptTo(): InboxKey | undefined;
  saveSweptTo(key: InboxKey | undefined): void;

  /** Does nothing when that entry is known. */
  addAudit(row: AuditRow): void;
  /** A `seq` that no entry of this source has at this time. */
  freeAuditSeq(at: number, source: string): number;
  /** Newest first. */
  audit(limit: number, before?: AuditKey): AuditRow[];

  addKey(key: KeyView): void;
  removeKey(id: string): void;
  key(id: string): StoredKey | undefined;
  /** Newest first. */
  keys(): StoredKey[];

  addToken(token: StoredToken): void;
  token(id: string): StoredToken | undefined;
  /** Newest first, those that are good beyond `now`. */
  tokens(limit: number, now: number, before?: string): StoredToken[];
  /** Whether this maker has so many tokens that are good beyond `now`. */
  hasTokens(maker: string, count: number, now: number): boolean;
  earliestTokenExpiry(): number | null;
  /** Removes expired ones, oldest first, and says how many. */
  pruneTokens(now: number, limit: number): number;

  /** Said twice, the later expiry counts; null is the latest. */
  addRevoked(credential: string, at: number, expiresAt: number | null): void;
  isRevoked(credential: string): boolean;
  /** When the first of them was revoked; null: none is. */
  firstRevokedAt(credentials: readonly string[]): number | null;
  /** Those that would not have expired by themselves at `now`. */
  revoked(now: number): string[];
  /** Said twice, the later expiry counts; null is the latest. */
  addWatcher(watcher: Watcher, expiresAt: number | null): void;
  removeWatcher(watcher: Watcher): void;
  /** Watchers of revoked credentials: the sessions that must still be told. */
  untold(limit: number, after?: Watcher): Watcher[];
  /** Drops revocations and watchers that have expired. */
  prune(now: number): void;

  settings(): string | undefined;
  saveSettings(text: string): void;
}

/** Settled when the session has done it; a rejection means that it is to be tried again. */
export interface Sessions {
  /** Look at your deadlines, and tell what you have not told. */
  poke(sessionId: string): Promise<void>;
  /** End the connections of this credential, and of those minted from it. */
  revoke(sessionId: string, credential: string): Promise<void>;
}

/** What a connection to the inbox carries through hibernation. */
export interface Listening {
  /** The credential and those it was minted from: revoking any of them ends the connection. */
  readonly chain: readonly string[];
  readonly expiresAt: number | null;
  /** A stream held for somebody by the stateless worker; counted apart from real sockets. */
  readonly held: boolean;
}

export interface Listener {
  readonly attachment: Listening;
  /** Throws when the other side is gone; nothing else is known about delivery. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

interface AllListeners {
  all(): readonly Listener[];
}

export interface Alarm {
  /** When it is set to fire, if it is; null while it is going off. */
  readonly armedAt: number | null;
  arm(at: number): void;
}

export interface WorkspacePorts {
  readonly store: WorkspaceStore;
  readonly sessions: Sessions;
  /** Who has the inbox open. */
  readonly listeners: AllListeners;
  readonly alarm: Alarm;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly warn: (message: string, evidence: unknown) => void;
  /** Where somebody watches the requests come and go; left out, nobody does. */
  readonly showActivity?: ((activity: Activity) => void) | undefined;
}
