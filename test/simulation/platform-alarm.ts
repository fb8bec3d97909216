/**
 * The one alarm of an object, as the platform keeps it: stored with the rows, remembered in memory, and sometimes lost.
 * `armedAt` is the time that the object believes; `storedAt` survives the object.
 *
 * A lost alarm either disappears, or stays set and never fires; both were observed.
 */
import type { SessionAlarm } from '../../src/session/ports.ts';

export class PlatformAlarm implements SessionAlarm {
  armedAt: number | null = null;
  storedAt: number | null = null;
  isLost = false;
  /** The stored alarm is lost; a new alarm counts only once it is confirmed. */
  #isStoredLost = false;
  /** The handler is running; if the object crashes now, the alarm fires again. */
  isRinging = false;
  readonly #wrote: () => void;

  constructor(wrote: () => void) {
    this.#wrote = wrote;
  }

  arm(at: number): void {
    this.armedAt = at;
    this.isLost = false;
    this.#wrote();
  }

  /** When the alarm fires by itself; the stored time counts once the object is out of memory. */
  get dueAt(): number | null {
    return this.isLost ? null : this.armedAt;
  }

  /** Fires the alarm, which stays stored until its handler ends: a crash in between repeats it. */
  rings(now: number): void {
    this.storedAt ??= now;
    this.armedAt = null;
    this.isRinging = true;
  }

  rang(): void {
    this.isRinging = false;
    this.#wrote();
  }

  lose(how: 'gone' | 'stuck'): void {
    this.isLost = true;
    this.#isStoredLost = true;
    if (how === 'gone') this.storedAt = null;
  }

  confirm(): void {
    if (this.isLost) return;
    this.#isStoredLost = false;
    if (!this.isRinging || this.armedAt !== null) this.storedAt = this.armedAt;
  }

  /** A new instance of the object starts with the stored alarm. */
  reset(): void {
    this.armedAt = this.storedAt;
    this.isLost = this.#isStoredLost;
    this.isRinging = false;
  }
}
