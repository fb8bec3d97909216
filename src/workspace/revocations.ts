/**
 * Revocation of credentials on open connections.
 *
 * A session registers the credentials of its sockets (`addWatchers`), and the workspace pushes a revocation to every
 * registered session. Both are rows, and a watcher is removed only after its session has confirmed, so neither a lost
 * call nor a crash leaves a socket open. A session attaches a socket first and registers second, and so misses nothing:
 * either `addWatchers` reports the revocation, or the push finds the socket.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import { attemptAll } from './attempt-all.ts';
import { addOwnAudit } from './audit.ts';
import type { Watcher, WorkspacePorts, WorkspaceStore } from './ports.ts';

/** The platform limits the concurrent calls of one object. */
const MAX_CALLS_AT_ONCE = 50;

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
  at: number,
): void {
  // Tokens from before tokens were recorded can be revoked too.
  const expiresAt = store.tokens.find(credential)?.expiresAt ?? longest;
  store.write(() => {
    store.revocations.add(credential, at, expiresAt);
    addOwnAudit(store, by, { at, what: 'token', token: credential, change: 'revoked' });
  });
}

export async function pushRevocations(
  ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'warn'>,
): Promise<void> {
  const { store, sessions, warn } = ports;
  let after: Watcher | undefined;
  for (;;) {
    const page = store.revocations.unconfirmed(MAX_CALLS_AT_ONCE, after);
    after = page.at(-1);
    if (after === undefined) return;
    const failures = await attemptAll(page, ({ sessionId, credential }) =>
      sessions.revoke(sessionId, credential),
    );
    const failed = new Set(failures.map((failure) => failure.target));
    store.write(() => {
      for (const watcher of page)
        if (!failed.has(watcher)) store.revocations.removeWatcher(watcher);
    });
    const [first] = failures;
    if (first !== undefined) {
      const who = `${failures.length} sessions, ${first.target.sessionId} among them`;
      warn(`A revocation did not reach ${who}; it is tried again`, first.cause);
    }
  }
}
