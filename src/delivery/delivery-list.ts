/** The deliveries of a target as its administrators see them: in pages, and to be sent again since a time. */
import * as z from 'zod';
import type { ReadResult } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { readCursor, cutPage, pageSize, writeCursor } from '../protocol/schema/cursor.ts';
import type { DeliveryView, RedeliverSince, Redelivered } from '../protocol/schema/target.ts';
import { requeue, viewDelivery } from './delivery-queue.ts';
import type { TargetPorts } from './ports.ts';

export interface DeliveryQuery {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
}

export interface DeliveriesPage {
  readonly deliveries: readonly DeliveryView[];
  readonly next?: string;
}

const REDELIVER_PAGE = 500;
const DeliveryCursor = z.tuple([z.literal('deliveries'), z.int()]);
const RedeliverCursor = z.tuple([z.literal('redeliver'), z.int()]);

export function listDeliveries(
  { store }: Pick<TargetPorts, 'store'>,
  targetId: string,
  { limit, before }: DeliveryQuery,
): ReadResult<DeliveriesPage> {
  const cursor = readCursor(DeliveryCursor, before);
  if (!cursor.ok) return cursor;
  const size = pageSize(limit);
  const found = store.list(size + 1, cursor.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['deliveries', last.number]);
  const deliveries = rows.map((row) => viewDelivery(targetId, row));
  return { ok: true, value: { deliveries, ...next } };
}

/**
 * Sends again what has ended, delivered or not. `next` is where the following request goes on: what this one has sent
 * again may have ended by then, and must not be sent a third time.
 */
export function requeueSince(
  ports: Pick<TargetPorts, 'store' | 'now' | 'chance'>,
  { since, after: from }: RedeliverSince,
): ReadResult<Redelivered> {
  const { store } = ports;
  const cursor = readCursor(RedeliverCursor, from);
  if (!cursor.ok) return cursor;
  let redelivered = 0;
  let after = cursor.value?.[1] ?? 0;
  while (redelivered < LIMITS.redelivered) {
    const size = Math.min(REDELIVER_PAGE, LIMITS.redelivered - redelivered);
    const page = store.listEnded(since, size, after);
    const last = page.at(-1);
    if (last === undefined) return { ok: true, value: { redelivered, more: false } };
    after = last.number;
    const ended = page.filter(({ announcement }) => announcement !== null);
    store.write(() => {
      for (const delivery of ended) requeue(ports, delivery);
    });
    redelivered += ended.length;
  }
  const more = store.listEnded(since, 1, after).length > 0;
  const next = more ? { next: writeCursor(['redeliver', after]) } : {};
  return { ok: true, value: { redelivered, more, ...next } };
}
