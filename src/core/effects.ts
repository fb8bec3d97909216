/** The effects of events, which the session carries out only after the events are written. */
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
 * After these events no client returns to a session that crashed before its report: a deleted session would stay in the
 * list, and the agent of a detached question has left. A new session is not among them, because its client returns to
 * it next. Reporting first doubled the cost of creating a session; with sixteen agents creating sessions without pause,
 * workerd left some of their connections unread for seconds.
 */
function mustBeKnownFirst(event: DraftEvent): boolean {
  const isDetached = event.type === 'interaction_request' && event.payload.detached === true;
  return isDetached || isDeletion(event);
}

function isDeletion(event: DraftEvent): boolean {
  return event.type === 'session_status' && event.payload.status === 'deleted';
}
