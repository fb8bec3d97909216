/** The required announcements for a part of the log, computed without the code under test. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';

const CHANGES: Readonly<Record<string, string>> = {
  reminder: 'interaction.reminder',
  escalated: 'interaction.escalated',
};

export function announcedIn(event: SessionEvent): string[] {
  const line = (type: string, about = '') => [`${event.seq} ${type} ${about}`];
  switch (event.type) {
    case 'session_started':
      return line('session.created');
    case 'session_status':
      return event.payload.status === 'deleted' ? line('session.deleted') : [];
    case 'turn_ended':
      return line('turn.ended', event.turnId);
    case 'interaction_request':
      return line('interaction.requested', event.payload.interactionId);
    case 'interaction_update': {
      const { change, interactionId } = event.payload;
      return line(CHANGES[change] ?? 'interaction.updated', interactionId);
    }
    case 'interaction_response': {
      const { interactionId, outcome } = event.payload;
      return line('interaction.resolved', `${interactionId} ${outcome}`);
    }
    default:
      return [];
  }
}
