/**
 * The surface of a channel of Slack: a request is a message with buttons, and its end rewrites the message.
 *
 * 1. A message is posted once, as far as Slack can tell: before each post the time of it is stored, and an attempt that
 *    finds such a time without the message's `ts` looks for its message by the metadata first.
 * 2. A request that has settled is never shown with buttons again, however late its post or an update of it is repeated.
 */
import * as z from '../../../protocol/schema/zod.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { Announcement } from '../../../protocol/schema/announcement.ts';
import type { SettingsOf } from '../surface-settings.ts';
import type {
  DeliveryPorts,
  DeliveryResult,
  OutgoingDelivery,
  RequestedAnnouncement,
  Surface,
  SurfaceTarget,
} from '../surface.ts';
import { callSlack, isPermanentError, readSlack, type SlackResult } from './slack-api.ts';
import { receiveFromSlack } from './slack-inbound.ts';
import { requestMessage, settledMessage, type SlackMessage } from './slack-message.ts';
import { markdownText } from './slack-text.ts';

type SlackTarget = SurfaceTarget<SettingsOf<'slack'>>;

export const slackSurface: Surface<SettingsOf<'slack'>> = {
  deliver: (target, delivery, ports) => deliverToSlack({ target, delivery, ports }),
  receive: receiveFromSlack,
};

interface Attempt {
  readonly target: SlackTarget;
  readonly delivery: OutgoingDelivery;
  readonly ports: DeliveryPorts;
}

/** A message, or the time of a post of which no response came. */
const ShownReference = z.union([
  z.strictObject({ channel: z.string(), ts: z.string() }),
  z.strictObject({ postedAt: z.number() }),
]);
interface MessagePlace {
  readonly channel: string;
  readonly ts: string;
}

const NOTHING_SENT: DeliveryResult = { reply: { text: '', retryAfter: null } };
const EVENT_TYPE = 'holdpoint_request';
const MESSAGE_GONE = 'message_not_found';
/** Around the time of a post: clocks differ, and a response may be lost at the end of the time for it. */
const SEARCH_BEFORE_S = 30;
const SEARCH_AFTER_S = 120;
/** Each message has some kilobytes, and of a response only the beginning is read. */
const SEARCH_LIMIT = 15;

function deliverToSlack(attempt: Attempt): Promise<DeliveryResult> {
  const { announcement } = attempt.delivery;
  switch (announcement?.type) {
    case undefined:
      return postTest(attempt);
    case 'interaction.requested':
      return announce(attempt, announcement);
    case 'interaction.updated':
      return announcement.approvedBy === undefined
        ? update(attempt, announcement.expiresAt)
        : addToThread(attempt, countVotes(attempt, announcement.approvedBy.length));
    case 'interaction.resolved':
    case 'interaction.handed_over':
      return retire(attempt, announcement);
    case 'interaction.reminder':
      return addToThread(attempt, 'Still waiting for an answer.');
    case 'interaction.escalated':
      // To those who are asked only now it is the request itself.
      return attempt.delivery.shown === undefined && attempt.delivery.requested !== undefined
        ? announce(attempt, attempt.delivery.requested)
        : addToThread(attempt, 'There is no answer yet; others are asked now.');
    case 'turn.ended':
    case 'session.created':
    case 'session.deleted':
      return Promise.resolve(NOTHING_SENT);
  }
}

/** Without names: the names of people here are not the names in the chat. */
function countVotes({ delivery }: Attempt, given: number): string {
  const { approvals } = delivery.requested?.quorum ?? {};
  return approvals === undefined ? `Approvals: ${given}.` : `${given} of ${approvals} approvals.`;
}

async function postTest({ target: { settings }, ports }: Attempt): Promise<DeliveryResult> {
  const text = 'Holdpoint can post here.';
  return deliveryResult(
    await callSlack(ports, settings, 'chat.postMessage', { channel: settings.channel, text }),
  );
}

async function announce(
  attempt: Attempt,
  requested: RequestedAnnouncement,
): Promise<DeliveryResult> {
  const { delivery, ports } = attempt;
  const found = await locate(attempt);
  if ('failed' in found) return deliveryResult(found.failed);
  if (delivery.shown?.isRetired === true) {
    return found.place === undefined
      ? NOTHING_SENT
      : deliveryResult(await rewrite(attempt, found.place, SETTLED));
  }
  const message = currentMessage(attempt, requested);
  if (found.place !== undefined) {
    const rewritten = await rewrite(attempt, found.place, message);
    const isGone = !rewritten.ok && rewritten.error === MESSAGE_GONE;
    if (!isGone) return { ...deliveryResult(rewritten), shown: shownAt(found.place) };
  }
  ports.remember({ reference: JSON.stringify({ postedAt: ports.now() }), isRetired: false });
  return post(attempt, message);
}

async function post(attempt: Attempt, message: SlackMessage): Promise<DeliveryResult> {
  const { target, delivery, ports } = attempt;
  const posted = await callSlack(ports, target.settings, 'chat.postMessage', {
    channel: target.settings.channel,
    ...message,
    metadata: { event_type: EVENT_TYPE, event_payload: { delivery: delivery.id } },
    unfurl_links: false,
    unfurl_media: false,
  });
  if (!posted.ok) {
    // Slack said that it posted nothing: the next attempt has nothing to look for.
    const isRefused = posted.error !== undefined;
    return {
      ...deliveryResult(posted),
      ...(isRefused && { shown: { reference: '', isRetired: false } }),
    };
  }
  const place = readPlace(posted.json);
  if (place === undefined) {
    return { reply: { ...posted.reply, problem: 'Slack did not say where it posted' } };
  }
  // It settled while this post was under way, and its end found no message to rewrite.
  if (!ports.isRetired()) return { reply: posted.reply, shown: shownAt(place) };
  return { ...deliveryResult(await rewrite(attempt, place, SETTLED)), shown: shownAt(place, true) };
}

async function update(
  attempt: Attempt,
  expiresAt: number | null | undefined,
): Promise<DeliveryResult> {
  const { requested, shown } = attempt.delivery;
  // Only the deadline is part of the message.
  if (expiresAt === undefined || requested === undefined || shown?.isRetired !== false) {
    return NOTHING_SENT;
  }
  const found = await locate(attempt);
  if ('failed' in found) return deliveryResult(found.failed);
  if (found.place === undefined) return NOTHING_SENT;
  const message = currentMessage(attempt, { ...requested, expiresAt });
  return doneIfGone(await rewrite(attempt, found.place, message));
}

async function retire(
  attempt: Attempt,
  ending: Extract<Announcement, { type: 'interaction.resolved' | 'interaction.handed_over' }>,
): Promise<DeliveryResult> {
  const { delivery, ports } = attempt;
  const { requested, shown } = delivery;
  const found = await locate(attempt);
  if ('failed' in found) return deliveryResult(found.failed);
  const { place } = found;
  if (place === undefined) {
    const reference = shown?.reference ?? '';
    return { ...NOTHING_SENT, shown: { reference, isRetired: true } };
  }
  const { isoTime } = ports;
  const message = settledMessage(requested, ending, isoTime);
  const rewritten = await rewrite(attempt, place, message);
  const result = doneIfGone(rewritten);
  const isOver = result.reply.problem === undefined || result.isPermanent === true;
  return { ...result, ...(isOver && { shown: shownAt(place, true) }) };
}

async function addToThread(attempt: Attempt, text: string): Promise<DeliveryResult> {
  const { delivery, target, ports } = attempt;
  const place = readReference(delivery);
  if (place === undefined || !('ts' in place) || delivery.shown?.isRetired !== false) {
    return NOTHING_SENT;
  }
  const content = { channel: place.channel, thread_ts: place.ts, text };
  return deliveryResult(await callSlack(ports, target.settings, 'chat.postMessage', content));
}

const SETTLED: SlackMessage = {
  text: 'This request is over here.',
  blocks: [{ type: 'section', text: markdownText('This request is over here.') }],
};

function currentMessage(
  { target, delivery, ports: { isoTime } }: Attempt,
  requested: RequestedAnnouncement,
): SlackMessage {
  const { showingId: deliveryId, sessionId, link } = delivery;
  const place = new URLSearchParams({
    session: sessionId,
    interaction: requested.interactionId,
  }).toString();
  const openUrl = link?.url ?? (target.origin && `${target.origin}/#${place}`);
  return requestMessage({ deliveryId, sessionId, requested, openUrl, isoTime });
}

/** Where the message is: as stored, or found by its metadata after a post without a response. */
async function locate(
  attempt: Attempt,
): Promise<{ readonly place: MessagePlace | undefined } | { readonly failed: SlackResult }> {
  const { target, delivery, ports } = attempt;
  const reference = readReference(delivery);
  if (reference === undefined || 'ts' in reference) return { place: reference };
  const { channel } = target.settings;
  const seconds = Math.floor(reference.postedAt / 1_000);
  const read = await readSlack(ports, target.settings, 'conversations.history', {
    channel,
    oldest: String(seconds - SEARCH_BEFORE_S),
    latest: String(seconds + SEARCH_AFTER_S),
    limit: String(SEARCH_LIMIT),
    include_all_metadata: 'true',
  });
  // Without the scope to read, or in a channel full of long messages, it may be posted twice.
  if (!read.ok) return isPermanentError(read.error) ? { place: undefined } : { failed: read };
  const { data } = ChannelHistory.safeParse(read.json);
  const own = data?.messages.find(
    ({ metadata }) => metadata?.event_payload?.delivery === delivery.showingId,
  );
  return { place: own && { channel, ts: own.ts } };
}

const ChannelHistory = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z
        .object({ event_payload: z.object({ delivery: z.string().optional() }).optional() })
        .optional(),
    }),
  ),
});

function readReference({ shown }: OutgoingDelivery) {
  const parsed = parseJson(shown?.reference ?? '');
  return parsed.ok ? ShownReference.safeParse(parsed.value).data : undefined;
}

function readPlace({ channel, ts }: Readonly<Record<string, unknown>>): MessagePlace | undefined {
  return typeof channel === 'string' && typeof ts === 'string' ? { channel, ts } : undefined;
}

function shownAt(place: MessagePlace, isRetired = false) {
  return { reference: JSON.stringify(place), isRetired };
}

function rewrite(
  { target, ports }: Attempt,
  { channel, ts }: MessagePlace,
  message: SlackMessage,
): Promise<SlackResult> {
  return callSlack(ports, target.settings, 'chat.update', { channel, ts, ...message });
}

function deliveryResult(result: SlackResult): DeliveryResult {
  const { reply } = result;
  return result.ok ? { reply } : { reply, isPermanent: isPermanentError(result.error) };
}

/** A message that was deleted has no buttons left. */
function doneIfGone(result: SlackResult): DeliveryResult {
  if (result.ok || result.error !== MESSAGE_GONE) return deliveryResult(result);
  const { problem: _problem, ...reply } = result.reply;
  return { reply };
}
