/** What the frames of a session mean to the connection. */
import { PROTOCOL } from '../../protocol/frames.ts';
import type { ConnectionEvent } from './state.ts';
import { areEvents, isDelta, isObject, isRefusal, isSnapshot } from './guards.ts';

const NONSENSE: ConnectionEvent<never> = { type: 'nonsense' };
const HEARD: ConnectionEvent<never> = { type: 'heard' };

export function readFrame(text: unknown): ConnectionEvent {
  if (text === 'pong') return HEARD;
  const frame = parse(text);
  if (!isObject(frame)) return NONSENSE;
  switch (frame.type) {
    case 'welcome': {
      // Another version may look different in every other part.
      const { protocol } = frame;
      if (typeof protocol !== 'string') return NONSENSE;
      if (protocol !== PROTOCOL) return { type: 'foreign', protocol };
      if (!isSnapshot(frame)) return NONSENSE;
      const { session, head, open, now } = frame;
      return { type: 'welcome', snapshot: { session, head, open, now } };
    }
    case 'events':
      return areEvents(frame.events) ? { type: 'events', events: frame.events } : NONSENSE;
    case 'delta': {
      if (!isDelta(frame)) return NONSENSE;
      const { turnId, responseId, text: words } = frame;
      return { type: 'delta', delta: { turnId, responseId, text: words } };
    }
    case 'error':
      return isRefusal(frame.error) ? { type: 'refusal', refusal: frame.error } : NONSENSE;
  }
  return typeof frame.type === 'string' ? HEARD : NONSENSE;
}

/** One event of the log, as a stream carries it. */
export function readEvent(text: string): ConnectionEvent<never> {
  const events = [parse(text)];
  return areEvents(events) ? { type: 'events', events } : NONSENSE;
}

export function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
