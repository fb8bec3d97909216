/** What follows from events once they are written; nothing of it happens before. */
import type { DraftEvent } from '../protocol/schema/event.ts';

export interface Effects {
  /** The reply to the sender waits until the workspace knows of the events. */
  readonly mustReportFirst: boolean;
  /** Everything the session holds goes, and every connection is closed. */
  readonly isDeleted: boolean;
}

export function findEffects(events: readonly DraftEvent[]): Effects {
  return { mustReportFirst: events.some(mustBeKnownFirst), isDeleted: events.some(isDeletion) };
}

/**
 * Events after which no client comes back to a session that died before its report: a deleted session would stay in the
 * list, and the agent of a detached question has gone. A new session is not among them. Its client comes to it next, and
 * reporting first doubled what beginning one costs; with sixteen agents beginning sessions without pause, workerd left
 * some of their connections unread for seconds.
 */
function mustBeKnownFirst(event: DraftEvent): boolean {
  const isDetached = event.type === 'interaction_request' && event.payload.detached === true;
  return isDetached || isDeletion(event);
}

function isDeletion(event: DraftEvent): boolean {
  return event.type === 'session_status' && event.payload.status === 'deleted';
}
