/**
 * The surface of a person's device: a request is a notification, and its end closes it.
 *
 * All messages about one request have one topic, so that a push service that could not reach the device delivers the
 * latest only. A message lives until the deadline of its request: a later one would ask for what is over.
 */
import { hashText } from '../../../core/digest.ts';
import { type Asking, pushedEnd, pushedRequest } from '../../../core/delivery/push-content.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { type PushMessage, pushTag } from '../../../protocol/push-message.ts';
import type { SettingsOf } from '../surface-settings.ts';
import type { DeliveryResult, OutgoingDelivery, Surface, SurfaceReply } from '../surface.ts';

export type PushSettings = SettingsOf<'push'>;

/** One message for one device, before its encryption. */
export interface OutgoingPush {
  readonly settings: PushSettings;
  readonly text: string;
  readonly ttlSeconds: number;
  readonly urgency: 'normal' | 'high';
  readonly topic?: string;
}

const NOTHING_TO_SEND: SurfaceReply = { text: '', retryAfter: null };
/** Push services refuse longer topics. */
const TOPIC_CHARS = 32;
/** It ends the subscription of a worker that shows nothing three times. */
const SHOWS_EVERY_MESSAGE = 'web.push.apple.com';

export const pushSurface: Surface<PushSettings> = {
  async deliver({ settings }, delivery, { sendPush, encryptPush, now }) {
    const { expiresAt } = settings;
    if (expiresAt !== null && expiresAt <= now()) {
      return { reply: problem('The sign-in of the device has ended'), isGone: true };
    }
    const planned = planMessage(settings, delivery, now());
    if (planned === undefined) return { reply: NOTHING_TO_SEND };
    const { message, shown, ...rest } = planned;
    const remembered = shown === undefined ? {} : { shown };
    if (message === undefined) return { reply: NOTHING_TO_SEND, ...remembered };
    const request = await encryptPush({ settings, text: JSON.stringify(message), ...rest });
    // The keys of a subscription may name no point of the curve.
    if (request === undefined) {
      return { reply: problem('The keys of the subscription are not valid'), isGone: true };
    }
    // The address is of the person's choosing: what answers there is not shown.
    const reply = { ...(await sendPush(request)), text: '' };
    return reply.problem === undefined
      ? { reply, ...remembered }
      : { reply, ...readFailure(reply.status) };
  },
};

function problem(text: string): SurfaceReply {
  return { ...NOTHING_TO_SEND, problem: text };
}

/** RFC 8030: 404 and 410 end a subscription; what the service does not take once, it never takes. */
function readFailure(status: number | undefined): Partial<DeliveryResult> {
  if (status === 404 || status === 410) return { isGone: true };
  const isPermanent = status !== undefined && status >= 400 && status < 500 && !RETRIED.has(status);
  return isPermanent ? { isPermanent } : {};
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

type Planned = Pick<OutgoingPush, 'ttlSeconds' | 'urgency' | 'topic'> & {
  readonly message?: PushMessage;
  readonly shown?: DeliveryResult['shown'];
};

function planMessage(
  settings: PushSettings,
  { sessionId, announcement, requested, shown }: OutgoingDelivery,
  now: number,
): Planned | undefined {
  if (announcement === null) {
    return { message: { type: 'test' }, ttlSeconds: LIMITS.pushTestSeconds, urgency: 'high' };
  }
  if (
    announcement.type === 'interaction.resolved' ||
    announcement.type === 'interaction.handed_over'
  ) {
    const end = {
      ...pushedEnd(sessionId, announcement, settings),
      mustShow: new URL(settings.endpoint).host === SHOWS_EVERY_MESSAGE,
    };
    const isShown = shown !== undefined && !shown.isRetired;
    return {
      // A request that never reached the device has nothing to close, and must not be shown any more.
      ...(isShown && { message: end }),
      shown: { reference: '', isRetired: true },
      ttlSeconds: LIMITS.pushMaxSeconds,
      urgency: 'normal',
      topic: topicOf(end),
    };
  }
  if (!isAsking(announcement) || shown?.isRetired === true) return undefined;
  const deadline = requested?.expiresAt ?? null;
  if (deadline !== null && deadline <= now) return undefined;
  const message = pushedRequest({ sessionId, announcement, requested }, settings);
  return {
    message,
    shown: { reference: announcement.interactionId, isRetired: false },
    ttlSeconds: ttlUntil(deadline, now),
    urgency: 'high',
    topic: topicOf(message),
  };
}

function isAsking(
  announcement: NonNullable<OutgoingDelivery['announcement']>,
): announcement is Asking {
  return ASKING_TYPES.has(announcement.type);
}

const ASKING_TYPES: ReadonlySet<string> = new Set<Asking['type']>([
  'interaction.requested',
  'interaction.reminder',
  'interaction.escalated',
]);

function ttlUntil(deadline: number | null, now: number): number {
  if (deadline === null) return LIMITS.pushMaxSeconds;
  return Math.min(Math.ceil((deadline - now) / 1_000), LIMITS.pushMaxSeconds);
}

function topicOf(about: Parameters<typeof pushTag>[0]): string {
  return hashText(pushTag(about)).slice(0, TOPIC_CHARS);
}
