/**
 * API keys: creation, list and revocation. The secret of a key is signed elsewhere and never stored, so a key is checked
 * without the workspace, and a revocation must reach every session and isolate.
 */
import * as z from '../protocol/schema/zod.ts';
import { Scope, type Settler } from '../protocol/schema/actor.ts';
import { type Rejection, reject, type ReadResult } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type KeyView, type ListedKey, TokenView } from '../protocol/schema/workspace.ts';
import { readCursor, cutPage, pageSize } from '../protocol/schema/cursor.ts';
import { addOwnAudit } from './audit.ts';
import type { CreateKeyInput, KeyUse, PageQuery, WorkspacePorts } from './ports.ts';
import type { StoredKey, WorkspaceStore, NewToken, StoredToken } from './store.ts';
import { type CredentialEnds, addWatchers, revokeToken } from './credential-ends.ts';
import type { Maintenance } from './maintenance.ts';
import { parseStoredObject } from './parse-stored.ts';

function createKey(
  store: WorkspaceStore,
  input: CreateKeyInput,
  by: Settler,
  fresh: { id: string; now: number },
): KeyView | Rejection {
  const id = `key_${fresh.id}`;
  const known = store.keys.find(id);
  if (known !== undefined) return repeatKey(keyView(known), input);
  const stored = store.keys.list();
  const expired = stored.filter((key) => isPastExpiry(key, fresh.now));
  if (stored.length - expired.length >= LIMITS.keys) {
    return reject('limit_reached', 'This workspace has too many keys; revoke one first', {
      limit: 'keys',
      max: LIMITS.keys,
    });
  }
  const key: KeyView = {
    id,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    createdAt: fresh.now,
    createdBy: by.subject,
    expiresAt: input.expiresAt ?? null,
  };
  store.write(() => {
    for (const { id } of expired) store.keys.remove(id);
    store.keys.add(key);
    addOwnAudit(store, by, {
      at: fresh.now,
      what: 'key',
      key: key.id,
      change: 'created',
      named: key.name,
      scopes: key.scopes,
    });
  });
  return key;
}

/** A repeated request finds its key, from which the same secret is signed again. */
function repeatKey(known: KeyView, input: CreateKeyInput): KeyView | Rejection {
  const isSame =
    known.name === input.name &&
    known.expiresAt === (input.expiresAt ?? null) &&
    [...new Set(input.scopes)].join() === known.scopes.join();
  return isSame
    ? known
    : reject('idempotency_key_reused', 'This Idempotency-Key was used for another key');
}

/** Newest first, without keys that have expired. */
function listKeys(store: WorkspaceStore, now: number): ListedKey[] {
  const keys = store.keys.list().filter((key) => !isPastExpiry(key, now));
  if (keys.length === 0) return [];
  const tokens = store.tokens.countByMaker(now);
  return keys.map((key) => ({
    ...keyView(key),
    usedAt: key.usedAt,
    tokens: tokens.get(key.id) ?? 0,
  }));
}

const USE_EVERY_MS = 3_600_000;

/** Several isolates note the same key; one row in an hour is enough. A clock that is ahead must not write a later time. */
export function recordKeyUses(store: WorkspaceStore, uses: readonly KeyUse[], now: number): void {
  const isNews = ({ key, at }: KeyUse): boolean => {
    const stored = store.keys.find(key);
    return stored !== undefined && Math.min(at, now) - (stored.usedAt ?? 0) >= USE_EVERY_MS;
  };
  const news = uses.filter(isNews);
  if (news.length === 0) return;
  store.write(() => {
    for (const { key, at } of news) store.keys.setUsed(key, Math.min(at, now));
  });
}

function isPastExpiry({ expiresAt }: StoredKey, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A vote may outlive the token that it was given with, and the administrator's key that made the token. */
function keptUntil({ scopes, expiresAt }: StoredKey, now: number): number | null {
  if (expiresAt === null || !scopes.includes('admin')) return expiresAt;
  return Math.max(expiresAt, now + LIMITS.tokenMaxSeconds * 1_000);
}

/** Removes the key from the list and marks its credential as revoked; the push to sessions comes later. */
function revokeKey(
  store: WorkspaceStore,
  id: string,
  by: Settler,
  { now, endDevices }: { readonly now: number; readonly endDevices: () => void },
): { ok: true } | Rejection {
  const key = store.keys.find(id);
  if (key === undefined) return reject('not_found', 'There is no such key in this workspace');
  store.write(() => {
    store.revocations.add(id, now, keptUntil(key, now));
    store.keys.remove(id);
    addOwnAudit(store, by, {
      at: now,
      what: 'key',
      key: id,
      change: 'revoked',
      named: key.name,
    });
    endDevices();
  });
  return { ok: true };
}

/** A scope that this version does not know allows nothing, so it is not shown. */
function keyView({ usedAt: _usedAt, ...key }: StoredKey): KeyView {
  return { ...key, scopes: key.scopes.flatMap((scope) => Scope.safeParse(scope).data ?? []) };
}

export const SYSTEM = { subject: 'system', via: 'system' } as const;

interface CredentialPorts extends Pick<WorkspacePorts, 'store' | 'now' | 'freshId'> {
  readonly ends: CredentialEnds;
  readonly maintenance: Maintenance;
}

/**
 * The keys and tokens of a workspace, and what their revocation ends: devices in the transaction of the revocation,
 * connections after it.
 */
export class IssuedCredentials {
  readonly #ports: CredentialPorts;

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
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
  async revokeKey(id: string, by: Settler, holdsTargets = true): Promise<{ ok: true } | Rejection> {
    const { store, now, ends } = this.#ports;
    const endDevices = () => {
      ends.dropDevices([id], null, by);
      if (holdsTargets) ends.holdTargets([id], by);
    };
    const revoked = ends.orReset(() => revokeKey(store, id, by, { now: now(), endDevices }));
    if (revoked.ok) await ends.closeConnections([id]);
    return revoked;
  }

  /**
   * The credential that made it elsewhere has ended. A key that is not made yet is revoked all the same. What it made here goes
   * on where a person only signed out there.
   */
  async endKey(id: string, holdsTargets: boolean): Promise<void> {
    const revoked = await this.revokeKey(id, SYSTEM, holdsTargets);
    const longest = this.#ports.now() + LIMITS.tokenMaxSeconds * 1_000;
    if (!revoked.ok) await this.revoke(id, longest, SYSTEM, holdsTargets);
  }

  /** Must precede the response that holds the token. */
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): { ok: true } | Rejection {
    const { store, now, maintenance } = this.#ports;
    const recorded = recordToken(store, token, by, { now: now(), isAdmin });
    if (recorded.ok) maintenance.arm();
    return recorded;
  }

  tokens(page: PageQuery): ReadResult<TokensPage> {
    return listTokens(this.#ports.store, page, this.#ports.now());
  }

  /** Revokes a session token or a person token; no token lives longer than `longest`. */
  async revoke(
    credential: string,
    longest: number | null,
    by: Settler,
    holdsTargets = true,
  ): Promise<void> {
    const { store, now, ends } = this.#ports;
    const endDevices = () => {
      ends.dropDevices([credential], null, by);
      if (holdsTargets) ends.holdTargets([credential], by);
    };
    ends.orReset(() => {
      revokeToken(store, credential, longest, by, { at: now(), endDevices });
    });
    await ends.closeConnections([credential]);
  }

  /** Whether one of the credentials is revoked. A session calls it after it has attached the socket. */
  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null): boolean {
    return addWatchers(this.#ports.store, credentials, sessionId, expiresAt);
  }
}

export interface TokensPage {
  readonly tokens: readonly TokenView[];
  readonly next?: string;
}

/**
 * The list of tokens: who created each token for whom, and which ones are valid.
 *
 * A token is checked by its signature alone, so its row decides nothing. The row is written before the token is
 * returned: a token in no list could not be found, and so not be revoked. Maintenance removes the rows of expired
 * tokens; the audit list keeps their creation.
 *
 * The credential of an administrator has no limit: each of its tokens is a root of its own.
 */
function recordToken(
  store: WorkspaceStore,
  { maker, chain, ...shown }: NewToken,
  by: Settler,
  { now, isAdmin }: { readonly now: number; readonly isAdmin: boolean },
): { ok: true } | Rejection {
  if (store.revocations.firstAt(chain) !== null) {
    return reject('unauthenticated', 'This credential was revoked');
  }
  // The id of the token itself comes first.
  if (chain.length - 1 > LIMITS.tokenLine) {
    return reject(
      'limit_reached',
      'This credential descends from too many others to create a token',
      {
        limit: 'tokenLine',
        max: LIMITS.tokenLine,
      },
    );
  }
  if (!isAdmin && store.tokens.hasAtLeast(LIMITS.tokens, maker, now)) {
    return reject('limit_reached', 'Too many tokens were created with this credential', {
      limit: 'tokens',
      max: LIMITS.tokens,
    });
  }
  const { id, expiresAt, ...entry } = shown;
  const { subject, credential = '', key = '' } = by;
  const createdBy = { subject, credential, key };
  const text = JSON.stringify({ ...entry, createdAt: now, createdBy });
  store.write(() => {
    store.tokens.add({ id, maker, expiresAt, chain, entry: text });
    addOwnAudit(store, by, {
      at: now,
      what: 'token',
      token: id,
      change: 'created',
      named: shown.subject,
      scopes: [...shown.scopes],
      ...(shown.session !== null && { sessionId: shown.session }),
    });
  });
  return { ok: true };
}

const TokenCursor = z.tuple([z.literal('tokens'), z.string()]);

/** Newest first, with revoked tokens, without expired ones. */
function listTokens(store: WorkspaceStore, page: PageQuery, now: number): ReadResult<TokensPage> {
  const cursor = readCursor(TokenCursor, page.before);
  if (!cursor.ok) return cursor;
  const size = pageSize(page.limit);
  const found = store.tokens.list(size + 1, now, cursor.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['tokens', last.id]);
  return { ok: true, value: { tokens: rows.map((row) => viewToken(store, row)), ...next } };
}

/** Each field is read by itself: a token that cannot be read in full can still be found and revoked. */
const ReadableToken = z.object({
  subject: z.string().catch(''),
  scopes: z.array(z.unknown()).catch([]),
  session: z.defer(() => TokenView.shape.session).catch(null),
  createdAt: z.number().catch(0),
  createdBy: z
    .defer(() => TokenView.shape.createdBy)
    .catch({ subject: '', credential: '', key: '' }),
});

export function viewToken(
  store: WorkspaceStore,
  { id, expiresAt, chain, entry }: StoredToken,
): TokenView {
  const { scopes, ...readable } = ReadableToken.parse(parseStoredObject(entry));
  return {
    id,
    ...readable,
    scopes: scopes.flatMap((scope) => Scope.safeParse(scope).data ?? []),
    expiresAt,
    revokedAt: store.revocations.firstAt(chain),
  };
}
