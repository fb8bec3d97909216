/**
 * One attempt of a delivery: the surface of the target sends it, an answer in the reply goes to the session, and the result
 * is stored.
 *
 * The only place that stores results, for a test as well as for the queue. Everything that an attempt changes is one
 * transaction, so that a crash leaves either no result, and the attempt is made again, or all of it.
 */
import { requestIn } from '../core/delivery/webhook-body.ts';
import { ERRORS } from '../protocol/errors.ts';
import { deliveryId, recordAttempt } from './delivery-queue.ts';
import type { StoredDelivery, StoredShown, TargetConfig, TargetPorts } from './ports.ts';
import { sendAnswer } from './receiver-answer.ts';
import { makeTargetLink } from './target-link.ts';
import { findSurface } from './surfaces/index.ts';
import type { DeliveryResult, ShownMessage, SurfaceTarget } from './surfaces/surface.ts';
import type { SurfaceSettings } from '../protocol/schema/surfaces/index.ts';

type AttemptPorts = Pick<
  TargetPorts,
  | 'store'
  | 'send'
  | 'sendPush'
  | 'encryptPush'
  | 'sendBoundMail'
  | 'answer'
  | 'now'
  | 'chance'
  | 'isoTime'
  | 'writeAnswerLink'
>;

/** True when the target is now disabled, which its workspace must be sent. */
export async function attemptDelivery(
  ports: AttemptPorts,
  config: TargetConfig,
  delivery: StoredDelivery,
): Promise<boolean> {
  const { store, now } = ports;
  const {
    reply,
    isPermanent,
    isGone = false,
    shown,
    answer,
  } = await sendBySurface(ports, config, delivery);
  const answered = answer && (await sendAnswer(ports, config, delivery, answer));
  const isRefusedForNow = answered?.ok === false && ERRORS[answered.code].retry !== 'never';
  return store.write(() => {
    const current = store.find(delivery.number);
    // It was removed, or the whole target was deleted.
    if (current === undefined) return false;
    if (shown !== undefined) saveShown(ports, current, shown);
    const isFailing = recordAttempt(ports, current, {
      reply,
      problem: isRefusedForNow ? 'The answer could not be stored' : reply.problem,
      isPermanent: isPermanent === true || isGone,
      answer: answered && (answered.ok ? 'accepted' : answered.code),
    });
    if ((!isFailing && !isGone) || store.disabled() !== undefined) return false;
    const { enabledCount } = config;
    store.saveDisabled({ at: now(), enabledCount, isReported: false, ...(isGone && { isGone }) });
    return true;
  });
}

function sendBySurface(
  ports: AttemptPorts,
  config: TargetConfig,
  delivery: StoredDelivery,
): Promise<DeliveryResult> {
  const { store, send, sendPush, encryptPush, sendBoundMail, now, isoTime } = ports;
  const { number, at, sessionId, announcement } = delivery;
  const known = takeUp(findShown(ports, delivery), delivery);
  const requested = findRequested(ports, delivery, known)?.requested;
  return findSurface(config.surface).deliver(
    surfaceTarget(config),
    {
      id: deliveryId(config.id, number),
      at,
      sessionId,
      announcement,
      requested,
      link: requested && makeTargetLink(ports, config, { sessionId, requested }),
      showingId: deliveryId(config.id, known?.number ?? number),
      shown: known,
    },
    {
      send,
      sendPush,
      encryptPush,
      sendBoundMail,
      now,
      isoTime,
      remember: (shown) => store.write(() => saveShown(ports, delivery, shown)),
      isRetired: () => takeUp(findShown(ports, delivery), delivery)?.isRetired === true,
    },
  );
}

export function surfaceTarget(config: TargetConfig): SurfaceTarget<SurfaceSettings> {
  const { id, workspace, origin, audience, secrets, surface } = config;
  return { id, workspace, origin, audience, secrets, settings: surface };
}

function findShown(
  { store }: Pick<TargetPorts, 'store'>,
  { sessionId, announcement }: StoredDelivery,
): StoredShown | undefined {
  if (announcement === null || !('interactionId' in announcement)) return undefined;
  return store.shown(sessionId, announcement.interactionId);
}

function findRequested(
  { store }: Pick<TargetPorts, 'store'>,
  delivery: StoredDelivery,
  shown: StoredShown | undefined,
) {
  const number = shown?.number ?? null;
  const showing = number === null ? undefined : store.find(number);
  return requestedBy(delivery) ?? (showing && requestedBy(showing));
}

/** What a delivery asks for an answer to. */
export function requestedBy({ sessionId, announcement }: StoredDelivery) {
  const requested = announcement && requestIn(announcement);
  return requested ? { sessionId, requested } : undefined;
}

function saveShown(
  { store, now }: Pick<TargetPorts, 'store' | 'now'>,
  delivery: StoredDelivery,
  { reference, isRetired }: ShownMessage,
): void {
  const { sessionId, number, announcement } = delivery;
  if (announcement === null || !('interactionId' in announcement)) return;
  const { interactionId } = announcement;
  const isRequest = requestIn(announcement) !== undefined;
  const known = takeUp(store.shown(sessionId, interactionId), delivery);
  // Once and for all, also for an attempt that began before the end of the interaction.
  const isOver = known?.isRetired === true;
  const isHandedOver = announcement.type === 'interaction.handed_over' && isRetired;
  store.saveShown({
    sessionId,
    interactionId,
    number: isRequest ? number : (known?.number ?? null),
    reference: isHandedOver
      ? `${HANDED_OVER}${announcement.seq}`
      : isOver && known.reference.startsWith(HANDED_OVER)
        ? known.reference
        : reference,
    isRetired: isRetired || isOver,
    at: now(),
  });
}

/** The place of a message that was retired because others are asked, with the `seq` of that. */
const HANDED_OVER = 'handed over ';

/** Nothing is shown to those who are asked again after a handover: an announcement from before it is still over. */
function takeUp(
  shown: StoredShown | undefined,
  { announcement }: StoredDelivery,
): StoredShown | undefined {
  if (shown?.isRetired !== true || !shown.reference.startsWith(HANDED_OVER)) return shown;
  const since = Number(shown.reference.slice(HANDED_OVER.length));
  const asksAgain = announcement && requestIn(announcement) && announcement.seq > since;
  return asksAgain === true ? undefined : shown;
}
