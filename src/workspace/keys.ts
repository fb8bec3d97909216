/**
 * API keys: creation, list and revocation. The secret of a key is signed elsewhere and never stored, so a key is checked
 * without the workspace, and a revocation must reach every session and isolate.
 */
import { Scope, type Settler } from '../protocol/schema/actor.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { KeyView, ListedKey } from '../protocol/schema/workspace.ts';
import { addOwnAudit } from './audit.ts';
import type { CreateKeyInput, KeyUse } from './ports.ts';
import type { StoredKey, WorkspaceStore } from './store.ts';

export function createKey(
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
export function listKeys(store: WorkspaceStore, now: number): ListedKey[] {
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

/** Removes the key from the list and marks its credential as revoked; the push to sessions comes later. */
export function revokeKey(
  store: WorkspaceStore,
  id: string,
  by: Settler,
  { now, endDevices }: { readonly now: number; readonly endDevices: () => void },
): { ok: true } | Rejection {
  const key = store.keys.find(id);
  if (key === undefined) return reject('not_found', 'There is no such key in this workspace');
  store.write(() => {
    store.revocations.add(id, now, key.expiresAt);
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
