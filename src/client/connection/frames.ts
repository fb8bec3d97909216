/** What the frames of a session mean to the connection. */
import { PROTOCOL } from '../../protocol/frames.ts';
import type { ConnectionEvent, Refusal } from './state.ts';
import type { Delta } from '../subscription.ts';
import type {
  Interaction,
  JsonObject,
  SessionEvent,
  SessionView,
  Snapshot,
} from '../../protocol/types.ts';

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

/**
 * Is this what a server of ours says? Asked of everything that comes in, because what answers at an
 * address may be a proxy's login page, and what a newer server adds must not be an error.
 *
 * They look as deep as this library reaches. What a server adds passes, and so do events of types
 * that are not known here.
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isTextOrNothing = (value: unknown) => value === undefined || isText(value);
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function isEvent(value: unknown): value is SessionEvent {
  return (
    isObject(value) &&
    isCount(value.seq) &&
    value.seq > 0 &&
    isNumber(value.at) &&
    isText(value.type) &&
    isTextOrNothing(value.turnId) &&
    isTextOrNothing(value.responseId) &&
    isTextOrNothing(value.toolCallId) &&
    isObject(value.payload)
  );
}

export function areEvents(value: unknown): value is readonly SessionEvent[] {
  return Array.isArray(value) && value.every(isEvent);
}

export function isDelta(value: unknown): value is Delta {
  return (
    isObject(value) &&
    isText(value.text) &&
    isTextOrNothing(value.turnId) &&
    isTextOrNothing(value.responseId)
  );
}

function isSession(value: unknown): value is SessionView {
  return (
    isObject(value) &&
    isText(value.id) &&
    (value.title === null || isText(value.title)) &&
    isText(value.permissionMode) &&
    (value.turn === null || isObject(value.turn)) &&
    Array.isArray(value.queued)
  );
}

export function isInteraction(value: unknown): value is Interaction {
  return (
    isObject(value) &&
    isText(value.interactionId) &&
    isText(value.toolCallId) &&
    isText(value.toolName) &&
    isText(value.kind) &&
    isObject(value.request) &&
    (value.status === 'open' || value.status === 'settled')
  );
}

export function isSnapshot(value: unknown): value is Snapshot {
  return (
    isObject(value) &&
    isSession(value.session) &&
    isCount(value.head) &&
    Array.isArray(value.open) &&
    value.open.every(isInteraction) &&
    isNumber(value.now)
  );
}

export function isRefusal(value: unknown): value is Refusal {
  return (
    isObject(value) &&
    isText(value.code) &&
    isText(value.message) &&
    (value.details === undefined || isObject(value.details))
  );
}
