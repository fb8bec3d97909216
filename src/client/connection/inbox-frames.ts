/** Reads the frames of an inbox into events of the connection. */
import type { ConnectionEvent, Stream } from './state.ts';
import { ALIVE, isNumber, isRefusal, NONSENSE, tryParseJson } from './frames.ts';
import {
  isObject,
  isText,
  type InboxChange,
  type InboxEntry,
  type InboxPage,
} from '../../protocol/types.ts';
import { PROTOCOL } from '../../protocol/frames.ts';

export interface InboxStream extends Stream {
  /** An inbox has no log, so a subscriber is never behind: the first frame is the present. */
  readonly snapshot: { readonly head: number; readonly page: InboxPage };
  readonly delta: InboxChange;
}

export function readInboxFrame(text: unknown): ConnectionEvent<InboxStream> {
  if (text === 'pong') return ALIVE;
  const frame = tryParseJson(text);
  if (!isObject(frame)) return NONSENSE;
  const { type, protocol, ...body } = frame;
  switch (type) {
    case 'inbox':
      if (typeof protocol !== 'string') return NONSENSE;
      if (protocol !== PROTOCOL) return { type: 'foreign', protocol };
      return isPage(body) ? { type: 'welcome', snapshot: { head: 0, page: body } } : NONSENSE;
    case 'inbox_changed':
      return isInboxChange(body) ? { type: 'delta', delta: body } : NONSENSE;
    case 'error':
      return isRefusal(body.error) ? { type: 'refusal', refusal: body.error } : NONSENSE;
  }
  return typeof type === 'string' ? ALIVE : NONSENSE;
}

const isTextOrNull = (value: unknown) => value === null || isText(value);

function isEntry(value: unknown): value is InboxEntry {
  return (
    isObject(value) &&
    isText(value.sessionId) &&
    isTextOrNull(value.sessionTitle) &&
    isText(value.interactionId) &&
    isText(value.toolCallId) &&
    isText(value.toolName) &&
    isText(value.kind) &&
    (value.request === null || isObject(value.request)) &&
    isNumber(value.openedAt) &&
    isObject(value.openedBy) &&
    isText(value.openedBy.credential) &&
    isText(value.openedBy.subject) &&
    (value.expiresAt === null || isNumber(value.expiresAt))
  );
}

/** The parts that both frames have: entries under the name `entries`, the total and the time. */
function isOfInbox(value: Readonly<Record<string, unknown>>, entries: string): boolean {
  const list = value[entries];
  return Array.isArray(list) && list.every(isEntry) && isNumber(value.total) && isNumber(value.now);
}

function isPage(value: object): value is InboxPage {
  const page = value as Readonly<Record<string, unknown>>;
  return isOfInbox(page, 'interactions') && (page.next === undefined || isText(page.next));
}

function isInboxChange(value: object): value is InboxChange {
  const change = value as Readonly<Record<string, unknown>>;
  return (
    isOfInbox(change, 'upserts') &&
    isText(change.sessionId) &&
    isTextOrNull(change.sessionTitle) &&
    Array.isArray(change.removed) &&
    change.removed.every(isText)
  );
}
