/**
 * Ending credentials before their time, on connections that are open already.
 *
 * A session says which credentials its sockets came with (`watch`), and is told when one of them is
 * revoked. Both are rows, and a watcher goes only after its session has confirmed, so neither a lost
 * call nor a crash leaves a socket open. Whoever attaches a socket first and watches second misses
 * nothing: either `watch` says that the credential is revoked, or the push finds the socket.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import { attemptAll } from './attempt-all.ts';
import { addOwnAudit } from './audit.ts';
import type { Watcher, WorkspacePorts, WorkspaceStore } from './ports.ts';

/** As many sessions are told at once; the platform limits what one object may have in the air. */
const MAX_CALLS_AT_ONCE = 50;

/** Whether one of them is revoked already; then nothing is noted, and the socket must go. */
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

/** Marks a token of a session or of a person; none is good for longer than `longest`. */
export function revokeToken(
  store: WorkspaceStore,
  credential: string,
  longest: number | null,
  by: Settler,
  at: number,
): void {
  // One that was handed out before tokens were recorded is ended all the same.
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
      const who = `${failures.length} sessions, ${first.target.sessionId} among them,`;
      warn(`${who} were not told of a revocation; it is tried again`, first.cause);
    }
  }
}
