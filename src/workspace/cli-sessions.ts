/**
 * Which session a CLI session belongs to.
 *
 * A session is asked only after its claim is stored here, so two sessions cannot both accept one CLI session. A claim that
 * the session then refuses is released. If the process dies in between, the claim names a session that does not
 * have the CLI session; the agent's next report repairs both.
 */
import type { CliName } from '../protocol/cli-sessions.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { SessionEntry } from '../protocol/schema/workspace.ts';
import type { WorkspaceStore } from './store.ts';
import { sessionEntry } from './list-sessions.ts';

export interface CliSessionOwner {
  readonly sessionId: string;
  /** Undefined before the first report of the session. */
  readonly entry: SessionEntry | undefined;
}

export function claimCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
  sessionId: string,
): { ok: true } | Rejection {
  if (store.sessions.find(sessionId)?.deletedAt != null) {
    return reject('not_found', 'There is no such session');
  }
  const owner = store.cliSessions.find(provider, cliSessionId);
  if (owner === sessionId) return { ok: true };
  if (owner !== undefined) {
    return reject('cli_session_taken', 'This CLI session belongs to another session', {
      session: owner,
    });
  }
  store.write(() => store.cliSessions.add(provider, cliSessionId, sessionId));
  return { ok: true };
}

export function releaseCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
  sessionId: string,
): void {
  if (store.cliSessions.find(provider, cliSessionId) !== sessionId) return;
  store.write(() => store.cliSessions.remove(provider, cliSessionId));
}

export function findCliSession(
  store: WorkspaceStore,
  { provider, cliSessionId }: CliName,
): ReadResult<CliSessionOwner> {
  const sessionId = store.cliSessions.find(provider, cliSessionId);
  if (sessionId === undefined) return reject('not_found', 'No session has this CLI session');
  const known = store.sessions.find(sessionId);
  return { ok: true, value: { sessionId, entry: known && sessionEntry(known) } };
}
