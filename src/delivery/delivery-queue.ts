/**
 * The queue of one target: which delivery is sent when, and what its result changes. It reads and writes rows; sending
 * is left to `target.ts`.
 *
 * 1. A delivery that arrives twice is stored once.
 * 2. Of one session, a delivery waits behind the earlier one until that was delivered, has failed twice, or is dead.
 * 3. A delivery leaves the queue only with its result, in one transaction.
 * 4. A reminder in quiet hours waits for their end, beside that order, and is dropped when its request settles.
 */
import { heldUntil, quietUntil } from '../core/delivery/quiet-hours.ts';
import {
  ATTEMPTS_IN_ORDER,
  isGivenUp,
  nextAttemptAt,
  readRetryAfter,
} from '../core/delivery/retry-schedule.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { QuietHours } from '../protocol/schema/quiet-hours.ts';
import type { DeliveryAttempt, DeliveryView } from '../protocol/schema/target.ts';
import type { OutgoingAnnouncement, StoredDelivery, TargetPorts } from './ports.ts';
import { type SurfaceReply, TEST_TYPE } from './surfaces/surface.ts';

type QueuePorts = Pick<TargetPorts, 'store' | 'now' | 'chance'>;

/** A message that reports nothing. It is no part of the queue: who asks for it sends it at once. */
export function addTest({ store, now }: Pick<QueuePorts, 'store' | 'now'>): StoredDelivery {
  const at = now();
  const test = {
    sessionId: '',
    source: `test ${at} ${store.list(1)[0]?.number ?? 0}`,
    at,
    wait: null,
    nextAt: null,
    attempts: 0,
    announcement: null,
    last: null,
    isDelivered: false,
    heldFor: null,
  };
  const number = store.add(test);
  if (number === undefined) throw new Error('Two tests have the same source');
  return { ...test, number };
}

export function enqueue(
  { store, now }: Pick<QueuePorts, 'store' | 'now'>,
  { sessionId, source, announcement, isUnwanted }: OutgoingAnnouncement,
  quietHours?: QuietHours,
): void {
  const interactionId = 'interactionId' in announcement ? announcement.interactionId : null;
  const { type } = announcement;
  if (type === 'interaction.resolved' || type === 'interaction.handed_over') {
    dropHeld({ store, now }, sessionId, announcement.interactionId);
  }
  if (isUnwanted === true) return;
  const heldAt = heldUntil(quietHours, announcement, now());
  const wait = heldAt === null && mustWait({ store }, sessionId) ? 'behind' : 'due';
  store.add({
    sessionId,
    source,
    at: now(),
    wait,
    nextAt: wait === 'due' ? (heldAt ?? now()) : null,
    attempts: 0,
    announcement,
    last: null,
    isDelivered: false,
    heldFor: heldAt === null ? null : interactionId,
  });
}

/** A reminder of what has settled would ask a person for nothing. */
function dropHeld(
  { store, now }: Pick<QueuePorts, 'store' | 'now'>,
  sessionId: string,
  interactionId: string,
): void {
  for (const reminder of store.held(sessionId, interactionId)) {
    const last = reminder.last ?? { at: now(), problem: NOT_SENT, body: '' };
    store.update({ ...reminder, wait: null, nextAt: null, last });
  }
}

const NOT_SENT = 'Not sent: the request was settled or handed over during quiet hours';

/** New hours that end earlier, or are no longer now, hold a reminder no longer; later ones do not hold it again. */
export function freeHeld(
  { store, now }: Pick<QueuePorts, 'store' | 'now'>,
  known: QuietHours | undefined,
  hours: QuietHours | undefined,
): void {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(hours)) return;
  store.shortenHeld((hours && quietUntil(hours, now())) ?? now());
}

function mustWait({ store }: Pick<QueuePorts, 'store'>, sessionId: string): boolean {
  return store.hasDue(sessionId, ATTEMPTS_IN_ORDER) || store.firstBehind(sessionId) !== undefined;
}

/** An ended delivery is sent once more, with its id and its place in the order of its session. */
export function requeue({ store, now }: QueuePorts, delivery: StoredDelivery): StoredDelivery {
  const isFree = delivery.sessionId === '' || !mustWait({ store }, delivery.sessionId);
  const again: StoredDelivery = {
    ...delivery,
    wait: isFree ? 'due' : 'behind',
    nextAt: isFree ? now() : null,
    attempts: 0,
    isDelivered: false,
    heldFor: null,
  };
  store.update(again);
  return again;
}

export interface AttemptResult {
  readonly reply: SurfaceReply;
  readonly problem: string | undefined;
  /** A repeat would fail in the same way. */
  readonly isPermanent?: boolean;
  /** What became of an answer in the response. */
  readonly answer: string | undefined;
}

/**
 * Stores the result. True when the target has now failed for so long that it must be disabled. A test is not repeated,
 * and says nothing about that: its result is stored alone.
 */
export function recordAttempt(
  { store, now, chance }: QueuePorts,
  delivery: StoredDelivery,
  { reply, problem, isPermanent = false, answer }: AttemptResult,
): boolean {
  const at = now();
  const last: DeliveryAttempt = {
    at,
    body: reply.text.slice(0, LIMITS.deliveryBodyChars),
    ...(reply.status !== undefined && { status: reply.status }),
    ...(problem !== undefined && { problem }),
    ...(answer !== undefined && { answer }),
  };
  const attempts = delivery.attempts + 1;
  const retryAfterMs = readRetryAfter(reply.retryAfter, at) ?? 0;
  const isTest = delivery.announcement === null;
  // A test, or a reminder whose request was settled while it was sent.
  const isOnce = delivery.wait === null;
  const nextAt =
    problem === undefined || isPermanent || isOnce
      ? null
      : nextAttemptAt(attempts, { now: at, chance: chance(), retryAfterMs });
  store.update({
    ...delivery,
    wait: nextAt === null ? null : 'due',
    nextAt,
    attempts,
    last,
    isDelivered: problem === undefined,
  });
  if (isTest) return false;
  releaseNext({ store, now }, delivery.sessionId);
  return noteHealth({ store, now }, problem === undefined);
}

/** Also right when the failed delivery still holds up its session: then nothing changes. */
function releaseNext({ store, now }: Pick<QueuePorts, 'store' | 'now'>, sessionId: string): void {
  if (store.hasDue(sessionId, ATTEMPTS_IN_ORDER)) return;
  const number = store.firstBehind(sessionId);
  const next = number === undefined ? undefined : store.find(number);
  if (next !== undefined) store.update({ ...next, wait: 'due', nextAt: now() });
}

function noteHealth({ store, now }: Pick<QueuePorts, 'store' | 'now'>, isWell: boolean): boolean {
  const since = store.failingSince();
  if (isWell) {
    if (since !== null) store.saveFailingSince(null);
    return false;
  }
  if (since === null) store.saveFailingSince(now());
  return since !== null && isGivenUp(since, now());
}

/** The `webhook-id` of a delivery, the same in every attempt. */
export function deliveryId(targetId: string, number: number): string {
  return `msg_${targetId.slice(TARGET_PREFIX.length)}_${number}`;
}

const TARGET_PREFIX = 'tgt_';

/** Undefined for a text that is the id of no delivery of this target. */
export function readDeliveryId(targetId: string, id: string): number | undefined {
  const number = Number(/_([1-9]\d{0,14})$/.exec(id)?.[1]);
  return deliveryId(targetId, number) === id ? number : undefined;
}

/** The target that a delivery belongs to; undefined for a text that is the id of no delivery. */
export function targetOfDelivery(id: string): string | undefined {
  const suffix = /^msg_([A-Za-z0-9]{1,64})_\d{1,15}$/.exec(id)?.[1];
  return suffix === undefined ? undefined : `${TARGET_PREFIX}${suffix}`;
}

export function viewDelivery(targetId: string, delivery: StoredDelivery): DeliveryView {
  const { number, sessionId, announcement, at, wait, nextAt, attempts, last, isDelivered } =
    delivery;
  return {
    id: deliveryId(targetId, number),
    type: announcement?.type ?? TEST_TYPE,
    ...(announcement !== null && { sessionId, seq: announcement.seq }),
    createdAt: at,
    status: isDelivered ? 'delivered' : wait === null ? 'dead' : 'pending',
    attempts,
    nextAt,
    last,
  };
}
