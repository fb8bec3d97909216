/**
 * What the workspace does by itself, and when: the sweep, and revocations that must be said again.
 *
 * Both are read from rows, so nothing is lost with this object; the fields here only keep the rounds
 * apart. The one alarm covers the earliest of them and is moved only when that gets earlier: moving
 * it is a write of its own. `alarm` never throws, because the platform gives up on an alarm that
 * fails six times and nobody would notice; it arms last, for what is left and for what failed.
 */
import { NO_DEADLINE } from './inbox.ts';
import type { WorkspacePorts } from './ports.ts';
import { pushRevocations } from './revocations.ts';
import { SWEEP_GRACE_MS, sweep } from './sweep.ts';

/** A revocation must be in force within a minute; what is left of a round should not wait long. */
const RETRY_AFTER_MS = 10_000;
/**
 * The first look around after a session began. What the built-in agent asks mostly has ten minutes, so
 * what is opened before this look does not have to move the alarm.
 */
const FIRST_ALARM_MS = 600_000;

/** Expired tokens harm nobody; one alarm for each would. */
const REMOVE_EXPIRED_EVERY_MS = 3_600_000;
/** Each is a write, in one transaction. */
const MAX_TOKENS_REMOVED = 1_000;

export class Maintenance {
  readonly #ports: WorkspacePorts;
  /** No sweep before this: the last one poked everybody who was overdue. */
  #sweepFrom: number;
  /** No alarm before this only because a token has expired. */
  #pruneFrom: number;
  /** When to say revocations again; null when every session has confirmed. */
  #pushAt: number | null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    // The alarm is all that is left of the rounds of a former life of this object. If it were not
    // heeded, a session out of reach would be called whenever somebody looks at the inbox.
    this.#sweepFrom = this.#promised(SWEEP_GRACE_MS);
    this.#pruneFrom = this.#promised(REMOVE_EXPIRED_EVERY_MS);
    this.#pushAt =
      ports.store.revocations.unconfirmed(1).length > 0 ? this.#promised(RETRY_AFTER_MS) : null;
    this.arm();
  }

  /** Called on wake, after every report and last in the alarm. */
  arm(why?: 'new-session'): void {
    const { alarm, store, now } = this.#ports;
    const earliest = store.inbox.earliestDue();
    const expiry = store.tokens.earliestExpiry();
    const times = [
      this.#pushAt,
      earliest === null || earliest >= NO_DEADLINE
        ? null
        : Math.max(earliest + SWEEP_GRACE_MS, this.#sweepFrom),
      expiry === null ? null : Math.max(expiry, this.#pruneFrom),
      why === 'new-session' && alarm.armedAt === null ? now() + FIRST_ALARM_MS : null,
    ].filter((at) => at !== null);
    if (times.length > 0) this.#armBy(Math.min(...times));
  }

  /** Tells sessions what was just revoked; whom it cannot reach now, the alarm tries again. */
  async pushRevocations(): Promise<void> {
    const { store, now } = this.#ports;
    if (store.revocations.unconfirmed(1).length === 0) return;
    // Before the first call: a crash in the middle of it must find the alarm set.
    this.#pushAt = now() + RETRY_AFTER_MS;
    this.arm();
    await this.#attempt('Telling sessions of a revocation', () => this.#push());
  }

  async alarm(): Promise<void> {
    await this.#attempt('Forgetting what has expired', () => this.#prune());
    await this.#attempt('Telling sessions of a revocation', () => this.#push());
    await this.#attempt('The sweep', () => this.#sweep());
    await this.#attempt('Arming the alarm', () => this.arm());
  }

  /** What fails has no influence on the rest, and is done again soon. */
  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    const { now, warn } = this.#ports;
    try {
      await work();
    } catch (cause) {
      warn(`${what} failed and is tried again`, cause);
      this.#armBy(now() + RETRY_AFTER_MS);
    }
  }

  async #push(): Promise<void> {
    const { store, now } = this.#ports;
    this.#pushAt = now() + RETRY_AFTER_MS;
    await pushRevocations(this.#ports);
    if (store.revocations.unconfirmed(1).length === 0) this.#pushAt = null;
  }

  #prune(): void {
    const { store, now } = this.#ports;
    const removed = store.write(() => {
      store.revocations.removeExpired(now());
      return store.tokens.removeExpired(now(), MAX_TOKENS_REMOVED);
    });
    this.#pruneFrom =
      now() + (removed < MAX_TOKENS_REMOVED ? REMOVE_EXPIRED_EVERY_MS : RETRY_AFTER_MS);
  }

  async #sweep(): Promise<void> {
    const { now } = this.#ports;
    if (now() < this.#sweepFrom) return;
    // Before the first poke: reports that come in meanwhile must not start another round.
    this.#sweepFrom = now() + SWEEP_GRACE_MS;
    const swept = await sweep(this.#ports);
    if (swept === 'nothing') this.#sweepFrom = now();
    if (swept === 'some') this.#sweepFrom = now() + RETRY_AFTER_MS;
  }

  /** When the alarm will go off if that is within so many milliseconds, and now if not. */
  #promised(withinMs: number): number {
    const { armedAt } = this.#ports.alarm;
    const now = this.#ports.now();
    return armedAt !== null && armedAt > now && armedAt <= now + withinMs ? armedAt : now;
  }

  #armBy(at: number): void {
    const { alarm } = this.#ports;
    const { armedAt } = alarm;
    const now = this.#ports.now();
    // Set to the present, an alarm can stay where it is: https://github.com/cloudflare/workerd/issues/6866
    const next = Math.max(at, now + 1);
    // One that should have fired minutes ago was lost: https://github.com/cloudflare/workerd/issues/3138
    const isLost = armedAt !== null && armedAt <= now - SWEEP_GRACE_MS;
    if (armedAt === null || next < armedAt || isLost) alarm.arm(next);
  }
}
