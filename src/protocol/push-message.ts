/**
 * The content of a push message: written by the server, encrypted for one device, read by the service worker of the chat.
 *
 * A device may run the worker of an older version, so fields are added and never renamed; a type that a worker does not
 * know is shown as a plain notice.
 */
import { isObject } from './types.ts';

/** A request waits for the person. */
export interface PushedRequest {
  readonly type: 'request';
  readonly sessionId: string;
  readonly interactionId: string;
  readonly title: string;
  readonly body: string;
  /** Of what the notification shows; an answer carries it. */
  readonly digest: string;
  /** The notification shows the whole input, and one press may decide on it. */
  readonly onePress: boolean;
}

/** A request has ended; its notification closes. */
export interface PushedEnd {
  readonly type: 'end';
  readonly sessionId: string;
  readonly interactionId: string;
  /** How it ended, and by whom. */
  readonly title: string;
  /** The push service ends subscriptions that receive a message and show nothing. */
  readonly mustShow: boolean;
}

interface PushedTest {
  readonly type: 'test';
}

export type PushMessage = PushedRequest | PushedEnd | PushedTest;

/** Undefined for a text that this version cannot read. */
export function readPushMessage(text: string): PushMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { type, sessionId, interactionId, title } = value;
  if (type === 'test') return { type };
  const isAbout =
    typeof sessionId === 'string' && typeof interactionId === 'string' && typeof title === 'string';
  if (!isAbout) return undefined;
  const about = { sessionId, interactionId, title };
  if (type === 'end') return { type, ...about, mustShow: value.mustShow === true };
  const { body, digest, onePress } = value;
  if (type !== 'request' || typeof body !== 'string' || typeof digest !== 'string')
    return undefined;
  return { type, ...about, body, digest, onePress: onePress === true };
}

/** The notifications of one request replace one another. */
export function pushTag(about: Pick<PushedRequest, 'sessionId' | 'interactionId'>): string {
  return `${about.sessionId} ${about.interactionId}`;
}
