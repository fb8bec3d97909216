/**
 * What the workspace does by itself, and when: the sweep, and revocations that must be said again.
 *
 * Both are read from rows, so nothing is lost with this object; the fields here only keep the rounds
 * apart. The one alarm covers the earliest of them and is moved only when that gets earlier: moving
 * it is a write of its own. `alarm` never throws, because the platform gives up on an alarm that
 * fails six times and nobody would notice; it arms last, for what is left and for what failed.
 */
import type { WorkspacePorts } from './ports.ts';
import { pushRevocations } from './revocations.ts';
import { GRACE_MS, sweep } from './sweep.ts';

/** Revocations must be in force within a minute, and what is left of a round should not wait long. */
const SOON_MS = 10_000;
/**
 * The first look around after a session began. An approval opened in the meantime expires ten
 * minutes later at the earliest by default, so opening it does not have to move the alarm.
 */
const FIRST_LOOK_MS = 600_000;

export class Rounds {
  readonly #ports: WorkspacePorts;
  /** No sweep before this: the last one poked everybody who was overdue. */
  #sweepFrom = 0;
  /** When to say revocations again; null when every session has confirmed. */
  #pushAt: number | null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
    const { alarm, store } = ports;
    const now = ports.now();
    // The next round of a former life of this object. Without it, a session that cannot be reached
    // would be poked whenever anybody looks at the inbox.
    if (alarm.armedAt !== null && alarm.armedAt > now && alarm.armedAt <= now + GRACE_MS) {
      this.#sweepFrom = alarm.armedAt;
    }
    this.#pushAt = store.untold(1).length > 0 ? now : null;
    this.arm();
  }

  /** Called on wake, after every report and last in the alarm. */
  arm(why?: 'new-session'): void {
    const { alarm, store } = this.#ports;
    const { armedAt } = alarm;
    const now = this.#ports.now();
    const earliest = store.earliestDue();
    const times = [
      this.#pushAt,
      earliest === null ? null : Math.max(earliest + GRACE_MS, this.#sweepFrom),
      why === 'new-session' && armedAt === null ? now + FIRST_LOOK_MS : null,
    ].filter((at) => at !== null);
    if (times.length > 0) this.#armBy(Math.min(...times));
  }

  /** Tells sessions what was revoked; whom it cannot reach now, the alarm tries again. */
  async push(): Promise<void> {
    const { store, now, warn } = this.#ports;
    try {
      if (store.untold(1).length === 0) return;
      this.#pushAt = now() + SOON_MS;
      // Before the first call: a crash in the middle of it must find the alarm set.
      this.arm();
      await pushRevocations(this.#ports);
      this.#pushAt = store.untold(1).length > 0 ? now() + SOON_MS : null;
    } catch (cause) {
      warn('Telling sessions of a revocation failed; it is tried again', cause);
    }
  }

  async alarm(): Promise<void> {
    const { store, now, warn } = this.#ports;
    try {
      await this.#sweep();
    } catch (cause) {
      warn('A sweep failed; it is tried again', cause);
    }
    await this.push();
    try {
      store.write(() => store.prune(now()));
      this.arm();
    } catch (cause) {
      warn('A round of the workspace failed; it is tried again', cause);
      this.#armBy(now() + SOON_MS);
    }
  }

  async #sweep(): Promise<void> {
    const { now } = this.#ports;
    if (now() < this.#sweepFrom) return;
    // Before the first poke: reports that come in meanwhile must not start another round.
    this.#sweepFrom = now() + GRACE_MS;
    const swept = await sweep(this.#ports);
    if (swept === 'nothing') this.#sweepFrom = now();
    if (swept === 'some') this.#sweepFrom = now() + SOON_MS;
  }

  #armBy(at: number): void {
    const { alarm } = this.#ports;
    const { armedAt } = alarm;
    const now = this.#ports.now();
    // Set to the present, an alarm can stay where it is: https://github.com/cloudflare/workerd/issues/6866
    const next = Math.max(at, now + 1);
    // One that should have fired minutes ago was lost: https://github.com/cloudflare/workerd/issues/3138
    const isLost = armedAt !== null && armedAt <= now - GRACE_MS;
    if (armedAt === null || next < armedAt || isLost) alarm.arm(next);
  }
}
