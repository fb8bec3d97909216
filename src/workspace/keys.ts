/**
 * API keys: their names and their ends. The secret is signed elsewhere and is stored nowhere, so a
 * key works without asking the workspace, and revoking one means telling everybody.
 */
import { Scope, type Settler } from '../protocol/schema/actor.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { KeyView } from '../protocol/schema/workspace.ts';
import { addOwnAudit } from './audit.ts';
import type { CreateKeyInput, StoredKey, WorkspaceStore } from './ports.ts';

export function createKey(
  store: WorkspaceStore,
  input: CreateKeyInput,
  by: Settler,
  fresh: { id: string; now: number },
): KeyView | Rejection {
  const id = `key_${fresh.id}`;
  const known = store.keys.find(id);
  if (known !== undefined) return repeatKey(keyView(known), input);
  const key: KeyView = {
    id,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    createdAt: fresh.now,
    createdBy: by.subject,
    expiresAt: input.expiresAt ?? null,
  };
  store.write(() => {
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

/** A repeated request finds its key; what is signed from it is the same secret again. */
function repeatKey(known: KeyView, input: CreateKeyInput): KeyView | Rejection {
  const isSame =
    known.name === input.name &&
    known.expiresAt === (input.expiresAt ?? null) &&
    [...new Set(input.scopes)].join() === known.scopes.join();
  return isSame
    ? known
    : reject('idempotency_key_reused', 'This Idempotency-Key was used for another key');
}

export function listKeys(store: WorkspaceStore): KeyView[] {
  return store.keys.list().map(keyView);
}

/** Takes the key off the list and marks its credential; telling sessions comes after. */
export function revokeKey(
  store: WorkspaceStore,
  id: string,
  by: Settler,
  now: number,
): { ok: true } | Rejection {
  const key = store.keys.find(id);
  if (key === undefined) return reject('not_found', 'There is no such key in this workspace');
  store.write(() => {
    store.revocations.add(id, now, key.expiresAt);
    store.keys.remove(id);
    addOwnAudit(store, by, { at: now, what: 'key', key: id, change: 'revoked' });
  });
  return { ok: true };
}

/** A scope this version does not know allows nothing here, so it is not shown. */
function keyView(key: StoredKey): KeyView {
  return { ...key, scopes: key.scopes.flatMap((scope) => Scope.safeParse(scope).data ?? []) };
}
