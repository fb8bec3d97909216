/**
 * One target: sends what its workspace hands over, and takes the answers of its receiver.
 *
 * Each target is an object of its own, so that a slow receiver holds up no other. Rows say what is left to send; the
 * fields only say what is being sent at the moment. After a crash the alarm finds the same rows and sends again what
 * had no result, so every announcement is sent at least once. `alarm` never throws.
 */
import * as z from '../protocol/schema/zod.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { DeliveryView, RedeliverSince, Redelivered } from '../protocol/schema/target.ts';
import { attemptDelivery } from './attempt.ts';
import {
  addTest,
  enqueue,
  freeHeld,
  readDeliveryId,
  requeue,
  viewDelivery,
} from './delivery-queue.ts';
import type {
  AnswerResult,
  OutgoingAnnouncement,
  StoredDelivery,
  TargetConfig,
  TargetPorts,
} from './ports.ts';
import { type InboundMessage, receiveAnswer } from './receiver-answer.ts';
import { receiveMessage, type ReceivedMessage } from './surface-message.ts';
import type { SurfaceMessage } from './surfaces/surface.ts';
import { readCursor, cutPage, pageSize, writeCursor } from '../protocol/schema/cursor.ts';

/** A receiver that stalls has so many open requests at once; the platform allows an object six. */
const MAX_AT_ONCE = 4;
/** Longer than an attempt: an alarm that goes off during one would find nothing to do. */
const LOOK_AGAIN_MS = 20_000;
/** After storage failed: otherwise the same delivery would be sent again and again. */
const PAUSE_MS = 10_000;
const MAX_REMOVED = 1_000;

const UNKNOWN_TARGET = reject('not_found', 'There is no such target');
const UNKNOWN_DELIVERY = reject('not_found', 'This target has no such delivery');

export class Target {
  readonly #ports: TargetPorts;
  readonly #countingPorts: TargetPorts;
  readonly #sending = new Set<number>();
  #pausedUntil = 0;

  constructor(ports: TargetPorts) {
    this.#ports = ports;
    this.#countingPorts = countingAnswers(ports);
    this.#arm();
  }

  /** Stores the announcements before it returns, so that the workspace may forget them. Null: the target was deleted. */
  receive(config: TargetConfig | null, announcements: readonly OutgoingAnnouncement[]): void {
    const { store } = this.#ports;
    if (config === null) {
      store.write(() => store.removeAll());
      return;
    }
    store.write(() => {
      this.#saveConfig(config);
      const { quietHours } = store.config() ?? config;
      for (const one of announcements) enqueue(this.#ports, one, quietHours);
    });
    this.#send();
  }

  #saveConfig(config: TargetConfig): void {
    const { store } = this.#ports;
    const known = store.config();
    // An older request may arrive late.
    if (known !== undefined && known.enabledCount > config.enabledCount) return;
    if (JSON.stringify(known) === JSON.stringify(config)) return;
    if (known !== undefined && known.enabledCount < config.enabledCount) {
      store.saveDisabled(undefined);
      store.saveFailingSince(null);
    }
    store.saveConfig(config);
    if (known !== undefined) freeHeld(this.#ports, known.quietHours, config.quietHours);
  }

  /** Sends a message that reports nothing, and returns what became of it. */
  async test(): Promise<ReadResult<DeliveryView>> {
    const { store } = this.#ports;
    const config = store.config();
    if (config === undefined) return UNKNOWN_TARGET;
    const delivery = store.write(() => addTest(this.#ports));
    const isDisabled = await attemptDelivery(this.#ports, config, delivery);
    // Before the report: a target whose receiver is gone is deleted with its deliveries.
    const view = this.#view(config, delivery.number);
    if (isDisabled) await this.#reportDisabled();
    return view;
  }

  deliveries(page: DeliveryQuery): ReadResult<DeliveriesPage> {
    const config = this.#ports.store.config();
    if (config === undefined) return { ok: true, value: { deliveries: [] } };
    return listDeliveries(this.#ports, config.id, page);
  }

  redeliver(id: string): ReadResult<DeliveryView> {
    const { store } = this.#ports;
    const config = store.config();
    if (config === undefined) return UNKNOWN_TARGET;
    const number = readDeliveryId(config.id, id);
    const delivery = number === undefined ? undefined : store.find(number);
    if (delivery === undefined || delivery.announcement === null) return UNKNOWN_DELIVERY;
    if (delivery.wait === null) store.write(() => requeue(this.#ports, delivery));
    this.#send();
    return this.#view(config, delivery.number);
  }

  redeliverSince(what: RedeliverSince): ReadResult<Redelivered> {
    if (this.#ports.store.config() === undefined) return UNKNOWN_TARGET;
    const result = requeueSince(this.#ports, what);
    this.#send();
    return result;
  }

  #view(config: TargetConfig, number: number): ReadResult<DeliveryView> {
    const delivery = this.#ports.store.find(number);
    return delivery === undefined
      ? UNKNOWN_DELIVERY
      : { ok: true, value: viewDelivery(config.id, delivery) };
  }

  /** An answer that its receiver posts. */
  async answer(id: string, message: InboundMessage): Promise<AnswerResult> {
    const config = this.#ports.store.config();
    if (config === undefined) return UNKNOWN_TARGET;
    return receiveAnswer(this.#countingPorts, config, {
      message,
      findDelivery: () => {
        const number = readDeliveryId(config.id, id);
        return number === undefined ? undefined : this.#ports.store.find(number);
      },
    });
  }

  /** Whether an answer link of this target for this subject is in force. */
  answersAs(subject: string): boolean {
    const config = this.#ports.store.config();
    return config !== undefined && this.#isEnabled(config) && config.audience === subject;
  }

  /** A message in the form of its surface, such as a button that a person pressed in a chat. */
  async receiveMessage(message: SurfaceMessage): Promise<ReceivedMessage | Rejection> {
    const config = this.#ports.store.config();
    return config === undefined
      ? UNKNOWN_TARGET
      : receiveMessage(
          this.#countingPorts,
          { config, isEnabled: this.#isEnabled(config) },
          message,
        );
  }

  async alarm(): Promise<void> {
    const { store, now, warn } = this.#ports;
    try {
      if (store.config() !== undefined) {
        store.write(() => {
          store.removeEnded(now() - LIMITS.deliveryMs, MAX_REMOVED);
          store.removeShownBefore(now() - LIMITS.deliveryMs, MAX_REMOVED);
        });
        await this.#reportDisabled();
        this.#send();
      }
    } catch (cause) {
      warn('The alarm of a target failed and is set again', cause);
      this.#pausedUntil = now() + PAUSE_MS;
    }
    this.#arm();
  }

  #isEnabled(config: TargetConfig): boolean {
    const disabled = this.#ports.store.disabled();
    return config.isEnabled && disabled?.enabledCount !== config.enabledCount;
  }

  /** Starts as many due deliveries as may run at once. The alarm is set first, for a crash during an attempt. */
  #send(): void {
    const { store, now } = this.#ports;
    this.#arm();
    const config = store.config();
    if (config === undefined || !this.#isEnabled(config) || now() < this.#pausedUntil) return;
    const free = MAX_AT_ONCE - this.#sending.size;
    if (free <= 0) return;
    const chosen = store
      .due(now(), MAX_AT_ONCE + this.#sending.size)
      .filter(({ number }) => !this.#sending.has(number))
      .slice(0, free);
    for (const delivery of chosen) {
      this.#sending.add(delivery.number);
      void this.#deliver(config, delivery)
        .catch((cause: unknown) => {
          this.#pausedUntil = now() + PAUSE_MS;
          this.#ports.warn('The result of a delivery could not be stored; it is sent again', cause);
        })
        .then(() => {
          this.#sending.delete(delivery.number);
          this.#send();
        })
        .catch((cause: unknown) => this.#ports.warn('The alarm goes on with the queue', cause));
    }
  }

  async #deliver(config: TargetConfig, delivery: StoredDelivery): Promise<void> {
    const isDisabled = await attemptDelivery(this.#ports, config, delivery);
    if (isDisabled) await this.#reportDisabled();
  }

  /** Until the workspace has it, each alarm tries again. */
  async #reportDisabled(): Promise<void> {
    const { store, reportDisabled, warn } = this.#ports;
    const [config, disabled] = [store.config(), store.disabled()];
    if (config === undefined || disabled === undefined || disabled.isReported) return;
    try {
      await reportDisabled(config, disabled);
      store.write(() => {
        const current = store.disabled();
        if (current?.enabledCount !== disabled.enabledCount) return;
        store.saveDisabled({ ...current, isReported: true });
      });
    } catch (cause) {
      warn('A disabled target could not be reported to its workspace; tried again', cause);
    }
  }

  #arm(): void {
    const { store, alarm, now } = this.#ports;
    const config = store.config();
    if (config === undefined) return;
    const disabled = store.disabled();
    const mustReport = disabled !== undefined && !disabled.isReported;
    const due = this.#isEnabled(config) ? store.earliestDue() : null;
    if (due === null && !mustReport) return;
    // What is due now is being sent: the alarm is for the case that this object is gone before it has the result.
    const at = mustReport || due === null ? now() : due;
    const next = at <= now() ? now() + LOOK_AGAIN_MS : at;
    if (alarm.armedAt === null || next < alarm.armedAt) alarm.arm(next);
  }
}

/**
 * Answers are counted where they go on to their session: each is verified by then, and a repeated message has been refused.
 * So neither a stranger nor a copy of a message uses up what the receiver may send.
 */
function countingAnswers(ports: TargetPorts): TargetPorts {
  return {
    ...ports,
    async answer(answer) {
      const retryAfterSeconds = ports.countAnswer();
      return retryAfterSeconds === undefined
        ? ports.answer(answer)
        : reject('rate_limited', 'Too many answers of this target', { retryAfterSeconds });
    },
  };
}

export interface DeliveryQuery {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
}

export interface DeliveriesPage {
  readonly deliveries: readonly DeliveryView[];
  readonly next?: string;
  readonly failingSince?: number;
}

const REDELIVER_PAGE = 500;
const DeliveryCursor = z.tuple([z.literal('deliveries'), z.int()]);
const RedeliverCursor = z.tuple([z.literal('redeliver'), z.int()]);

/** The deliveries of a target as its administrators see them: in pages, and to be sent again since a time. */
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
  const failingSince = store.failingSince();
  return {
    ok: true,
    value: { deliveries, ...next, ...(failingSince !== null && { failingSince }) },
  };
}

/**
 * Sends again what has ended, delivered or not. `next` is where the following request goes on: what this one has sent
 * again may have ended by then, and must not be sent a third time.
 */
function requeueSince(
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
