/** The deliveries of a target as its administrators see them: in pages, and to be sent again since a time. */
import * as z from 'zod';
import type { ReadResult } from '../protocol/errors.ts';
import { readCursor, cutPage, pageSize } from '../protocol/schema/cursor.ts';
import type { DeliveryView } from '../protocol/schema/target.ts';
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

const MAX_REDELIVERED = 10_000;
const REDELIVER_PAGE = 500;
const DeliveryCursor = z.tuple([z.literal('deliveries'), z.int()]);

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

/** What has ended, delivered or not; returns how many are sent again. */
export function requeueSince(
  ports: Pick<TargetPorts, 'store' | 'now' | 'chance'>,
  since: number,
): number {
  const { store } = ports;
  let count = 0;
  let after = 0;
  while (count < MAX_REDELIVERED) {
    const page = store.listEnded(since, REDELIVER_PAGE, after);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.number;
    const ended = page.filter(({ announcement }) => announcement !== null);
    store.write(() => {
      for (const delivery of ended) requeue(ports, delivery);
    });
    count += ended.length;
  }
  return count;
}
