/**
 * Keys with which an administrator of the first workspace enters another one. Such a key ends with the credential that made
 * it: it is a watcher of that credential (`credential-ends.ts`), in the place of a session, and so is ended also after a crash.
 *
 * A key that lasts longer than a day is no way in: a person or a program of that workspace uses it. It stays, as a key of
 * the own workspace stays when its maker leaves.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { addOwnAudit } from './audit.ts';
import type { CreateKeyInput, WorkspacePorts } from './ports.ts';
import type { WorkspaceStore } from './store.ts';

/** The chat makes one of eight hours. */
const ENTRY_KEY_MS = 24 * 3_600_000;
/** No id of a session has it. */
const SEPARATOR = '/';

interface EntryKey {
  readonly workspace: string;
  readonly keyId: string;
}

/** With the credential that makes it and those from which that descends. */
export type NotedKey = EntryKey & CreateKeyInput & { readonly chain: readonly string[] };

/** A key of another workspace is about to be made. */
export function noteEntryKey(
  store: WorkspaceStore,
  { workspace, keyId, chain, name, scopes, expiresAt }: NotedKey,
  by: Settler,
  now: number,
): { ok: true } | Rejection {
  if (store.revocations.firstAt(chain) !== null) {
    return reject('unauthenticated', 'This credential was revoked');
  }
  const entry = { what: 'workspace', workspace, change: 'key created', named: name } as const;
  const isEntry = expiresAt !== undefined && expiresAt <= now + ENTRY_KEY_MS;
  store.write(() => {
    addOwnAudit(store, by, { at: now, ...entry, scopes: [...scopes] });
    if (!isEntry) return;
    const sessionId = `${workspace}${SEPARATOR}${keyId}`;
    for (const credential of chain)
      store.revocations.addWatcher({ credential, sessionId }, expiresAt);
  });
  return { ok: true };
}

/** Undefined for the id of a session. */
function readEntryKey(watcher: string): EntryKey | undefined {
  const at = watcher.indexOf(SEPARATOR);
  return at < 0 ? undefined : { workspace: watcher.slice(0, at), keyId: watcher.slice(at + 1) };
}

/** Closes what the revoked credential has in a session, or ends the key that it made elsewhere. */
export function pushRevocation(
  { sessions, workspaces }: Pick<WorkspacePorts, 'sessions' | 'workspaces'>,
  { sessionId, credential }: { readonly sessionId: string; readonly credential: string },
): Promise<void> {
  const key = readEntryKey(sessionId);
  if (key === undefined) return sessions.revoke(sessionId, credential);
  if (workspaces === undefined) return Promise.reject(new Error('There is no other workspace'));
  const isSignOut = credential.startsWith('sgn_');
  return workspaces.endKey(key.workspace, key.keyId, !isSignOut);
}
