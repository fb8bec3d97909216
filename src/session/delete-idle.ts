/** Deletes a session for the retention of its workspace: only if it is exactly what the workspace knows of it. */
import type { Context } from '../protocol/schema/command.ts';
import type { Session } from './session.ts';

const RETENTION_CONTEXT: Context = {
  caller: { credential: 'system', subject: 'retention', via: 'system', scopes: ['admin'] },
  timeouts: {},
};

/**
 * False when something happened that the workspace does not know, or a request is open. Nothing is awaited between
 * the look and the deletion.
 */
export function deleteIdleSession(session: Session, head: number): boolean {
  const state = session.current();
  if (state === null || state.info.deletedAt !== null) return true;
  if (state.head !== head || state.open.size > 0) return false;
  return session.handle({ type: 'session.delete' }, RETENTION_CONTEXT).ok;
}
