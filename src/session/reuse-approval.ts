/**
 * An approval that a second hook of the same call takes (HOOK-1): once, so that it allows one run. The look and the mark are
 * one step, between which nothing else of the session runs: of two hooks at once one gets it.
 */
import { type Caller, rootOf } from '../protocol/caller.ts';
import { type ReadResult, reject } from '../protocol/errors.ts';
import { UNKNOWN_INTERACTION } from '../core/rejections.ts';
import { findForReader, requireState } from './queries.ts';
import type { Session } from './session.ts';

/** Whether the caller has the approval now. */
export function reuseApproval(
  session: Session,
  interactionId: string,
  caller: Caller,
): ReadResult<boolean> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const { store, now, warn } = session.ports;
  const record = findForReader(session, state, interactionId, caller);
  if (record === undefined) return UNKNOWN_INTERACTION;
  const isFree = record.outcome === 'approved' && record.reusedAt === undefined;
  if (!isFree || rootOf(record.openedBy) !== rootOf(caller)) return { ok: true, value: false };
  try {
    store.markReused(record, now());
    return { ok: true, value: true };
  } catch (cause) {
    warn('The use of an approval could not be written', cause);
    return reject('write_failed', 'The use of the approval could not be written. Try again.');
  }
}
