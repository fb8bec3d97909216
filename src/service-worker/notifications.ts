/**
 * Notifications of requests: shown when a message arrives, closed when a request ends, and answered where one press may.
 *
 * 1. A press never does more than it says: approve and deny only where the server called one press safe, always with the
 *    digest of what was shown. Any other press opens the card.
 * 2. Every press has a visible result: it counts silently, or a notification says why it did not.
 * 3. A page that shows the request in front of the person is enough: there is no notification beside it.
 */
import {
  type PushedEnd,
  type PushedRequest,
  pushTag,
  readPushMessage,
} from '../protocol/push-message.ts';
import { credentialHeaders } from '../protocol/credential-headers.ts';
import { isObject } from '../protocol/types.ts';

/** The device and the credential with which the worker answers. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly subject: string;
  readonly token: string;
}

export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly silent?: boolean;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
  readonly data: NotificationData;
}

type RequestPlace = Pick<PushedRequest, 'sessionId' | 'interactionId'>;

/** Kept with the notification; undefined for one that is about no request. */
interface NotificationData {
  readonly request?: RequestPlace & Pick<PushedRequest, 'digest' | 'title'>;
}

export interface NotificationPorts {
  readonly show: (content: NotificationContent) => Promise<void>;
  /** Closes the notification with this tag. */
  readonly close: (tag: string) => Promise<void>;
  /** Whether a page in front of the person shows this request. */
  readonly isInView: (place: RequestPlace) => Promise<boolean>;
  readonly open: (address: string) => Promise<void>;
  readonly device: () => Promise<DeviceRecord | undefined>;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
}

export async function showMessage(text: string, ports: NotificationPorts): Promise<void> {
  const message = readPushMessage(text);
  if (message === undefined) {
    return ports.show(notice('Something is waiting for you', 'Press to open Holdpoint.'));
  }
  if (message.type === 'test') {
    return ports.show(notice('This device is notified', 'Requests that wait for you appear here.'));
  }
  if (message.type === 'end') return showEnd(message, ports);
  if (await ports.isInView(message)) return;
  const { sessionId, interactionId, title, body, digest, onePress } = message;
  await ports.show({
    title,
    body,
    tag: pushTag(message),
    actions: onePress ? NOTIFICATION_ACTIONS : [],
    data: { request: { sessionId, interactionId, digest, title } },
  });
}

const NOTIFICATION_ACTIONS = [
  { action: 'approve', title: 'Approve' },
  { action: 'deny', title: 'Deny' },
] as const;

function notice(title: string, body: string): NotificationContent {
  return { title, body, tag: 'holdpoint', actions: [], data: {} };
}

async function showEnd(end: PushedEnd, { show, close }: NotificationPorts): Promise<void> {
  const tag = pushTag(end);
  if (!end.mustShow) return close(tag);
  const { sessionId, interactionId, title } = end;
  const request = { sessionId, interactionId, title, digest: '' };
  await show({ title, body: '', tag, silent: true, actions: [], data: { request } });
}

/** `action` is empty for a press on the notification itself. */
export async function answerPress(
  action: string,
  data: unknown,
  ports: NotificationPorts,
): Promise<void> {
  const request = readData(data);
  if (request === undefined) return ports.open('/');
  if (action !== 'approve' && action !== 'deny') return ports.open(chatAddress(request));
  const problem = await answerProblem(action, request, ports);
  if (problem === undefined) return;
  await ports.show({
    title: problem,
    body: `${request.title}. Press to open it.`,
    tag: pushTag(request),
    actions: [],
    data: { request },
  });
}

/** The fragment never reaches the server or its log. */
function chatAddress({ sessionId, interactionId }: RequestPlace): string {
  return `/#${new URLSearchParams({ session: sessionId, interaction: interactionId }).toString()}`;
}

function readData(data: unknown): NotificationData['request'] {
  if (!isObject(data) || !isObject(data.request)) return undefined;
  const { sessionId, interactionId, digest, title } = data.request;
  return typeof sessionId === 'string' &&
    typeof interactionId === 'string' &&
    typeof digest === 'string' &&
    typeof title === 'string'
    ? { sessionId, interactionId, digest, title }
    : undefined;
}

/** Undefined once the answer counts; otherwise a sentence for the person. */
async function answerProblem(
  decision: 'approve' | 'deny',
  { sessionId, interactionId, digest }: RequestPlace & { readonly digest: string },
  { device, fetch }: NotificationPorts,
): Promise<string | undefined> {
  const known = await device();
  if (known === undefined) return 'Not sent: you are not signed in on this device';
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}/interactions/${encodeURIComponent(interactionId)}/answer`;
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: {
        ...credentialHeaders(known.token),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ decision, inputDigest: digest }),
    });
    if (response.ok) return undefined;
    return refusalText(response.status, await response.json().catch(() => undefined));
  } catch {
    return 'Not sent: there is no network';
  }
}

function refusalText(status: number, body: unknown): string | undefined {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const details = isObject(error.details) ? error.details : {};
  switch (error.code) {
    case 'already_settled':
      // The reply to an earlier press was lost.
      return details.yours === true ? undefined : lateText(details);
    case 'input_changed':
      return 'Not sent: the agent changed its request';
    case 'unauthenticated':
      return 'Not sent: you are no longer signed in';
    default:
      return status >= 500
        ? 'Not sent: the server could not store it'
        : `Not sent: ${typeof error.message === 'string' ? error.message : `refused with ${status}`}`;
  }
}

/** Who was first. */
function lateText({ settledBy, outcome }: Readonly<Record<string, unknown>>): string {
  const subject = isObject(settledBy) ? settledBy.subject : undefined;
  const how = typeof outcome === 'string' ? outcome : 'settled';
  return typeof subject === 'string' ? `Too late: ${how} by ${subject}` : `Too late: ${how}`;
}
