/**
 * Spaces the alarms of sessions in one isolate.
 *
 * Alarms that are due together, after a pause of the process or by deadlines of the same second, all start at once: each
 * reads its session and writes twice, and every request of others waited behind thousands of them. Here each alarm takes
 * the next free moment and waits for it with a timer of its own. Nothing is held and given back, so an object that dies
 * while it waits keeps nothing from the others; and no alarm waits for a promise of another object, which could die first.
 *
 * An alarm that waits has read nothing yet, and a request to its session goes on at once: it ends what is overdue itself.
 */
/** A clock that was set back must not make alarms wait for the time that it shows again. */
const MAX_WAIT_MS = 60_000;

export class AlarmPace {
  readonly #spacingMs: number;
  readonly #burst: number;
  /** The moment after the last one taken. */
  #nextAt = Number.NEGATIVE_INFINITY;

  /** `burst` alarms may run without a pause; more of them run one in `spacingMs`. */
  constructor({ spacingMs, burst }: { readonly spacingMs: number; readonly burst: number }) {
    this.#spacingMs = spacingMs;
    this.#burst = burst;
  }

  /** Takes the next moment; returns how long it is until then. */
  take(now: number): number {
    const earliest = now - this.#burst * this.#spacingMs;
    this.#nextAt = Math.min(Math.max(this.#nextAt, earliest) + this.#spacingMs, now + MAX_WAIT_MS);
    return Math.max(0, this.#nextAt - now);
  }
}
