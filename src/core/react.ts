/**
 * What follows from events once they are written; nothing of it happens before.
 *
 * An effect is a wake-up, not an order: whoever carries it out looks at the state again.
 */
import type { SessionEvent } from '../protocol/schema/event.ts';

export type Effect =
  /** The workspace must hear of it; `now` means that the sender's reply waits for it. */
  | { readonly type: 'workspace.tell'; readonly when: 'now' | 'soon' }
  /** Everything the session holds goes, and everyone who listens is told to leave. */
  | { readonly type: 'session.erase' };

export function react(events: readonly SessionEvent[]): Effect[] {
  if (events.length === 0) return [];
  const effects: Effect[] = [
    { type: 'workspace.tell', when: events.some(mustBeKnownFirst) ? 'now' : 'soon' },
  ];
  if (
    events.some((event) => event.type === 'session_status' && event.payload.status === 'deleted')
  ) {
    effects.push({ type: 'session.erase' });
  }
  return effects;
}

/**
 * What nobody would come back for: a deleted session that died untold would stay in the list, and an
 * agent that left a detached question has gone. A new session is not among them. Whoever began it
 * comes to it next, and telling first doubled what beginning one costs; with sixteen agents beginning
 * sessions without pause, workerd left some of their connections unread for seconds.
 */
function mustBeKnownFirst(event: SessionEvent): boolean {
  switch (event.type) {
    case 'session_status':
      return event.payload.status === 'deleted';
    case 'interaction_request':
      return event.payload.detached === true;
    default:
      return false;
  }
}
