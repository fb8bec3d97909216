/**
 * Revocation of credentials on open connections.
 *
 * A session registers the credentials of its sockets (`addWatchers`), and the workspace pushes a revocation to every
 * registered session (`maintenance.ts`). Both are rows, and a watcher is removed only after its session has confirmed, so neither a lost
 * call nor a crash leaves a socket open. A session attaches a socket first and registers second, and so misses nothing:
 * either `addWatchers` reports the revocation, or the push finds the socket.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import { addOwnAudit } from './audit.ts';
import type { WorkspaceStore } from './store.ts';

/** Whether one of the credentials is revoked; then no watcher is stored, and the session must close the socket. */
export function addWatchers(
  store: WorkspaceStore,
  credentials: readonly string[],
  sessionId: string,
  expiresAt: number | null,
): boolean {
  if (credentials.some((credential) => store.revocations.has(credential))) return true;
  store.write(() => {
    for (const credential of credentials)
      store.revocations.addWatcher({ credential, sessionId }, expiresAt);
  });
  return false;
}

/** Marks a session token or a person token as revoked; no token lives longer than `longest`. */
export function revokeToken(
  store: WorkspaceStore,
  credential: string,
  longest: number | null,
  by: Settler,
  { at, endDevices }: { readonly at: number; readonly endDevices: () => void },
): void {
  // Tokens from before tokens were recorded can be revoked too.
  const expiresAt = store.tokens.find(credential)?.expiresAt ?? longest;
  store.write(() => {
    store.revocations.add(credential, at, expiresAt);
    addOwnAudit(store, by, { at, what: 'token', token: credential, change: 'revoked' });
    endDevices();
  });
}
