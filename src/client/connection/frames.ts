/**
 * Reads the frames of a session into events of the connection, and checks their shape.
 *
 * The address may belong to a proxy with a login page, so everything is checked as deep as this library reads it. Unknown
 * fields, frames and event types pass: a newer server may send them.
 */
import {
  isObject,
  isText,
  type AgentState,
  type Interaction,
  type Presence,
  type SessionEvent,
  type SessionView,
  type Snapshot,
} from '../../protocol/types.ts';
import { PROTOCOL } from '../../protocol/frames.ts';
import type { ConnectionEvent, ServerRefusal } from './state.ts';
import type { Delta } from '../transport.ts';

export const NONSENSE: ConnectionEvent<never> = { type: 'nonsense' };
export const ALIVE: ConnectionEvent<never> = { type: 'alive' };

export function readSessionFrame(text: unknown): ConnectionEvent {
  if (text === 'pong') return ALIVE;
  const frame = tryParseJson(text);
  if (!isObject(frame)) return NONSENSE;
  switch (frame.type) {
    case 'welcome': {
      // The other parts of another version may look different.
      const { protocol } = frame;
      if (typeof protocol !== 'string') return NONSENSE;
      if (protocol !== PROTOCOL) return { type: 'foreign', protocol };
      if (!isSnapshot(frame)) return NONSENSE;
      const { session, head, open, now } = frame;
      return { type: 'welcome', snapshot: { session, head, open, now } };
    }
    case 'events':
      return areEvents(frame.events) ? { type: 'events', events: frame.events } : NONSENSE;
    case 'delta':
      return isDelta(frame) ? { type: 'delta', delta: frame } : NONSENSE;
    case 'presence':
      return isPresence(frame) ? { type: 'presence', presence: frame } : NONSENSE;
    case 'agents':
      return isListOf(frame.interactions, isAgentState)
        ? { type: 'agents', agents: frame.interactions }
        : NONSENSE;
    case 'error':
      return isRefusal(frame.error) ? { type: 'refusal', refusal: frame.error } : NONSENSE;
  }
  return typeof frame.type === 'string' ? ALIVE : NONSENSE;
}

/** Reads one event of the log from a stream. */
export function readLogEvent(text: string): ConnectionEvent<never> {
  const events = [tryParseJson(text)];
  return areEvents(events) ? { type: 'events', events } : NONSENSE;
}

export function tryParseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isNumber = (value: unknown): value is number => Number.isFinite(value);
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

function isListOf<One>(
  value: unknown,
  isOne: (value: unknown) => value is One,
): value is readonly One[] {
  return Array.isArray(value) && value.every(isOne);
}

function areEvents(value: unknown): value is readonly SessionEvent[] {
  return isListOf(value, isEvent);
}

function isDelta(value: unknown): value is Delta {
  return (
    isObject(value) &&
    isText(value.text) &&
    isTextOrNothing(value.turnId) &&
    isTextOrNothing(value.responseId)
  );
}

function isPresence(value: unknown): value is Presence {
  return isObject(value) && isCount(value.more) && isListOf(value.people, isOnlooker);
}

function isOnlooker(value: unknown): value is Presence['people'][number] {
  return isObject(value) && isText(value.subject) && isTextOrNothing(value.interactionId);
}

function isAgentState(value: unknown): value is AgentState {
  return isObject(value) && isText(value.interactionId);
}

function isSession(value: unknown): value is SessionView {
  return (
    isObject(value) &&
    isText(value.id) &&
    (value.title === null || isText(value.title)) &&
    isText(value.permissionMode) &&
    (value.turn === null || isObject(value.turn)) &&
    Array.isArray(value.queued) &&
    (value.cliSessions === undefined || Array.isArray(value.cliSessions))
  );
}

function isInteraction(value: unknown): value is Interaction {
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

function isSnapshot(value: unknown): value is Snapshot {
  return (
    isObject(value) &&
    isSession(value.session) &&
    isCount(value.head) &&
    isListOf(value.open, isInteraction) &&
    isNumber(value.now)
  );
}

export function isRefusal(value: unknown): value is ServerRefusal {
  return (
    isObject(value) &&
    isText(value.code) &&
    isText(value.message) &&
    (value.details === undefined || isObject(value.details))
  );
}
