/** The events of one type. */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';

export function of<T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T) {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}
