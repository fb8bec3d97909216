/** What the frames of an inbox mean to the connection. */
import type { ConnectionEvent, Stream } from './state.ts';
import { parse, isObject, isRefusal } from './frames.ts';
import { PROTOCOL } from '../../protocol/frames.ts';
import type { InboxChange, InboxEntry, InboxPage } from '../../protocol/types.ts';

export interface InboxStream extends Stream {
  /** An inbox has no log to be behind of: its first frame is the present. */
  readonly snapshot: { readonly head: number; readonly page: InboxPage };
  readonly delta: InboxChange;
}

const NONSENSE = { type: 'nonsense' } as const;
const HEARD = { type: 'heard' } as const;

export function readInboxFrame(text: unknown): ConnectionEvent<InboxStream> {
  if (text === 'pong') return HEARD;
  const frame = parse(text);
  if (!isObject(frame)) return NONSENSE;
  const { type, protocol, ...said } = frame;
  switch (type) {
    case 'inbox':
      if (typeof protocol !== 'string') return NONSENSE;
      if (protocol !== PROTOCOL) return { type: 'foreign', protocol };
      return isPage(said) ? { type: 'welcome', snapshot: { head: 0, page: said } } : NONSENSE;
    case 'inbox_changed':
      return isChange(said) ? { type: 'delta', delta: said } : NONSENSE;
    case 'error':
      return isRefusal(said.error) ? { type: 'refusal', refusal: said.error } : NONSENSE;
  }
  return typeof type === 'string' ? HEARD : NONSENSE;
}

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumber = (value: unknown) => Number.isFinite(value);

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

/** Which part of the inbox, and what both kinds of frame say of the whole of it. */
function isOfInbox(value: Readonly<Record<string, unknown>>, entries: string): boolean {
  const list = value[entries];
  return Array.isArray(list) && list.every(isEntry) && isNumber(value.total) && isNumber(value.now);
}

function isPage(value: object): value is InboxPage {
  const said = value as Readonly<Record<string, unknown>>;
  return isOfInbox(said, 'interactions') && (said.next === undefined || isText(said.next));
}

function isChange(value: object): value is InboxChange {
  const said = value as Readonly<Record<string, unknown>>;
  return (
    isOfInbox(said, 'upserts') &&
    isText(said.sessionId) &&
    isTextOrNull(said.sessionTitle) &&
    Array.isArray(said.removed) &&
    said.removed.every(isText)
  );
}
